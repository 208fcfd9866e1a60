/// Collects what an import of samples has to report, with the file of each note.
final class SampleNotes: ImportNotes {
    private let files: [String]

    init(files: [String]) {
        self.files = files
        super.init(file: files.first ?? "")
    }

    func text(_ place: SamplePlace) -> String { "\(files[place.file]):\(place.line)" }

    func failure(_ place: SamplePlace, reason: String) -> ImportFailure {
        ImportFailure(files[place.file], line: place.line, reason: reason)
    }

    func decided(_ place: SamplePlace?, text: String, help: String? = nil) {
        add(.decided, at: place, text: text, help: help)
    }

    func left(_ place: SamplePlace?, text: String, help: String? = nil) {
        add(.left, at: place, text: text, help: help)
    }

    func unequal(_ place: SamplePlace?, text: String, help: String? = nil) {
        add(.unequal, at: place, text: text, help: help)
    }

    private func add(_ kind: ImportNote.Kind, at place: SamplePlace?, text: String, help: String?) {
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
