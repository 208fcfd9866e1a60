import Foundation
import GRDB
import LockstepInspect
@testable import LockstepStore
import TestSupport
import Testing

@Suite("What an inspection does not show")
struct InspectionSecretsTests {
    /// Every form of an inspection.
    private func texts(_ stage: InspectionStage, includesValues: Bool) throws -> [String] {
        let inspection = try Inspection(
            path: stage.url.path, includesValues: includesValues, at: InspectionStage.now)
        return [inspection.text, String(decoding: try inspection.json(), as: UTF8.self), inspection.page]
    }

    @Test("Without values, no form contains a value, a textual identity, a token or a server's text")
    func withoutValues() async throws {
        try await withTemporaryFolder { folder in
            let stage = try await InspectionStage.make(in: folder)
            for text in try texts(stage, includesValues: false) {
                #expect(!text.localizedCaseInsensitiveContains(InspectionStage.mark))
                // The same as bytes: a key of several columns is stored so.
                #expect(!text.contains("4D61726B6564"))
                #expect(text.contains("Keyword"))
            }
        }
    }

    @Test("With values, no form contains a token, a tag of the server, or a key of a request")
    func withValues() async throws {
        try await withTemporaryFolder { folder in
            let stage = try await InspectionStage.make(in: folder)
            for text in try texts(stage, includesValues: true) {
                for secret in ["Marked-token", "Marked-etag", "Marked-watermark", "Marked-key", "example.com/keywords"]
                {
                    #expect(!text.contains(secret), "\(secret)")
                }
                #expect(text.contains("Marked-other"))
            }
        }
    }

    @Test("Equal textual identities have equal stand-ins in a store, and others in another one")
    func standIns() async throws {
        try await withTemporaryFolder { folder in
            let stage = try await InspectionStage.make(in: folder)
            let first = try stage.report().sync.waitingLinks[0].member
            #expect(try stage.report().sync.waitingLinks[0].member == first)
            let queue = try DatabaseQueue(path: stage.url.path)
            try await queue.write {
                try $0.execute(sql: "UPDATE lockstep_metadata SET value = 'other' WHERE key = 'store_identity'")
            }
            try queue.close()
            #expect(try stage.report().sync.waitingLinks[0].member != first)
        }
    }
}
