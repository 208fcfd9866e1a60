/// Collects what an import of a model has to report.
final class CoreDataNotes: ImportNotes {
    /// The optional attributes that cannot be `nil`, because their properties have scalar types.
    var scalars: [String] = []

    /// Reports a name in an earlier version.
    func left(_ line: Int, text: String, renaming: ImportRenaming) {
        add(
            .left, at: line, text: text, help: "It is the name in an earlier version; `--versions` imports these, too.",
            renaming: renaming)
    }
}
