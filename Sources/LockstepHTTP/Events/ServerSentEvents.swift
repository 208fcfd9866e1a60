package import Foundation

/// The events in a body, as they arrive.
///
/// ```swift
/// for try await event in response.body.events() { print(event.name, event.data) }
/// ```
///
/// Reading throws the errors of reading the body, `malformed` if an event is too long, and `CancellationError` between
/// two events if the task is cancelled.
public struct ServerSentEvents: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent

    fileprivate let body: HTTPBody
    fileprivate let limits: EventStreamLimits

    @_spi(Requirements) public func makeAsyncIterator() -> Iterator {
        Iterator(pieces: body.makeAsyncIterator(), steps: EventStreamSteps(limits: limits))
    }

    /// Iterates over the events.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var pieces: HTTPBody.Iterator
        fileprivate var steps: EventStreamSteps
        private var events: ArraySlice<ServerSentEvent> = []

        fileprivate init(pieces: HTTPBody.Iterator, steps: EventStreamSteps) {
            self.pieces = pieces
            self.steps = steps
        }

        @_spi(Requirements) public mutating func next() async throws -> ServerSentEvent? {
            while true {
                // Between events too, because a server may send more of them than are used.
                try Task.checkCancellation()
                if let event = events.popFirst() { return event }
                if steps.isOver {
                    guard let piece = try await pieces.next() else { return nil }
                    steps.add(piece)
                }
                events = try await steps.next()[...]
            }
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

/// Parses each piece of a stream in small steps, between which other tasks run. In a debug build, a large piece takes
/// long.
package struct EventStreamSteps: Sendable {
    private var reader: EventStreamReader
    /// The rest of the piece.
    private var rest = Data()

    /// The number of bytes that are parsed before other tasks run.
    private static let stepBytes = 64 << 10

    package init(limits: EventStreamLimits) { reader = EventStreamReader(limits: limits) }

    /// Whether the piece was parsed.
    package var isOver: Bool { rest.isEmpty }

    package mutating func add(_ piece: Data) { rest = piece }

    /// The events that the next step completes.
    package mutating func next() async throws -> [ServerSentEvent] {
        await Task.yield()
        let step = rest.prefix(Self.stepBytes)
        rest = rest.dropFirst(step.count)
        return try reader.read(step)
    }
}
