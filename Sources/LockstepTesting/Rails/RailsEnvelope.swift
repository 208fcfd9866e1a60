import Foundation
import HTTPTypes
import LockstepStore

/// The members of a Rails-style server around records in bodies: `{"data": [{…}], "next": "c2"}`, `{"data": {…}}`.
///
/// Pages are then requested by `?cursor=c2`, and there is no `Link`. Responses to rejected requests have no envelope.
public struct RailsEnvelope: Sendable, Hashable {
    /// The key of the list or the record.
    package var key: String
    /// Whether the records of requests must be under the key, too.
    package var wrapsRequests: Bool
    /// The key of the cursor of the next page, `null` on the last.
    package var cursorKey: String

    /// - Parameters:
    ///   - key: The key of the list or the record.
    ///   - wrapsRequests: Whether the records of requests must be under the key, too.
    ///   - cursorKey: The key of the cursor of the next page, `null` on the last.
    public init(key: String = "data", wrapsRequests: Bool = true, cursorKey: String = "next") {
        self.key = key
        self.wrapsRequests = wrapsRequests
        self.cursorKey = cursorKey
    }
}

extension RailsEnvelope {
    /// Responds as a server without an envelope does, within it.
    func response(to request: ServerRequest, body: (ServerRequest) -> ServerResponse, isCollection: Bool)
        -> ServerResponse
    {
        guard let inner = opened(request) else {
            return ServerResponse(400, json: ["error": .string("The body has no \(key).")])
        }
        let response = body(inner)
        guard response.status < 300 || response.status == 412, let json = try? JSONValue(json: response.body) else {
            return response
        }
        var document: JSONValue = .object([key: json])
        var headers = response.headers
        if isCollection {
            let hasNext = headers[.link]?.contains("rel=\"next\"") == true
            let page = inner.parameter("page").flatMap { Int($0) } ?? 1
            document[cursorKey] = hasNext ? .string("c\(page + 1)") : .null
            headers[.link] = nil
        }
        return ServerResponse(response.status, json: document, headers: headers)
    }

    /// The request without the envelope; `nil` if it must have one.
    private func opened(_ request: ServerRequest) -> ServerRequest? {
        var inner = request
        inner.query = request.query.map { item in
            guard item.name == "cursor" else { return item }
            return URLQueryItem(name: "page", value: item.value.map { String($0.dropFirst()) })
        }
        guard wrapsRequests, !request.body.isEmpty else { return inner }
        guard let record = (try? JSONValue(json: request.body))?[key], let json = try? record.json() else { return nil }
        inner.body = json
        return inner
    }
}
