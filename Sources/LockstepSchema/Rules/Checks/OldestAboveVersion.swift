/// The oldest supported version is not a future one.
enum OldestAboveVersion: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        let version = draft.declaration.version?.value ?? 1
        guard let oldest = draft.declaration.oldest, oldest.value > version else { return }
        report.add(
            Diagnostic(
                .oldestAboveVersion, at: oldest.range,
                message: "The oldest supported version is \(oldest.value), but the schema's version is \(version)",
                remedy: "Write the oldest version that apps in use have."))
    }

    static let entry = CatalogueEntry(
        code: .oldestAboveVersion,
        title: "Oldest version after the current one",
        explanation: """
            `oldest:` is the oldest version of the data model that is still supported: of apps in use, and of servers. \
            It is at most the schema's version.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            version: 3
            oldest: 4
            entities:
              Entry:
                attributes: { id: uuid }
            """,
        right: """
            lockstep: 1
            schema: Journal
            version: 3
            oldest: 2
            entities:
              Entry:
                attributes: { id: uuid }
            """)
}

extension DiagnosticCode {
    /// An oldest version after the current one.
    package static let oldestAboveVersion = DiagnosticCode(rawValue: "oldest-above-version")
}
