import Foundation
import Journal
import LockstepStore
import LockstepSync
import TestSupport
import Testing

// The Swift of Merging.md on the sources of payloads.

@Suite("The Swift in Merging.md: files, pieces, decoders")
struct SourceSnippets {
    private let body = Data(#"[{"identifier": "0e5a1c1a-6a4e-4f5b-9b57-3c1f6a8a2d11", "title": "Hello"}]"#.utf8)

    @Test("Files and pieces, and the progress of a merge")
    func bodies() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        try body.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let body = body
        let pieces = AsyncStream { continuation in
            continuation.yield(body.prefix(20))
            continuation.yield(body.dropFirst(20))
            continuation.finish()
        }
        // snippet
        try await store.merge(contentsOf: file, into: Entry.self)
        try await store.merge(pieces: pieces, into: Entry.self)  // an AsyncSequence of Data, of [UInt8], or of bytes
        // end
        try await followed(store, file)
        try await committed(store, file)
        #expect(try await store.perform { try $0.fetch(Entry.all()).map(\.title) } == ["Hello"])
    }

    private func followed(_ store: Store, _ file: URL) async throws {
        // snippet
        var options = MergeOptions()
        options.progress = { progress in
            print(progress.stage, progress.fractionRead ?? 0, progress.recordsMerged)
        }
        try await store.merge(contentsOf: file, into: Entry.self, options: options)
        // end
    }

    private func committed(_ store: Store, _ file: URL) async throws {
        // snippet
        var options = MergeOptions()
        options.commits = .every(milliseconds: 50)
        try await store.merge(contentsOf: file, into: Entry.self, options: options)
        // end
    }

    @Test("Records nested deeper in the payload")
    func deeper() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let body = Data(#"{"data": {"items": "#.utf8) + body + Data("}}".utf8)
        // snippet
        if let items = try JSONValue(json: body)["data"]?["items"] {
            try await store.merge(items.json(), into: Entry.self)
        }
        // end
        #expect(try await store.perform { try $0.fetch(Entry.all()).map(\.title) } == ["Hello"])
    }

    @Test("Representations")
    func representations() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        var body = Data(
            #"[{"identifier": "0e5a1c1a-6a4e-4f5b-9b57-3c1f6a8a2d11", "title": "Hello", "mood": "sad", "timestamp": "2020-01-01"}]"#
                .utf8)
        // snippet
        let entries = try JSONDecoder().decode([EntryRepresentation].self, from: body)
        try await store.merge(entries)

        let mostly = try JSONDecoder().decode(LossyRepresentations<Entry>.self, from: body)
        let summary = try await store.merge(mostly)
        print(summary.skipped)
        // end
        #expect(summary.unchanged == 1 && summary.skipped.isEmpty)
        body = Data(#"[{"title": 7}]"#.utf8)
        let bad = try JSONDecoder().decode(LossyRepresentations<Entry>.self, from: body)
        #expect(try await store.merge(bad).skipped.count == 1)
    }
}
