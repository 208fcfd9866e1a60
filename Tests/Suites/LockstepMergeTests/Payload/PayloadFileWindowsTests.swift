import Foundation
import LockstepSystem
import TestSupport
import Testing

@testable import LockstepMergeEngine

@testable import LockstepJSON
@testable import LockstepMerge

@Suite("A payload in a file")
struct PayloadFileWindowsTests {
    @Test("Windows of any size result in the same records and errors as the whole file")
    func windowSizes() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("payload.json")
            for (bytes, shape) in PayloadSplitTests.all {
                try Data(bytes).write(to: url)
                let whole = try ReadingOutcome(bytes, shape)
                for size in [1, 2, 3, 5, 8, 13, 64, bytes.count, bytes.count + 1] {
                    #expect(try outcome(url, shape, windowSize: size) == whole)
                }
            }
        }
    }

    @Test("A record larger than the window enlarges it, and hardly any byte is read more than twice")
    func hugeRecord() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("payload.json")
            let huge = #"{"text": ""# + String(repeating: "long ", count: 20_000) + "\"}"
            let small = (0..<2_000).map { #"{"id": \#($0), "text": "short"}"# }
            let text = "[" + (small + [huge] + small).joined(separator: ", ") + "]"
            try Data(text.utf8).write(to: url)
            let target = RecordingTarget()
            let body = PayloadBody.file(try OpenFile(reading: url))
            let watch = PayloadWatch()
            #expect(try body.read(.records, windowSize: 512, passingTo: target, watch: watch) == 4_001)
            #expect(target.records[2_000].json == huge)
            #expect(target.cutCount > 10)
            #expect(target.scannedCount < 2 * text.utf8.count)
        }
    }

    @Test("A value of another wrapper key can be larger than the window without enlarging it")
    func hugeSkippedValue() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("payload.json")
            let other = (0..<5_000).map { #"{"id": \#($0), "list": [[], {}]}"# }.joined(separator: ", ")
            try Data(#"{"included": [\#(other)], "data": [{"id": 1}]}"#.utf8).write(to: url)
            let target = RecordingTarget()
            let body = PayloadBody.file(try OpenFile(reading: url))
            let watch = PayloadWatch()
            #expect(try body.read(.wrapped(key: "data"), windowSize: 1_024, passingTo: target, watch: watch) == 1)
            // If the window had grown, there would be a handful.
            #expect(target.windowCount > 100)
        }
    }

    @Test("An empty file is not JSON")
    func empty() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("payload.json")
            try Data().write(to: url)
            #expect(try outcome(url, .records, windowSize: 64) == .notJSON(JSONSyntaxError(.unexpectedEnd, at: 0)))
        }
    }

    @Test("Unreadable sources are rejected by name: a missing file, a folder, a web URL, a pipe")
    func unreadable() async throws {
        try await withTemporaryFolder { folder in
            let missing = folder.appendingPathComponent("missing.json")
            #expect(
                throws: FileError.cannotRead(path: missing.path, reason: "No such file or directory")
            ) { try OpenFile(reading: missing) }
            let noFile = "it is a folder or a device, not a file"
            #expect(throws: FileError.cannotRead(path: folder.path, reason: noFile)) {
                try OpenFile(reading: folder)
            }
            let pipe = folder.appendingPathComponent("pipe")
            #expect(mkfifo(pipe.path, 0o600) == 0)
            #expect(throws: FileError.cannotRead(path: pipe.path, reason: noFile)) { try OpenFile(reading: pipe) }
            let web = try #require(URL(string: "https://example.com/products"))
            let noFileURL = "it is not a file URL; fetch it first"
            #expect(throws: FileError.cannotRead(path: web.absoluteString, reason: noFileURL)) {
                try OpenFile(reading: web)
            }
        }
    }

    private func outcome(_ url: URL, _ shape: PayloadShape, windowSize: Int) throws -> ReadingOutcome {
        try ReadingOutcome(RecordingTarget()) { target in
            let body = PayloadBody.file(try OpenFile(reading: url))
            let watch = PayloadWatch()
            _ = try body.read(shape, windowSize: windowSize, passingTo: target, watch: watch)
        }
    }
}
