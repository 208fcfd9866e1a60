/// Collects what an import has to report.
class ImportNotes {
    /// The file as the report names it.
    let fileName: String
    private(set) var report = ImportReport()

    /// The place of a line.
    let location: (Int) -> String

    /// - Parameter location: The place of a line, if there are several files.
    init(file: String, location: ((Int) -> String)? = nil) {
        fileName = file
        self.location = location ?? { "\(file):\($0)" }
    }

    func count(_ counts: ImportReport.Counts) { report.counts = counts }

    /// - Parameter line: From 1; `nil` if it concerns all of the source.
    func decided(_ line: Int?, text: String, help: String? = nil) { add(.decided, at: line, text: text, help: help) }

    /// Of an app's own data, which does not say whether there is a server.
    func proposeNoServer() {
        decided(
            nil, text: "All entities are synced: what is saved stays pending until a server has it",
            help: "If no server has these records, write `remote: none` in each entity.")
    }

    func explainOpenEnums() {
        decided(
            nil, text: "Enums are open: a value that is not listed is kept as `unknown`",
            help: "To reject such values, write `closed: true`.")
    }

    func left(_ line: Int?, text: String, help: String? = nil) { add(.left, at: line, text: text, help: help) }

    func ignored(_ text: String) { add(.ignored, at: nil, text: text, help: nil) }

    func add(_ kind: ImportNote.Kind, at line: Int?, text: String, help: String?, renaming: ImportRenaming? = nil) {
        add(
            ImportNote(
                kind: kind, location: line.map(location), text: SecretNames.withoutDefault(text), help: help,
                renaming: renaming))
    }

    func add(_ note: ImportNote) { report.add(note) }

    /// Removes what was decided about members that another note says are left out.
    ///
    /// - Parameter members: As notes begin: `Item.name`.
    func removeDecisions(about members: Set<String>) {
        if members.isEmpty { return }
        report.removeNotes { note in
            note.kind == .decided && ImportNoteGroup.subject(of: note.text).map { members.contains(String($0)) } == true
        }
    }
}
