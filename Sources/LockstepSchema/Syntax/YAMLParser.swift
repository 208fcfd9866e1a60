func parseYAML(_ source: SchemaSource, diagnostics: inout [Diagnostic]) -> Node? { nil }
