/// The events in a body, as they come.
///
/// ```swift
/// for try await event in answer.body.events() { print(event.name, event.data) }
/// ```
///
/// Reading throws what reading the body throws, and `malformed` where an event is too long.
public struct ServerSentEvents: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent

    fileprivate let body: HTTPBody
    fileprivate let limit: Int

    public func makeAsyncIterator() -> Iterator {
        Iterator(pieces: body.makeAsyncIterator(), reader: EventStreamReader(limit: limit))
    }

    /// Gives the events, one after another.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var pieces: HTTPBody.Iterator
        fileprivate var reader: EventStreamReader
        private var events: ArraySlice<ServerSentEvent> = []

        fileprivate init(pieces: HTTPBody.Iterator, reader: EventStreamReader) {
            self.pieces = pieces
            self.reader = reader
        }

        public mutating func next() async throws -> ServerSentEvent? {
            while events.isEmpty {
                guard let piece = try await pieces.next() else { return nil }
                events = try reader.read(piece)[...]
            }
            return events.popFirst()
        }
    }
}

extension HTTPBody {
    /// The events in the body. They can be read once.
    ///
    /// - Parameter limit: How many bytes a line, and the data of an event, may have.
    public func events(limit: Int = EventStreamReader.defaultLimit) -> ServerSentEvents {
        ServerSentEvents(body: self, limit: limit)
    }
}
