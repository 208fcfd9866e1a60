extension DiagnosticCatalogue {
    /// The entries of diagnostics about histories.
    static let historyEntries: [CatalogueEntry] = [
        unrecordedChange, neverRecorded, historyMissing, historyBehind, historyEdited, historyForked, tooOld,
        cannotOpen,
    ]

    private static func journal(version: Int, attributes: String = "id: uuid, title: string") -> String {
        """
        lockstep: 1
        schema: Journal
        version: \(version)
        entities:
          Entry:
            attributes: { \(attributes) }
        """
    }

    private static let unrecordedChange = CatalogueEntry(
        code: .unrecordedChange,
        title: "Unrecorded change",
        explanation: """
            The schema differs from the last version of its history. A store of that version could not be opened. \
            `lockstep migrate` records the changes. Until then, `lockstep check` fails, debug builds warn, and release \
            builds fail.
            """,
        wrong: journal(version: 1, attributes: "id: uuid, title: string, place: string?"),
        right: journal(version: 1),
        trigger: .recorded(journal(version: 1), version: 1))

    private static let neverRecorded = CatalogueEntry(
        code: .neverRecorded,
        title: "No recorded version",
        explanation: """
            There is no history beside the schema. `lockstep migrate` begins it with the schema that was released: if it \
            began with one that was edited since, no app could open its users' files. So the schema is compared with \
            what Git has of it. If Git has another one, or none, `--from` or `--store` says what was released. \
            `lockstep check` warns until the first version is recorded.
            """,
        wrong: journal(version: 1, attributes: "id: uuid, title: string, place: string?"),
        right: journal(version: 1),
        trigger: .command("lockstep migrate"))

    private static let cannotOpen = CatalogueEntry(
        code: .cannotOpen,
        title: "Files that cannot be opened",
        explanation: """
            An app opens files of its own version, and of the versions in its history. The other side of the release has \
            another structure than any of them, a higher version, or another name. Begin the history with what was \
            released: `lockstep migrate --from FILE|REVISION`.
            """,
        wrong: journal(version: 1, attributes: "id: uuid, title: string, place: string?"),
        right: journal(version: 1),
        trigger: .command("lockstep check --compatible-with 1.0"))

    private static let historyMissing = CatalogueEntry(
        code: .historyMissing,
        title: "Missing history",
        explanation: """
            The schema has had changes, since its version is above 1, but there is no history beside it. A store of an \
            earlier version cannot be opened.
            """,
        wrong: journal(version: 2),
        right: journal(version: 1))

    private static let historyBehind = CatalogueEntry(
        code: .historyBehind,
        title: "The schema and its history have other versions",
        explanation: """
            The version of the schema is that of the last version of its history. `lockstep migrate` writes both. If \
            the schema's is higher, the history may be an old copy.
            """,
        wrong: journal(version: 2),
        right: journal(version: 1),
        trigger: .recorded(journal(version: 1), version: 1))

    private static func history(head: String, versions: String) -> String {
        """
        history: 1
        schema: Journal
        head: \(head)
        versions:
          - version: 1
            is: cdc83194f1e667c8-452316ebd3ca285a
            entities:
              Entry:
                table: entry
                identity: id
                remote: { path: /entries }
                attributes:
                  id: { type: uuid, default: new }
                  title: { type: string }
        \(versions)
        """
    }

    private static let place = """
          - version: 2
            name: place
            is: 57fec041cbe30a50-4bb2eace93fdefb1
            changes:
              - add: Entry.place
        """

    private static let historyEdited = CatalogueEntry(
        code: .historyEdited,
        title: "Edited history",
        explanation: """
            The history is not as `lockstep migrate` wrote it: a part is missing, or a version is not what its hash \
            says. Stores in the field were made by the versions that were recorded, so these do not change. The history \
            must also have the name of the schema.
            """,
        wrong: history(
            head: "2 57fec041cbe30a50-4bb2eace93fdefb1", versions: place + "\n        as: { type: int? }"),
        right: journal(version: 2, attributes: "id: uuid, title: string, place: string?"),
        trigger: .history)

    private static let historyForked = CatalogueEntry(
        code: .historyForked,
        title: "Forked history",
        explanation: """
            Two branches have added versions to the same history. After a merge, `lockstep migrate --rebase` continues \
            the history of the branch that was merged with the changes of this one.
            """,
        wrong: history(
            head: "2 57fec041cbe30a50-4bb2eace93fdefb1",
            versions: place + "\n        as: { type: string? }\n" + place + "\n        as: { type: string? }"),
        right: journal(version: 2, attributes: "id: uuid, title: string, place: string?"),
        trigger: .history)

    private static let tooOld = CatalogueEntry(
        code: DiagnosticCode(rawValue: "too-old"),
        title: "Too old",
        explanation: """
            Stores of versions that the history has forgotten cannot be opened any more. `lockstep migrate --squash N` \
            forgets the versions before N, which must be one of the history, and warns if some of them were released.
            """,
        wrong: journal(version: 1),
        right: journal(version: 1),
        trigger: .command("lockstep migrate --squash 9"))
}
