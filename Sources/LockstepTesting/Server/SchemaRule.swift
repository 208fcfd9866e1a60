import HTTPTypes
import LockstepStore
import LockstepSync

/// The lowest version of the schema that a server accepts.
struct SchemaRule: Sendable {
    let version: Int
    /// The message of the response for the user of an earlier version.
    let message: String

    /// 426 for a request of an earlier version, or of none; `nil` for one that is accepted.
    func refusal(of request: ServerRequest) -> ServerResponse? {
        let field = request.headers[SchemaHeader.name] ?? ""
        let number = field.prefix { $0 != ";" }.split(separator: "/").last.flatMap { Int($0) }
        if let number, number >= version { return nil }
        return ServerResponse(426, json: ["message": .string(message)])
    }
}
