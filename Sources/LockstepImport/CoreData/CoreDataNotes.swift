/// Collects what an import of a model has to report.
final class CoreDataNotes {
    private let file: String
    private(set) var report = ImportReport()

    /// The optional attributes that cannot be `nil`, because their properties have scalar types.
    var scalars: [String] = []

    init(file: String) { self.file = file }

    var counts: ImportReport.Counts {
        get { report.counts }
        set { report.counts = newValue }
    }

    func decided(_ line: Int?, _ text: String, help: String? = nil) { add(.decided, line, text, help) }

    func left(_ line: Int?, _ text: String, help: String? = nil) { add(.left, line, text, help) }

    /// Reports a name in an earlier version.
    func left(_ line: Int, _ text: String, renaming: ImportRenaming) {
        report.add(
            ImportNote(
                kind: .left, place: "\(file):\(line)", text: text,
                help: "It is the name in an earlier version; `--versions` imports these, too.", renaming: renaming))
    }

    /// Reports an element that is left out with everything in it.
    func left(_ node: XMLNode, _ text: String, help: String? = nil) {
        node.skip()
        left(node.line, text, help: help)
    }

    func ignored(_ text: String) { add(.ignored, nil, text, nil) }

    private func add(_ kind: ImportNote.Kind, _ line: Int?, _ text: String, _ help: String?) {
        report.add(ImportNote(kind: kind, place: line.map { "\(file):\($0)" }, text: text, help: help))
    }
}
