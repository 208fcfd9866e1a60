import LockstepEvolution

extension Section {
    /// A version of a history, with what it changed.
    init(_ version: SchemaHistory.Version) {
        let rows = version.changes.map { change -> [Cell] in
            [.code(change.text), .text(change.answers.because)]
        }
        self.init(
            anchor: .version(version.number),
            title: "Version \(version.number)" + (version.name.map { ": \($0)" } ?? ""),
            marks: version.isReleased ? ["released"] : [],
            tables: [Table(title: "Changes", headings: ["Change", "Reason"], rows: rows).compact].compactMap(\.self))
    }
}
