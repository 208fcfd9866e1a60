/// The findings while a tree is read by the grammar.
struct GrammarReading {
    var diagnostics: [Diagnostic] = []
    /// How many values were lost that other parts of the schema may refer to.
    private(set) var lossCount = 0

    /// Reports a finding that costs no value.
    mutating func report(_ diagnostic: Diagnostic) {
        diagnostics.append(diagnostic)
    }

    /// Reports a finding on a value that cannot be read, and is `nil` for it.
    mutating func lose<Value>(_ diagnostic: Diagnostic) -> Value? {
        diagnostics.append(diagnostic)
        lossCount += 1
        return nil
    }

    /// Reports a finding on a value that is absent or left out.
    mutating func lose(_ diagnostic: Diagnostic) {
        diagnostics.append(diagnostic)
        lossCount += 1
    }

    /// Reads something that keeps its name even if a part of it is unreadable, so that references to it are not
    /// reported. `isLost` says whether a part was unreadable.
    mutating func readingMember<Result>(
        _ read: (inout GrammarReading) -> Result
    ) -> (result: Result, isLost: Bool) {
        let countBefore = lossCount
        defer { lossCount = countBefore }
        let result = read(&self)
        return (result, lossCount > countBefore)
    }

    /// Reads something whose loss costs nothing else.
    mutating func readingWithoutLoss<Result>(_ read: (inout GrammarReading) -> Result) -> Result {
        let countBefore = lossCount
        defer { lossCount = countBefore }
        return read(&self)
    }
}
