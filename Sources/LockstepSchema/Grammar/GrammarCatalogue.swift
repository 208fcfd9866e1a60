extension DiagnosticCatalogue {
    /// The entries of what the grammar finds.
    static let grammarEntries: [CatalogueEntry] = [
        unsupportedLanguage, unknownKey, missingKey, wrongKind, notAllowed, malformedType,
    ]

    private static let unsupportedLanguage = CatalogueEntry(
        code: .unsupportedLanguage,
        title: "Another version of the language",
        explanation: """
            `lockstep:` says which version of the schema language a file is written in. This tool reads version 1; of \
            a file in another version nothing else is checked.
            """,
        wrong: """
            lockstep: 2
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: string }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: string }
            """)

    private static let unknownKey = CatalogueEntry(
        code: .unknownKey,
        title: "Unknown key",
        explanation: """
            Each mapping of a schema has the keys that the reference lists, and no others; a misspelt key would \
            otherwise do nothing, silently.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes:
                  id: uuid
                  title: { type: string, uniqe: true }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes:
                  id: uuid
                  title: { type: string, unique: true }
            """)

    private static let missingKey = CatalogueEntry(
        code: .missingKey,
        title: "A required key is missing",
        explanation: "Some keys must be there: an attribute without a type, say, is none.",
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes:
                  id: uuid
                  title: { unique: true }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes:
                  id: uuid
                  title: { type: string, unique: true }
            """)

    private static let wrongKind = CatalogueEntry(
        code: .wrongKind,
        title: "A value of the wrong kind",
        explanation: """
            Every key takes a value of one kind: a text, a number, `true` or `false`, a list, a mapping. Between \
            quotes everything is a text, and nothing (`null`, `~`) is no value at all.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            version: one
            entities:
              Entry:
                attributes: { id: uuid, title: string }
            """,
        right: """
            lockstep: 1
            schema: Journal
            version: 1
            entities:
              Entry:
                attributes: { id: uuid, title: string }
            """)

    private static let notAllowed = CatalogueEntry(
        code: .notAllowed,
        title: "A value that is not allowed",
        explanation: "The key takes one of a few values, or a number from some number on, and this is none of them.",
        wrong: """
            lockstep: 1
            schema: Journal
            access: pubic
            entities:
              Entry:
                attributes: { id: uuid, title: string }
            """,
        right: """
            lockstep: 1
            schema: Journal
            access: public
            entities:
              Entry:
                attributes: { id: uuid, title: string }
            """)

    private static let malformedType = CatalogueEntry(
        code: .malformedType,
        title: "A type that cannot be read",
        explanation: """
            A type is a name, with `?` behind it where there may be no value, and between brackets for a list. \
            Elements of a list are never optional and never lists themselves. A relationship to many is never \
            optional: it may be empty.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: string, tags: [string?] }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: string, tags: "[string]?" }
            """)
}
