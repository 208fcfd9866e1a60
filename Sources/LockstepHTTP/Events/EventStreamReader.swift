package import Foundation

/// Parses the events in a stream of bytes as they arrive (WHATWG HTML, 9.2.6, "Interpreting an event stream").
///
/// ```swift
/// var reader = EventStreamReader()
/// for try await piece in response.body {
///     for event in try reader.read(piece) { … }
/// }
/// ```
///
/// Pieces may begin and end anywhere, even within a character. An event that is truncated by the end of the stream is
/// ignored. Bytes that are not UTF-8 become U+FFFD.
package struct EventStreamReader: Sendable {
    /// The last event ID of the stream, to be sent as `Last-Event-ID` when reconnecting.
    package private(set) var lastEventID = ""
    /// How long the server asks to wait before reconnecting.
    package private(set) var retryMilliseconds: Int?

    private let limits: EventStreamLimits
    private var meaning = LineMeaning.unknown
    /// The current line, if it is neither data nor a comment: data are held once, comments not at all.
    private var line: [UInt8] = []
    private var lineByteCount = 0
    private var isAtStart = true
    private var endedWithReturn = false
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    /// The number of bytes since the last event that are not data: a stream that completes no event is not endless.
    private var otherByteCount = 0

    /// The kind of the current line, as far as it was read.
    private enum LineMeaning {
        case unknown, data, comment, field
    }

    /// - Parameter limits: The maximum number of bytes of a line, and of an event.
    package init(limits: EventStreamLimits = EventStreamLimits()) { self.limits = limits }

    /// Adds bytes, and returns the events that they complete.
    ///
    /// - Throws: ``SyncError`` (`malformed`) if a line or an event exceeds the limit. Nothing can be read after that.
    package mutating func read(_ bytes: Data) throws -> [ServerSentEvent] {
        try bytes.withUnsafeBytes { bytes in
            var events: [ServerSentEvent] = []
            var start = 0
            while start < bytes.count {
                if bytes[start] == 0x0A && endedWithReturn {
                    start += 1
                    endedWithReturn = false
                    continue
                }
                // A plain loop, which is fast in debug builds, too.
                var end = start
                while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
                try take(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                guard end < bytes.count else { break }
                endedWithReturn = bytes[end] == 0x0D
                if let event = try endLine() { events.append(event) }
                start = end + 1
            }
            return events
        }
    }

    /// Adds bytes to the current line.
    private mutating func take(_ bytes: UnsafeRawBufferPointer) throws {
        guard !bytes.isEmpty else { return }
        endedWithReturn = false
        lineByteCount += bytes.count
        switch meaning {
        case .data: try append(bytes)
        case .comment: break
        case .field: line.append(contentsOf: bytes)
        case .unknown:
            line.append(contentsOf: bytes)
            if line.count >= Self.prefixByteCount { try findMeaning() }
        }
        guard meaning == .data || lineByteCount <= limits.lineBytes else {
            throw tooLong("a line", limit: limits.lineBytes)
        }
    }

    /// The number of bytes of `data: ` after a byte order mark.
    private static let prefixByteCount = 9

    /// Finds what the line is by its first bytes, or by all if it is shorter.
    private mutating func findMeaning() throws {
        if isAtStart, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isAtStart = false
        if line.first == 0x3A {
            meaning = .comment
        } else if line.starts(with: "data:".utf8) {
            meaning = .data
            try startData()
            let value = line.dropFirst(5)
            try (value.first == 0x20 ? value.dropFirst() : value).withUnsafeBytes { try append($0) }
        } else {
            return meaning = .field
        }
        line.removeAll(keepingCapacity: true)
    }

    /// Begins a line of data.
    private mutating func startData() throws {
        if hasData { try [0x0A as UInt8].withUnsafeBytes { try append($0) } }
        hasData = true
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) throws {
        guard data.count + bytes.count <= limits.eventBytes else { throw tooLong("an event", limit: limits.eventBytes) }
        data.append(contentsOf: bytes)
    }

    private mutating func endLine() throws -> ServerSentEvent? {
        if meaning == .unknown { try findMeaning() }
        otherByteCount += meaning == .data ? Self.prefixByteCount : lineByteCount + 1
        let otherLimit = max(limits.lineBytes, limits.eventBytes)
        guard otherByteCount <= otherLimit else { throw tooLong("what precedes an event", limit: otherLimit) }
        defer {
            meaning = .unknown
            lineByteCount = 0
            line.removeAll(keepingCapacity: line.count < 1 << 16)
        }
        guard meaning == .field else { return nil }
        if line.isEmpty { return dispatch() }
        let colon = line.firstIndex(of: 0x3A) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == 0x20 { value = value.dropFirst() }
        try take(field: String(decoding: line[..<colon], as: UTF8.self), value: value)
        return nil
    }

    private mutating func take(field: String, value: ArraySlice<UInt8>) throws {
        switch field {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data": try startData()  // Without a colon, the value is empty.
        case "id" where !value.contains(0): lastEventID = String(decoding: value, as: UTF8.self)
        case "retry" where !value.isEmpty && value.allSatisfy { (0x30...0x39).contains($0) }:
            retryMilliseconds = Int(String(decoding: value, as: UTF8.self)) ?? retryMilliseconds
        default: break
        }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        defer {
            name = ""
            data = []
            hasData = false
        }
        // "If the data buffer is an empty string": after a single empty line of data, before removing the line feed
        // that follows each line, it is not empty, so there is an event.
        guard hasData else { return nil }
        otherByteCount = 0
        return ServerSentEvent(
            name: name.isEmpty ? "message" : name, data: String(decoding: data, as: UTF8.self), id: lastEventID)
    }

    private func tooLong(_ what: String, limit: Int) -> SyncError {
        SyncError(
            .malformed, reason: "\(what) of the event stream is longer than \(limit) bytes",
            remedy: "Let the server send less at a time, or raise the limits of the stream.")
    }
}
