extension Diagnostic {
    /// The diagnostics, sorted by file, position and code, without duplicates. (An alias repeats a value and the errors
    /// in it.)
    static func sortedWithoutRepeats(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        var seen: Set<Diagnostic> = []
        return diagnostics.filter { seen.insert($0).inserted }.sorted(by: isOrderedBefore)
    }

    private static func isOrderedBefore(_ left: Diagnostic, _ right: Diagnostic) -> Bool {
        if left.location.path != right.location.path { return left.location.path < right.location.path }
        if left.location.start != right.location.start { return left.location.start < right.location.start }
        if left.code != right.code { return left.code.rawValue < right.code.rawValue }
        return left.message < right.message
    }
}
