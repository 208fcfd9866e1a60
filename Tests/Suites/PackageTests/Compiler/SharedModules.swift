import Foundation
import TestSupport
import Testing

/// Makes the modules that the files of ``NameTests`` import, before the suite: the models of the diary, and the names
/// of modules that only Apple platforms or other packages have.
struct SharedModules: SuiteTrait, TestScoping {
    private static let arguments = ["-swift-version", "6"]

    @TaskLocal private static var folder: URL?

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { test.isSuite ? self : nil }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            var modules = ["SwiftUI", "Combine", "ComposableArchitecture"].map {
                ($0, [Fixtures.file("Stubs/\($0).swift")])
            }
            let models = try Fixtures.generate("Diary/Diary.lockstep.yaml", ["--access", "public"], in: folder)
            modules.append(("Diary", models + [Fixtures.file("Diary/Celsius.swift")]))
            for (name, files) in modules {
                let result = try SwiftCompiler().makeModule(name, of: files, Self.arguments, in: folder)
                try #require(result.status == 0, "\(name): \(result.text)")
            }
            try await Self.$folder.withValue(folder) { try await function() }
        }
    }

    /// Reports the errors and warnings of files that import the modules.
    static func check(_ files: [URL], _ features: [String]) throws -> ProcessResult {
        try SwiftCompiler().check(files, arguments + features, in: #require(folder))
    }
}
