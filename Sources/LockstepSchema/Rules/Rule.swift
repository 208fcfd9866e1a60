/// One rule of the language. It looks at the whole draft and reports what breaks the rule; what another rule reports
/// already (an unknown type, for example) is skipped.
protocol Rule: Sendable {
    /// What the catalogue says of it.
    static var entry: CatalogueEntry { get }

    static func check(_ draft: Draft, into report: inout Report)
}

/// The findings of a run of the rules. What is found twice at one place (an attribute that several entities inherit)
/// is kept once.
struct Report {
    private(set) var diagnostics: [Diagnostic] = []
    private var seen: Set<Place> = []

    private struct Place: Hashable {
        var code: DiagnosticCode
        var start: SourcePosition
    }

    mutating func add(_ diagnostic: Diagnostic) {
        if seen.insert(Place(code: diagnostic.code, start: diagnostic.location.start)).inserted {
            diagnostics.append(diagnostic)
        }
    }
}
