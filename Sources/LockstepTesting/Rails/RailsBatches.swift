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
    func response(to request: ServerRequest, handle: (ServerRequest) -> ServerResponse) -> ServerResponse {
        guard case .array(let requests)? = (try? JSONValue(json: request.body))?["requests"],
            requests.count <= limit
        else { return ServerResponse(400, json: ["error": "The batch has no requests, or too many."]) }
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
        return ServerResponse(200, json: ["responses": .array(responses.reversed())])
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

    private static func response(_ response: ServerResponse) -> JSONValue {
        var headers: JSONObject = [:]
        for field in response.headers { headers[field.name.rawName] = .string(field.value) }
        var object: JSONObject = ["status": .integer(Int64(response.status)), "headers": .object(headers)]
        if !response.body.isEmpty {
            let text = JSONValue.string(String(decoding: response.body, as: UTF8.self))
            object["body"] = (try? JSONValue(json: response.body)) ?? text
        }
        return .object(object)
    }
}
