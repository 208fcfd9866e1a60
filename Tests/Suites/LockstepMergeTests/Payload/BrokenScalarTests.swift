import Foundation
import Journal
import LockstepStore
import LockstepSync
import TestSupport
import Testing

/// A payload that is not a list of records: whether it is JSON at all is reported first.
@Suite("Payloads that are a single scalar")
struct BrokenScalarTests {
    private static let brokenTexts = [
        "tru", "truex", "true x", "fals", "falsee", "nul", "nullx", "12x", "1.", "-", "01", "1e", "12 13", "1,",
        "\"abc",
        "\"abc\\", "\"a\\x\"", "\"abc\"x", "\"a\" \"b\"", "\"a\u{1}\"",
    ]
    private static let wholeTexts = ["true", "false", "12", "-1.5e3", "\"abc\"", " \"\\u0041\" \n"]
    private static let shapes = [PayloadShape.records, .map, .wrapped(key: "entries")]

    private func code(_ text: String, _ shape: PayloadShape, asFile: Bool) async throws -> MergeError.Code? {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let options = MergeOptions(payload: shape)
        do {
            guard asFile else {
                try await store.merge(text, into: Entry.self, options: options)
                return nil
            }
            try await withTemporaryFolder { folder in
                let file = folder.appendingPathComponent("payload.json")
                try Data(text.utf8).write(to: file)
                _ = try await store.merge(contentsOf: file, into: Entry.self, options: options)
            }
            return nil
        } catch let error as MergeError {
            return error.code
        }
    }

    @Test("N7 A broken scalar is reported as invalid JSON, not as another shape", arguments: brokenTexts)
    func broken(_ text: String) async throws {
        for shape in Self.shapes {
            for asFile in [false, true] {
                guard case .notJSON? = try await code(text, shape, asFile: asFile) else {
                    Issue.record("\(text) as \(shape), from a file: \(asFile)")
                    continue
                }
            }
        }
    }

    @Test("A valid scalar has the wrong shape", arguments: wholeTexts)
    func whole(_ text: String) async throws {
        for shape in Self.shapes {
            for asFile in [false, true] { #expect(try await code(text, shape, asFile: asFile) == .wrongShape) }
        }
    }
}
