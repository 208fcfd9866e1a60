/// Collects what an import of samples has to report, with the file of each note.
final class SampleNotes: ImportNotes {
    private let files: [String]

    init(files: [String]) {
        self.files = files
        super.init(file: files.first ?? "")
    }

    func text(_ place: SamplePlace) -> String { "\(files[place.file]):\(place.line)" }

    func failure(_ place: SamplePlace, _ reason: String) -> ImportFailure {
        ImportFailure(files[place.file], line: place.line, reason)
    }

    func decided(_ place: SamplePlace?, _ text: String, help: String? = nil) { add(.decided, place, text, help) }

    func left(_ place: SamplePlace?, _ text: String, help: String? = nil) { add(.left, place, text, help) }

    func unequal(_ place: SamplePlace?, _ text: String, help: String? = nil) { add(.unequal, place, text, help) }

    private func add(_ kind: ImportNote.Kind, _ place: SamplePlace?, _ text: String, _ help: String?) {
        add(ImportNote(kind: kind, place: place.map(self.text), text: text, help: help))
    }
}

/// A file of samples.
struct SampleFile {
    let index: Int
    let path: String
    /// As the report names it.
    let name: String
    /// The entity whose records are at its top.
    let entity: String
    let values: [SampleValue]
}
