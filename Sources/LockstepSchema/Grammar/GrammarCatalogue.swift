extension DiagnosticCatalogue {
    /// The entries of what the grammar finds.
    static let grammarEntries: [CatalogueEntry] = []
}
