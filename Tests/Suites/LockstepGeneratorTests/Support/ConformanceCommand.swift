import Foundation
import LockstepJSON
import TestSupport
import Testing

/// A run of `lockstep conformance`.
struct ConformanceCommand {
    let result: ProcessResult

    /// On Linux, `URLSession` uses most of a core while it waits for a response. If more processes wait at once, the
    /// servers, which are in this process, respond too late.
    private static let turns = DispatchSemaphore(value: 2)

    /// - Parameters:
    ///   - schema: The path of the schema, from the root of the repository.
    ///   - tokens: Those of one or two users.
    ///   - key: The key of the server.
    init(
        _ address: String, schema: String = "Tests/Suites/LockstepGeneratorTests/Fixtures/Lists.yaml",
        _ arguments: [String], tokens: [String] = ["token-of-a-user"], key: String = ""
    ) async throws {
        let names = ["LOCKSTEP_API_KEY", "LOCKSTEP_TOKEN", "LOCKSTEP_OTHER_TOKEN"]
        let environment = ProcessInfo.processInfo.environment.merging(zip(names, [key] + tokens).map { ($0, $1) }) {
            $1
        }
        let (program, all) = (try builtProduct("lockstep"), ["conformance", address, schema] + arguments)
        // Not on a thread of this task, which the server may need.
        result = try await withCheckedThrowingContinuation { continuation in
            Thread {
                Self.turns.wait()
                defer { Self.turns.signal() }
                continuation.resume(
                    with: Result { try runProcess(program, all, environment: environment, in: Documentation.root) })
            }.start()
        }
    }

    /// The names of the cases with an outcome, of a run with `--json`.
    func cases(_ outcome: String) throws -> [String] {
        guard case .array(let cases)? = try report()["cases"] else { return [] }
        return cases.filter { $0["outcome"] == .string(outcome) }.compactMap {
            if case .string(let name)? = $0["name"] { name } else { nil }
        }
    }

    func grades() throws -> [String] {
        guard case .array(let grades)? = try report()["grades"] else { return [] }
        return grades.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    func report() throws -> JSONValue {
        try #require(try? JSONValue(json: Data(result.output.utf8)), "\(result.text)")
    }
}
