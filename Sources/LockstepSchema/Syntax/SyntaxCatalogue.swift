extension DiagnosticCatalogue {
    /// The entries of what can be wrong before the grammar is asked.
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
        explanation: "The file holds nothing but comments and empty lines. A schema has at least a name and entities.",
        wrong: "# Here will be a schema.",
        right: journal)

    private static let severalDocuments = CatalogueEntry(
        code: .severalDocuments,
        title: "Several documents in one file",
        explanation:
            "One file is one schema. YAML lets a file hold several documents, divided by `---`; a schema has one.",
        wrong: journal + "\n---\nlockstep: 1\n",
        right: journal)

    private static let duplicateKey = CatalogueEntry(
        code: .duplicateKey,
        title: "A key given twice",
        explanation: """
            A mapping has each key once. Of two attributes of one name, say, one would silently vanish. Keys taken \
            over by `<<` may be given again: the own key wins.
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
        title: "An alias of nothing",
        explanation:
            "An alias, `*name`, stands for the value with the anchor `&name` above it, never for one it is part of.",
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
        title: "A merge of no mapping",
        explanation:
            "The key `<<` takes over the entries of a mapping, or of each mapping of a list. A text has none.",
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
            A word that begins with `!` is a tag in YAML: it says of what type a value is. The language takes types \
            from its own keys, so only YAML's own tags (`!!str`, `!!int`, `!!map` …) are let through.
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
