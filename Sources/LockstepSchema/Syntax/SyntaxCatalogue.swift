extension DiagnosticCatalogue {
    /// The entries of diagnostics before the grammar is used.
    static let syntaxEntries: [CatalogueEntry] = [
        Diagnostic.fileTooLargeCatalogue, Diagnostic.notUTF8Catalogue, emptyFile, Diagnostic.yamlSyntaxCatalogue,
        severalDocuments, duplicateKey, unknownAlias, Diagnostic.aliasesTooLargeCatalogue, badMerge, unknownTag,
        Diagnostic.nestedTooDeepCatalogue,
    ]

    private static let journal = """
        lockstep: 1
        schema: Journal
        entities:
          Entry:
            attributes: { id: uuid, title: string }
        """

    private static let emptyFile = CatalogueEntry(
        code: .emptyFile,
        title: "Empty file",
        explanation: "The file contains only comments and empty lines. A schema has at least a name and entities.",
        wrong: "# Here will be a schema.",
        right: journal)

    private static let severalDocuments = CatalogueEntry(
        code: .severalDocuments,
        title: "Several documents in one file",
        explanation: """
            A file contains one schema. YAML allows several documents in a file, separated by `---`; a schema file has \
            one.
            """,
        wrong: journal + "\n---\nlockstep: 1\n",
        right: journal)

    private static let duplicateKey = CatalogueEntry(
        code: .duplicateKey,
        title: "Duplicate key",
        explanation: """
            A mapping can have each key only once. Otherwise, for example, one of two attributes with the same name \
            would be lost silently. Keys that are merged with `<<` can be repeated: the mapping's own key wins.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes:
                  id: uuid
                  title: string
                  title: string?
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes:
                  id: uuid
                  title: string?
            """)

    private static let unknownAlias = CatalogueEntry(
        code: .unknownAlias,
        title: "Unknown alias",
        explanation: """
            An alias, `*name`, refers to the value with the anchor `&name` earlier in the file. It cannot refer to a \
            value that contains the alias.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: *text }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, note: &text string?, title: *text }
            """)

    private static let badMerge = CatalogueEntry(
        code: .badMerge,
        title: "Invalid merge",
        explanation: """
            The key `<<` merges the entries of a mapping, or of each mapping of a list. Other values cannot be merged.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { <<: common, id: uuid, title: string }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: &common { id: uuid, title: string }
              Note:
                attributes: { <<: *common, text: string }
            """)

    private static let unknownTag = CatalogueEntry(
        code: .unknownTag,
        title: "Unknown tag",
        explanation: """
            In YAML, a word that begins with `!` is a tag that sets the type of a value. In a schema, types are set by \
            keys, so only the standard tags of YAML (`!!str`, `!!int`, `!!map` …) are allowed.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: !uuid string, title: string }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: string }
            """)
}
