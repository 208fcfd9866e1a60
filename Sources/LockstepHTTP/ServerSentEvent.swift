/// One event of a stream of the type `text/event-stream`.
public struct ServerSentEvent: Sendable, Hashable {
    /// What happened; `message` where the server does not say.
    public var name: String
    /// The lines of data, with line feeds in between.
    public var data: String
    /// The last id that the stream gave, with this event or before it.
    public var id: String

    public init(name: String = "message", data: String, id: String = "") {
        self.name = name
        self.data = data
        self.id = id
    }
}
