/// Every diagnostic code there is, with what it means and how to mend it.
public enum DiagnosticCatalogue {
    /// The entries in the order in which a schema meets them: its YAML, the grammar, the rules.
    public static let entries: [CatalogueEntry] =
        syntaxEntries + grammarEntries + ruleEntries + [Diagnostic.duplicateSchemaCatalogue]
}
