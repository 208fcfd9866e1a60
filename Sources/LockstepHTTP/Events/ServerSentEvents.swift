/// The events in a body, as they arrive.
///
/// ```swift
/// for try await event in answer.body.events() { print(event.name, event.data) }
/// ```
///
/// Reading throws the errors of reading the body, `malformed` if an event is too long, and `CancellationError` between
/// two events if the task is cancelled.
public struct ServerSentEvents: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent

    fileprivate let body: HTTPBody
    fileprivate let limits: EventStreamLimits

    public func makeAsyncIterator() -> Iterator {
        Iterator(pieces: body.makeAsyncIterator(), reader: EventStreamReader(limits: limits))
    }

    /// Iterates over the events.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var pieces: HTTPBody.Iterator
        fileprivate var reader: EventStreamReader
        private var events: ArraySlice<ServerSentEvent> = []

        fileprivate init(pieces: HTTPBody.Iterator, reader: EventStreamReader) {
            self.pieces = pieces
            self.reader = reader
        }

        public mutating func next() async throws -> ServerSentEvent? {
            // Between events too, because a piece may contain a hundred thousand.
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
    /// - Parameter limits: The maximum number of bytes of a line, and of the data of an event.
    public func events(limits: EventStreamLimits = EventStreamLimits()) -> ServerSentEvents {
        ServerSentEvents(body: self, limits: limits)
    }
}
