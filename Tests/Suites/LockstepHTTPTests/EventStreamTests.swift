import Dispatch
import Foundation
import HTTPTypes
import LockstepSync
import RuntimeTestSupport
import TestSupport
import Testing

@Suite("Event streams", .unhurried)
struct EventStreamTests {
    private static let cases: [(text: String, events: [ServerSentEvent])] = [
        ("", []),
        ("data: a\n\n", [ServerSentEvent(data: "a")]),
        ("data:a\n\n", [ServerSentEvent(data: "a")]),
        ("data:  a\n\n", [ServerSentEvent(data: " a")]),
        ("data\n\n", [ServerSentEvent(data: "")]),
        ("data:\n\ndata\ndata\n\n", [ServerSentEvent(data: ""), ServerSentEvent(data: "\n")]),
        ("data: a\ndata: b\ndata\n\n", [ServerSentEvent(data: "a\nb\n")]),
        ("event: put\ndata: {}\n\n", [ServerSentEvent(name: "put", data: "{}")]),
        ("event: put\n\ndata: a\n\n", [ServerSentEvent(data: "a")]),
        ("event: put\nevent\ndata: a\n\n", [ServerSentEvent(data: "a")]),
        (": keep-alive\n\n:\n\ndata: a\n:b\n\n", [ServerSentEvent(data: "a")]),
        ("data: a\r\n\r\ndata: b\r\n\r\n", [ServerSentEvent(data: "a"), ServerSentEvent(data: "b")]),
        ("data: a\r\rdata: b\r\r", [ServerSentEvent(data: "a"), ServerSentEvent(data: "b")]),
        ("data: a\n\r\ndata: b\r\n\n\r", [ServerSentEvent(data: "a"), ServerSentEvent(data: "b")]),
        ("\u{FEFF}data: a\n\n", [ServerSentEvent(data: "a")]),
        ("\u{FEFF}\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n", []),
        ("data: ü€😀\n\n", [ServerSentEvent(data: "ü€😀")]),
        (
            "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
            [
                ServerSentEvent(data: "a", id: "1"), ServerSentEvent(data: "b", id: "1"), ServerSentEvent(data: "c"),
            ]
        ),
        ("id: 1\u{0}2\ndata: a\n\n", [ServerSentEvent(data: "a")]),
        ("retry: 5\nretry: x\nretry:\ndata: a\n\n", [ServerSentEvent(data: "a")]),
        ("foo: 1\ndata : b\nDATA: c\n\n", []),
        ("data: a: b\n\n", [ServerSentEvent(data: "a: b")]),
        ("data: whole\n\ndata: cut off\n", [ServerSentEvent(data: "whole")]),
        ("data: cut off", []),
    ]

