import LockstepSync
import Testing

/// Lets every request of a test wait as long as its response takes: how long that is on a busy machine proves
/// nothing.
struct UnhurriedTrait: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await HTTPTimeouts.$current.withValue(.unlimited) { try await function() }
    }
}

extension Trait where Self == UnhurriedTrait {
    /// For tests over real sockets that are not about timeouts.
    static var unhurried: UnhurriedTrait { UnhurriedTrait() }
}
