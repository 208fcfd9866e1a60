/// Checks `declaration` by every rule of the language, resolves its references and decides its names.
///
/// All diagnostics are appended to `diagnostics` in one run. Returns the resolved schema, or `nil` if there is an
/// error.
func resolve(_ declaration: SchemaDeclaration, into diagnostics: inout [Diagnostic]) -> Schema? {
    let draft = Draft(declaration)
    var report = Report()
    for rule in rules {
        rule.check(draft, into: &report)
    }
    diagnostics += report.diagnostics.map { $0.located(in: declaration.paths) }
    guard !diagnostics.contains(where: { $0.severity == .error }) else { return nil }
    return draft.schema()
}
