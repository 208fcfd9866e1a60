import Foundation

/// An event of a `text/event-stream`.
struct ServerSentEvent: Sendable, Hashable {
    var name: String
    var data: Data
}

extension HTTPBody {
    /// The events that the body is of (HTML Living Standard, 9.2).
    var serverSentEvents: AsyncThrowingStream<ServerSentEvent, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    var rest = ""
                    for try await piece in self {
                        rest += String(decoding: piece, as: UTF8.self)
                        while let end = rest.range(of: "\n\n") {
                            var event = ServerSentEvent(name: "message", data: Data())
                            for line in rest[..<end.lowerBound].split(separator: "\n") {
                                if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
                                if line.hasPrefix("data: ") { event.data = Data(line.dropFirst(6).utf8) }
                            }
                            rest = String(rest[end.upperBound...])
                            continuation.yield(event)
                        }
                    }
                    continuation.finish()
                } catch { continuation.finish(throwing: error) }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
