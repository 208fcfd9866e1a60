/// Two values cannot share a key on the wire: reading would fill both from one, and writing would lose one.
enum KeyClash: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for clash in draft.clashes where clash.kind == .wirePath {
            report.add(
                Diagnostic(
                    .keyClash, at: clash.second.range,
                    "The JSON key '\(clash.name)' of '\(clash.entity.name)' would be that of "
                        + "\(clash.first.text) and of "
                        + clash.second.text,
                    remedy: "Give one of the two another key with 'key:', or keep it off the wire with 'wire: none'.",
                    notes: [Diagnostic.Note("\(clash.first.text.capitalizingFirst) is here", at: clash.first.range)]))
        }
    }

    static let entry = CatalogueEntry(
        code: .keyClash,
        title: "Two values under one JSON key",
        explanation: """
            Keys are spelt by `wire: { names: … }` or given by `key:`. Two members of an entity may come to the same \
            key that way.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes:
                  id: uuid
                  title: string
                  heading: { type: string, key: title }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes:
                  id: uuid
                  title: string
                  heading: { type: string, key: heading_text }
            """)
}

extension DiagnosticCode {
    /// Two values that would share a key on the wire.
    public static let keyClash = DiagnosticCode(rawValue: "key-clash")
}
