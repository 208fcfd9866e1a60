/// Two values cannot share a key in JSON: decoding would use it for both, and encoding would lose one.
enum KeyClash: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for clash in draft.clashes where clash.kind == .wirePath {
            report.add(
                Diagnostic(
                    .keyClash, at: clash.second.range,
                    message: "The JSON key '\(clash.name)' of '\(clash.entity.name)' would be used for "
                        + "\(clash.first.text) and "
                        + clash.second.text,
                    remedy: "Give one of the two another key with 'key:', or exclude it with 'wire: none'.",
                    notes: [Diagnostic.Note("\(clash.first.text.capitalizingFirst) is here", at: clash.first.range)]))
        }
    }

    static let entry = CatalogueEntry(
        code: .keyClash,
        title: "Duplicate JSON key",
        explanation: """
            A JSON key is set by `key:`, or derived according to `wire: { names: … }`. Two members of an entity can \
            get the same key in this way.
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
    /// Two values that would share a key in JSON.
    package static let keyClash = DiagnosticCode(rawValue: "key-clash")
}
