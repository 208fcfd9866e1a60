import TestSupport
import Testing

/// Waits for a condition, and ends the test in the caller's line if it does not become true.
func wait(
    _ condition: () async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let isTrue = try await soon(condition)
    try #require(isTrue, "waited for the condition in this line", sourceLocation: sourceLocation)
}
