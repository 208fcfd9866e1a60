/// The diagnostics while a tree is read by the grammar.
struct GrammarReading {
    var diagnostics: [Diagnostic] = []
    /// The number of unreadable values that other parts of the schema may refer to.
    private(set) var unreadableCount = 0

    /// Reports a diagnostic that does not make a value unreadable.
    mutating func report(_ diagnostic: Diagnostic) {
        diagnostics.append(diagnostic)
    }

    /// Reports a diagnostic for a value that cannot be read, and returns `nil`.
    mutating func fail<Value>(_ diagnostic: Diagnostic) -> Value? {
        diagnostics.append(diagnostic)
        unreadableCount += 1
        return nil
    }

    /// Reports a diagnostic for a value that is absent or left out.
    mutating func fail(_ diagnostic: Diagnostic) {
        diagnostics.append(diagnostic)
        unreadableCount += 1
    }

    /// Reads something that keeps its name even if a part of it is unreadable, so that references to it are not
    /// reported. `isUnreadable` is whether a part was unreadable.
    mutating func readingMember<Result>(
        _ read: (inout GrammarReading) -> Result
    ) -> (result: Result, isUnreadable: Bool) {
        let countBefore = unreadableCount
        defer { unreadableCount = countBefore }
        let result = read(&self)
        return (result, unreadableCount > countBefore)
    }

    /// Reads something whose unreadable parts do not affect anything else.
    mutating func readingWithoutLoss<Result>(_ read: (inout GrammarReading) -> Result) -> Result {
        let countBefore = unreadableCount
        defer { unreadableCount = countBefore }
        return read(&self)
    }
}
