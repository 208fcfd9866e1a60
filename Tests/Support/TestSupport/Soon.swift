import Foundation

/// Waits for a condition: a test of what never happens must fail, not hang.
///
/// It lets other tasks and other processes run in between, and gives up after many attempts and a minute of processor
/// time. So it waits longer on a machine that has more to do.
///
/// - Returns: Whether the condition became true.
public func soon(
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws -> Bool {
    let start = processorSeconds()
    var count = 0
    while count < 100_000 || processorSeconds() - start < 60 {
        if try await condition() { return true }
        await Task.yield()
        sched_yield()
        count += 1
    }
    return false
}

/// The processor time that the process has used, in whole seconds.
private func processorSeconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec
}
