import Foundation
import GRDB
import LockstepInspection
@testable import LockstepStore
import TestSupport
import Testing
@testable import lockstep

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
            func member() throws -> String { try #require(stage.report().sync).waitingLinks[0].member }
            let first = try member()
            #expect(try member() == first)
            let queue = try DatabaseQueue(path: stage.url.path)
            try await queue.write {
                try $0.execute(sql: "UPDATE lockstep_metadata SET value = 'other' WHERE key = 'store_identity'")
            }
            try queue.close()
            #expect(try member() != first)
        }
    }

    @Test("Stand-ins of a store that was never pushed are different each time, so that nobody can look them up")
    func standInsWithoutIdentity() async throws {
        try await withTemporaryFolder { folder in
            var reports: [InspectionReport] = []
            for name in ["one", "other"] {
                let own = folder.appendingPathComponent(name)
                try FileManager.default.createDirectory(at: own, withIntermediateDirectories: false)
                let stage = try await InspectionStage.make(in: own)
                let queue = try DatabaseQueue(path: stage.url.path)
                try await queue.write {
                    try $0.execute(sql: "DELETE FROM lockstep_metadata WHERE key = 'store_identity'")
                }
                try queue.close()
                reports.append(try stage.report())
            }
            #expect(reports[0].schema.fingerprint == reports[1].schema.fingerprint)
            let members = try reports.map { try #require($0.sync).waitingLinks[0].member }
            #expect(members[0].hasPrefix("text-") && members[0] != members[1])
            // In one report, equal texts still have equal stand-ins.
            let person = try #require(reports[0].outbox).changes.first { $0.entity == "Person" }
            #expect(person?.record.prefix(13) == reports[0].leftovers?[0].record.prefix(13))
        }
    }
}
