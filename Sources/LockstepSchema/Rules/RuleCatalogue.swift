extension DiagnosticCatalogue {
    /// The entries of the rules. Each is declared with its rule.
    static let ruleEntries: [CatalogueEntry] = rules.map { $0.entry }
}
