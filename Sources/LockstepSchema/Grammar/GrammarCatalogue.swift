extension DiagnosticCatalogue {
    /// The entries of the grammar's diagnostics.
    static let grammarEntries: [CatalogueEntry] = [
        unsupportedLanguage, unknownKey, missingKey, wrongKind, notAllowed, malformedType,
    ]

    private static let unsupportedLanguage = CatalogueEntry(
        code: .unsupportedLanguage,
        title: "Unsupported language version",
        explanation: """
            `lockstep:` is the version of the schema language. This tool reads version 1. Nothing else in a file of \
            another version is checked.
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
            Each mapping of a schema accepts only the keys that are listed in the reference. Otherwise a misspelled \
            key would silently have no effect.
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
        title: "Missing required key",
        explanation: "Some keys are required: for example, an attribute must have a type.",
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
        title: "Wrong kind of value",
        explanation: """
            Every key accepts values of one kind: text, a number, `true` or `false`, a list, or a mapping. A value in \
            quotes is always text. An empty value (`null`, `~`) is not a value.
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
        title: "Value not allowed",
        explanation: """
            The key accepts only certain values, or numbers from a minimum on. This value is not one of them.
            """,
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
        title: "Malformed type",
        explanation: """
            A type is a name, followed by `?` if it is optional, and in brackets if it is a list. Elements of a list \
            cannot be optional, and cannot be lists themselves. A to-many relationship cannot be optional, since it \
            can be empty.
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
