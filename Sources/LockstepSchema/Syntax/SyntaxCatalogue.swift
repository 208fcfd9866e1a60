extension DiagnosticCatalogue {
    /// The entries of what can be wrong before the grammar is asked.
    static let syntaxEntries: [CatalogueEntry] = []
}
