/// Waits for a condition as long as reasonable, without a clock: a test of what never happens must fail, not hang.
///
/// - Returns: Whether the condition became true.
public func soon(
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws -> Bool {
    for _ in 0..<1_000_000 {
        if try await condition() { return true }
        await Task.yield()
    }
    return false
}
