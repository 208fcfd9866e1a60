/// All diagnostic codes, with their meanings and fixes.
public enum DiagnosticCatalogue {
    /// The entries in the order of the checks: YAML, grammar, rules, histories, changes, what is sent, output.
    public static let entries: [CatalogueEntry] =
        syntaxEntries + grammarEntries + ruleEntries + [Diagnostic.duplicateSchemaCatalogue]
        + historyEntries + changeEntries + wireEntries + [Diagnostic.staleOutputCatalogue]
}
