/// The events in a body, as they come.
///
/// ```swift
/// for try await event in answer.body.events() { print(event.name, event.data) }
/// ```
///
/// Reading throws what reading the body throws, `malformed` where an event is too long, and `CancellationError` between
/// two events where the task is cancelled.
public struct ServerSentEvents: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent

    fileprivate let body: HTTPBody
    fileprivate let limits: EventStreamLimits

    public func makeAsyncIterator() -> Iterator {
        Iterator(pieces: body.makeAsyncIterator(), reader: EventStreamReader(limits: limits))
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
            // Between events too: a piece may have a hundred thousand.
            try Task.checkCancellation()
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
    /// - Parameter limits: How many bytes a line, and the data of an event, may have.
    public func events(limits: EventStreamLimits = EventStreamLimits()) -> ServerSentEvents {
        ServerSentEvents(body: self, limits: limits)
    }
}