    @Test("Events are parsed as the standard specifies, wherever the pieces begin and end")
    func table() throws {
        var random = SeededRandom(seed: 8)
        for (text, events) in Self.cases {
            let bytes = Data(text.utf8)
            #expect(try read([bytes]) == events, "\(text.debugDescription)")
            #expect(try read(bytes.map { Data([$0]) }) == events, "\(text.debugDescription)")
            for _ in 0..<50 {
                var pieces: [Data] = []
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = Int.random(in: 0...min(5, rest.count), using: &random)
                    pieces.append(rest.prefix(count))
                    rest = rest.dropFirst(count)
                }
                #expect(try read(pieces) == events, "\(text.debugDescription) in \(pieces.map(\.count))")
            }
        }
    }

    private func read(_ pieces: [Data]) throws -> [ServerSentEvent] {
        var reader = EventStreamReader()
        return try pieces.flatMap { try reader.read($0) }
    }

    @Test("The last event ID and the retry time are kept for reconnecting")
    func reconnecting() throws {
        var reader = EventStreamReader()
        _ = try reader.read(Data("id: 7\nretry: 1500\n".utf8))
        #expect(reader.lastEventID == "7")
        #expect(reader.retryMilliseconds == 1500)
    }

    @Test("Invalid UTF-8 does not end the stream")
    func invalid() throws {
        var reader = EventStreamReader()
        let events = try reader.read(Data("data: ".utf8) + [0xFF] + Data("\n\n".utf8))
        #expect(events == [ServerSentEvent(data: "\u{FFFD}")])
    }

    @Test("Endless lines and events are an error")
    func limits() throws {
        for text in [String(repeating: "x", count: 101), ": " + String(repeating: "x", count: 99)] {
            var reader = EventStreamReader(limits: EventStreamLimits(lineBytes: 100))
            #expect(throws: SyncError.self) { try reader.read(Data(text.utf8)) }
        }
        var reader = EventStreamReader(limits: EventStreamLimits(eventBytes: 100))
        #expect(throws: SyncError.self) {
            for _ in 0..<10 { _ = try reader.read(Data("data: 123456789012345\n".utf8)) }
        }
    }

    @Test("Lines of data count for the event, however long; all others have a limit", arguments: ["id: ", ": ", "x"])
    func dataLine(_ field: String) throws {
        let limits = EventStreamLimits(lineBytes: 100, eventBytes: 1000)
        let long = String(repeating: "x", count: 1000)
        var reader = EventStreamReader(limits: limits)
        #expect(try reader.read(Data("data: \(long)\n\n".utf8)) == [ServerSentEvent(data: long)])
        var pieces = EventStreamReader(limits: limits)
        #expect(try "data: \(long)\n\n".utf8.flatMap { try pieces.read(Data([$0])) } == [ServerSentEvent(data: long)])
        #expect(throws: SyncError.self) {
            var reader = EventStreamReader(limits: limits)
            _ = try reader.read(Data("\(field)\(long)".utf8))
        }
        #expect(throws: SyncError.self) {
            for byte in "\(field)\(long)".utf8 { _ = try reader.read(Data([byte])) }
        }
    }

    @Test("What precedes an event has a limit, which begins again after each event")
    func precedingBytes() throws {
        var reader = EventStreamReader(limits: EventStreamLimits(lineBytes: 50, eventBytes: 100))
        for line in ["data:\n", ":\n", "id: 1\n", "\n", "x\r\n"] {
            for _ in 0..<100 {
                for _ in 0..<5 { _ = try reader.read(Data(line.utf8)) }
                #expect(try reader.read(Data("data: a\n\n".utf8)).count == 1)
            }
            #expect(throws: SyncError.self) { for _ in 0..<200 { _ = try reader.read(Data(":\n".utf8)) } }
            reader = EventStreamReader(limits: EventStreamLimits(lineBytes: 50, eventBytes: 100))
        }
    }

    @Test("A stream that never completes an event lets other tasks run and is cancelled between two steps")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func endless() async throws {
        for line in [":\n", "data: x\n", "id: 1\n", "x"] {
            // One piece, as a client may deliver it, and an event at its end that only an endless reader reaches.
            let count = (8 << 20) / line.utf8.count
            let body = HTTPBody.data(Data((String(repeating: line, count: count) + "\ndata: end\n\n").utf8))
            let limits = EventStreamLimits(lineBytes: 16 << 20, eventBytes: 64 << 20)
            let thread = OneThread()
            let reading = Task(executorPreference: thread) {
                var events = body.events(limits: limits).makeAsyncIterator()
                return try await events.next()
            }
            // It runs on the only thread, after the reader's first steps and long before its last one.
            Task(executorPreference: thread) {
                for _ in 0..<20 { await Task.yield() }
                reading.cancel()
            }
            await #expect(throws: CancellationError.self) { try await reading.value }
        }
    }

    @Test("An event of exactly the maximum size is read, including the line feeds between its lines")
    func exactLimit() throws {
        for (text, isRead) in [
            ("data: 12345\n\n", true), ("data: 123456\n\n", false), ("data: 12\ndata: 45\n\n", true),
            ("data: 12\ndata: 456\n\n", false),
        ] {
            var reader = EventStreamReader(limits: EventStreamLimits(eventBytes: 5))
            let events = try? reader.read(Data(text.utf8))
            #expect(events?.map(\.data.utf8.count) == (isRead ? [5] : nil), "\(text)")
        }
    }

    @Test("Events are delivered by the client while the server is sending")
    func overTheSocket() async throws {
        let goesOn = TestSignal()
        let server = try RawServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: put\ndata: 1\n\n")
            goesOn.wait()
            connection.send("event: patch\ndata: 2\n\ndata: cut")
            connection.close()
        }
        defer { server.stop() }
        let response = try await URLSessionClient().send(
            Web.request(.get, server.address("/"), ["Accept": "text/event-stream"]), timeouts: .eventStream)
        var names: [String] = []
        for try await event in response.body.events() {
            names.append(event.name)
            goesOn.fire()
        }
        #expect(names == ["put", "patch"])
    }
}

/// Runs tasks on one thread, one after the other.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class OneThread: TaskExecutor {
    private let queue = DispatchQueue(label: "one thread")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
