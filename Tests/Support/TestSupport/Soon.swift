import Foundation

/// Waits for a condition as long as reasonable, without a clock: a test of what never happens must fail, not hang.
///
/// It lets other tasks and other processes run in between, so it waits longer on a machine that has more to do.
///
/// - Returns: Whether the condition became true.
public func soon(
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws -> Bool {
    for _ in 0..<5_000_000 {
        if try await condition() { return true }
        await Task.yield()
        sched_yield()
    }
    return false
}
