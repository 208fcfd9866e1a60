/// All diagnostic codes, with their meanings and fixes.
package enum DiagnosticCatalogue {
    /// The entries in the order of the checks: YAML, grammar, rules, histories, changes, what is sent, output.
    package static let entries: [CatalogueEntry] =
        syntaxEntries + grammarEntries + ruleEntries + [Diagnostic.duplicateSchemaCatalogue]
        + Diagnostic.includeCatalogue
        + historyEntries + changeEntries + wireEntries + [Diagnostic.staleOutputCatalogue]
}
