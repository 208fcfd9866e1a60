/// One event of a stream of type `text/event-stream`.
public struct ServerSentEvent: Sendable, Hashable {
    /// The type of the event; `message` if the server does not send one.
    public var name: String
    /// The lines of data, separated by line feeds.
    public var data: String
    /// The last event ID of the stream, sent with this event or before it.
    public var id: String

    package init(name: String = "message", data: String, id: String = "") {
        self.name = name
        self.data = data
        self.id = id
    }
}
