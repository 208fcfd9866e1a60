import Foundation
import HTTPTypes
import LockstepStore

/// A batch of requests to a Rails-style server, as in the JSON batches of Microsoft Graph.
///
/// Each request takes effect by itself. The responses come in reverse order, because clients must not rely on any.
public struct RailsBatches: Sendable, Hashable {
    package var path: String
    /// The maximum number of requests. The server rejects a larger batch as a whole, with 400.
    package var limit: Int

    /// - Parameters:
    ///   - path: The path that batches are sent to.
    ///   - limit: The maximum number of requests. The server rejects a larger batch as a whole, with 400.
    public init(path: String = "/batch", limit: Int = 20) {
        self.path = path
        self.limit = limit
    }
}

extension RailsBatches {
    /// - Parameter handle: Handles one of the requests.
    func answer(_ request: ServerRequest, handle: (ServerRequest) -> ServerAnswer) -> ServerAnswer {
        guard case .array(let requests)? = (try? JSONValue(json: request.body))?["requests"],
            requests.count <= limit
        else { return ServerAnswer(400, json: ["error": "The batch has no requests, or too many."]) }
        var responses: [JSONValue] = []
        for part in requests {
            guard let inner = Self.request(part, in: request) else {
                responses.append(["id": part["id"] ?? .null, "status": 400])
                continue
            }
            var response = Self.response(handle(inner))
            response["id"] = part["id"] ?? .null
            responses.append(response)
        }
        return ServerAnswer(200, json: ["responses": .array(responses.reversed())])
    }

    /// One of the requests, with the credentials of the batch.
    private static func request(_ part: JSONValue, in batch: ServerRequest) -> ServerRequest? {
        guard case .string(let name)? = part["method"], let method = HTTPRequest.Method(rawValue: name),
            case .string(let target)? = part["url"], target.hasPrefix("/")
        else { return nil }
        var headers: HTTPFields = [:]
        headers[.authorization] = batch.headers[.authorization]
        if case .object(let fields)? = part["headers"] {
            for (name, value) in fields {
                if let name = HTTPField.Name(name), case .string(let text) = value { headers[name] = text }
            }
        }
        let body = part["body"].flatMap { try? $0.json() } ?? Data()
        return ServerRequest(method, target, headers: headers, body: body)
    }

    private static func response(_ answer: ServerAnswer) -> JSONValue {
        var headers: JSONObject = [:]
        for field in answer.headers { headers[field.name.rawName] = .string(field.value) }
        var response: JSONObject = ["status": .integer(Int64(answer.status)), "headers": .object(headers)]
        if !answer.body.isEmpty {
            let text = JSONValue.string(String(decoding: answer.body, as: UTF8.self))
            response["body"] = (try? JSONValue(json: answer.body)) ?? text
        }
        return .object(response)
    }
}
