public import Foundation

/// Parses the events in a stream of bytes as they arrive (WHATWG HTML, 9.2.6, "Interpreting an event stream").
///
/// ```swift
/// var reader = EventStreamReader()
/// for try await piece in answer.body {
///     for event in try reader.read(piece) { … }
/// }
/// ```
///
/// Pieces may begin and end anywhere, even within a character. An event that is truncated by the end of the stream is
/// ignored. Bytes that are not UTF-8 become U+FFFD.
public struct EventStreamReader: Sendable {
    /// The last event ID of the stream, to be sent as `Last-Event-ID` when reconnecting.
    public private(set) var lastEventID = ""
    /// How long the server asks to wait before reconnecting.
    public private(set) var retryMilliseconds: Int?

    private let limits: EventStreamLimits
    private var line: [UInt8] = []
    private var isAtStart = true
    private var endedWithReturn = false
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false

    /// - Parameter limits: The maximum number of bytes of a line, and of the data of an event.
    public init(limits: EventStreamLimits = EventStreamLimits()) { self.limits = limits }

    /// Adds bytes, and returns the events that they complete.
    ///
    /// - Throws: ``SyncError`` (`malformed`) if a line or an event exceeds the limit. Nothing can be read after that.
    public mutating func read(_ bytes: Data) throws -> [ServerSentEvent] {
        try bytes.withUnsafeBytes { bytes in
            var events: [ServerSentEvent] = []
            var rest = bytes[...]
            while let first = rest.first {
                if first == 0x0A && endedWithReturn {
                    rest = rest.dropFirst()
                    endedWithReturn = false
                    continue
                }
                let run = rest.prefix { $0 != 0x0A && $0 != 0x0D }
                guard line.count + run.count <= limits.lineBytes else { throw tooLong("a line", limits.lineBytes) }
                line.append(contentsOf: run)
                rest = rest[run.endIndex...]
                endedWithReturn = rest.first == 0x0D
                guard rest.popFirst() != nil else { break }
                if let event = try endLine() { events.append(event) }
            }
            return events
        }
    }

    private mutating func endLine() throws -> ServerSentEvent? {
        var text = line[...]
        if isAtStart, text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        isAtStart = false
        defer { line.removeAll(keepingCapacity: line.count < 1 << 16) }
        if text.isEmpty { return dispatch() }
        guard let colon = text.firstIndex(of: 0x3A) else {
            try take(field: text, value: [])
            return nil
        }
        var value = text[(colon + 1)...]
        if value.first == 0x20 { value = value.dropFirst() }
        try take(field: text[..<colon], value: value)
        return nil
    }

    private mutating func take(field: ArraySlice<UInt8>, value: ArraySlice<UInt8>) throws {
        switch String(decoding: field, as: UTF8.self) {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data":
            let byteCount = data.count + (hasData ? 1 : 0) + value.count
            guard byteCount <= limits.eventBytes else { throw tooLong("an event", limits.eventBytes) }
            if hasData { data.append(0x0A) }
            data.append(contentsOf: value)
            hasData = true
        case "id" where !value.contains(0): lastEventID = String(decoding: value, as: UTF8.self)
        case "retry" where !value.isEmpty && value.allSatisfy { (0x30...0x39).contains($0) }:
            retryMilliseconds = Int(String(decoding: value, as: UTF8.self)) ?? retryMilliseconds
        default: break  // A comment begins with a colon: a field without a name.
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
        return ServerSentEvent(
            name: name.isEmpty ? "message" : name, data: String(decoding: data, as: UTF8.self), id: lastEventID)
    }

    private func tooLong(_ what: String, _ limit: Int) -> SyncError {
        SyncError(
            .malformed, reason: "\(what) of the event stream is longer than \(limit) bytes",
            remedy: "Let the server send less at a time, or raise the limits of the stream.")
    }
}
