/// Collects what an import of samples has to report, with the file of each note.
final class SampleNotes: ImportNotes {
    private let files: [String]

    init(files: [String]) {
        self.files = files
        super.init(file: files.first ?? "")
    }

    func text(_ location: SampleLocation) -> String { "\(files[location.file]):\(location.line)" }

    func failure(_ location: SampleLocation, reason: String) -> ImportFailure {
        ImportFailure(files[location.file], line: location.line, reason: reason)
    }

    func decided(_ location: SampleLocation?, text: String, help: String? = nil) {
        add(.decided, at: location, text: text, help: help)
    }

    func left(_ location: SampleLocation?, text: String, help: String? = nil) {
        add(.left, at: location, text: text, help: help)
    }

    func unequal(_ location: SampleLocation?, text: String, help: String? = nil) {
        add(.unequal, at: location, text: text, help: help)
    }

    private func add(_ kind: ImportNote.Kind, at location: SampleLocation?, text: String, help: String?) {
        add(ImportNote(kind: kind, location: location.map(self.text), text: text, help: help))
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
