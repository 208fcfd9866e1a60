import LockstepHTTP
package import Testing

/// Lets every request of a test wait as long as its response takes: how long that is on a busy machine proves
/// nothing.
package struct UnhurriedTrait: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await HTTPTimeouts.$current.withValue(.unlimited) { try await function() }
    }
}

extension Trait where Self == UnhurriedTrait {
    /// For tests over real sockets that are not about timeouts.
    package static var unhurried: UnhurriedTrait { UnhurriedTrait() }
}
