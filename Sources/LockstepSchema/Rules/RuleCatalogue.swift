extension DiagnosticCatalogue {
    /// The entries of the rules; each is declared beside its rule.
    static let ruleEntries: [CatalogueEntry] = rules.map { $0.entry }
}
