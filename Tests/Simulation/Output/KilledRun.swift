/// What is in the folder, the run that is killed, and those that may come after it.
public struct KilledRun: Sendable {
    public var name: String
    /// Whose output is there; `nil` for nothing.
    var before: Request?
    var killed: Request
    var after: [Request]

    /// One of each kind.
    public static let all: [KilledRun] = [
        KilledRun(
            name: "the first run", before: nil, killed: journal,
            after: [journal, changedJournal, .generate(["Recipes": Request.recipes])]),
        KilledRun(name: "an update", before: journal, killed: changedJournal, after: [journal, changedJournal, both]),
        KilledRun(
            name: "other options", before: journal, killed: .generate(["Journal": Request.journal], "--shards", "2"),
            after: [journal, changedJournal, .generate(["Journal": Request.journal], "--access", "public")]),
        KilledRun(name: "a second schema", before: journal, killed: both, after: [journal, both, changedJournal]),
        KilledRun(name: "a schema that is gone", before: both, killed: journal, after: [journal, both]),
        KilledRun(
            name: "emit", before: .emit(Request.journal, files: 4), killed: .emit(Request.changedJournal, files: 3),
            after: [
                .emit(Request.journal, files: 4), .emit(Request.changedJournal, files: 3),
                .emit(Request.changedJournal, files: 2),
            ]),
    ]

    private static let journal = Request.generate(["Journal": Request.journal])
    private static let changedJournal = Request.generate(["Journal": Request.changedJournal])
    private static let both = Request.generate(["Journal": Request.changedJournal, "Recipes": Request.recipes])
}
