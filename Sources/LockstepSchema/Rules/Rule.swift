/// One rule of the language. It examines the whole draft and reports violations; what another rule reports already
/// (such as an unknown type) is skipped.
protocol Rule: Sendable {
    /// Its entry in the catalogue.
    static var entry: CatalogueEntry { get }

    static func check(_ draft: Draft, into report: inout Report)
}

/// The diagnostics of a run of the rules. A diagnostic that is repeated at one location, because several entities
/// inherit an attribute, is kept once.
struct Report {
    private(set) var diagnostics: [Diagnostic] = []
    private var seen: Set<Finding> = []

    private struct Finding: Hashable {
        var code: DiagnosticCode
        var start: SourcePosition
    }

    mutating func add(_ diagnostic: Diagnostic) {
        if seen.insert(Finding(code: diagnostic.code, start: diagnostic.location.start)).inserted {
            diagnostics.append(diagnostic)
        }
    }
}
