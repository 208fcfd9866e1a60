import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync

/// The REST dialect of the Firebase Realtime Database, according to its documentation and its servers.
struct FirebaseDialect: ServerDialect {
    /// Whether requests for a stream are redirected to another address.
    var redirectsStreams = true

    func response(to request: ServerRequest, in state: inout ServerState) -> ServerResponse {
        guard let parts = path(of: request) else {
            return failure(404, reason: "Not found: the path does not end in .json.")
        }
        if let refusal = credentialsRefusal(request, in: state) { return refusal }
        guard parts.allSatisfy(JSONValue.isFirebaseKey) else {
            return failure(400, reason: "Invalid path: Invalid token in path")
        }
        switch request.method {
        case .get where request.headers[.accept]?.contains("text/event-stream") == true:
            return stream(request, parts: parts, in: state)
        case .get: return read(request, parts: parts, in: state)
        case .put, .delete: return write(request, parts: parts, in: &state)
        case .patch: return patch(request, parts: parts, in: &state)
        case .post: return post(request, parts: parts, in: &state)
        default: return failure(405, reason: "Method not allowed.")
        }
    }

    /// The components of the path: `/entries/7.json` and `/entries/7/.json`.
    func path(of request: ServerRequest) -> [String]? {
        guard let last = request.parts.last, last.hasSuffix(".json") else { return nil }
        let key = String(last.dropLast(5))
        return request.parts.dropLast() + (key.isEmpty ? [] : [key])
    }

    private func credentialsRefusal(_ request: ServerRequest, in state: ServerState) -> ServerResponse? {
        guard let tokens = state.tokens else { return nil }
        let bearer = request.headers[.authorization].flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil }
        guard let token = request.parameter("auth") ?? request.parameter("access_token") ?? bearer else {
            return failure(401, reason: "Permission denied")
        }
        guard let expiry = tokens[token] else { return failure(401, reason: "Could not parse auth token.") }
        return expiry > state.now ? nil : failure(401, reason: "Auth token is expired")
    }

    // MARK: Reading

    private func read(_ request: ServerRequest, parts: [String], in state: ServerState) -> ServerResponse {
        var value = state.tree.stored(at: parts)
        let headers = tagHeaders(request, value: value)
        if request.parameter("shallow") == "true", case .object(let members) = value {
            value = .object(members.mapValues { if case .object = $0 { true } else { $0 } })
            return response(to: request, value: value, headers: headers)
        }
        return response(to: request, value: value.shownByFirebase, headers: headers)
    }

    private func stream(_ request: ServerRequest, parts: [String], in state: ServerState) -> ServerResponse {
        if redirectsStreams, request.parameter("ns") == nil {
            var components = URLComponents()
            components.path = request.path
            components.queryItems = request.query + [URLQueryItem(name: "ns", value: "lockstep")]
            // Servers decode a plus as a space.
            let query = components.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B") ?? ""
            let origin = request.headers[HTTPField.Name.hostName].map { "http://" + $0 } ?? ""
            var headers: HTTPFields = [:]
            headers[.location] = "\(origin)\(components.percentEncodedPath)?\(query)"
            return ServerResponse(307, headers: headers)
        }
        let snapshot = FirebaseEvent.data("put", path: [], value: state.tree.stored(at: parts))
        var response = ServerResponse(
            200, headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-cache"], body: snapshot)
        response.isStream = true
        return response
    }

    // MARK: Writing

    private func write(_ request: ServerRequest, parts: [String], in state: inout ServerState) -> ServerResponse {
        let current = state.tree.stored(at: parts)
        if let tag = request.headers[.ifMatch], tag != current.firebaseTag {
            var headers: HTTPFields = [:]
            headers[.eTag] = current.firebaseTag
            return ServerResponse(412, json: current.shownByFirebase, headers: headers)
        }
        var value = JSONValue.null
        if request.method == .put {
            guard let sent = try? JSONValue(json: request.body) else { return unreadable() }
            guard sent.hasFirebaseKeys else { return unusableKeys() }
            value = sent.keptByFirebase(now: state.now)
        }
        state.write(value, at: parts)
        return response(to: request, value: value.shownByFirebase, headers: tagHeaders(request, value: value))
    }

    private func patch(_ request: ServerRequest, parts: [String], in state: inout ServerState) -> ServerResponse {
        if request.headers[.ifMatch] != nil { return failure(400, reason: "if-match is not supported for PATCH.") }
        guard let sent = try? JSONValue(json: request.body), case .object(let members) = sent else {
            return unreadable()
        }
        let paths = members.keys.map { $0.split(separator: "/").map(String.init) }
        guard paths.allSatisfy({ $0.allSatisfy(JSONValue.isFirebaseKey) && !$0.isEmpty }),
            members.values.allSatisfy(\.hasFirebaseKeys)
        else { return unusableKeys() }
        state.patch(members.mapValues { $0.keptByFirebase(now: state.now) }, at: parts)
        return response(to: request, value: sent, headers: [:])
    }

    private func post(_ request: ServerRequest, parts: [String], in state: inout ServerState) -> ServerResponse {
        guard let sent = try? JSONValue(json: request.body) else { return unreadable() }
        guard sent.hasFirebaseKeys else { return unusableKeys() }
        state.lastVersion += 1
        let digits = String(state.lastVersion)
        let key = "-N" + String(repeating: "0", count: max(0, 18 - digits.count)) + digits
        let value = sent.keptByFirebase(now: state.now)
        state.write(value, at: parts + [key])
        return response(to: request, value: ["name": .string(key)], headers: tagHeaders(request, value: value))
    }

    // MARK: Responses

    private func tagHeaders(_ request: ServerRequest, value: JSONValue) -> HTTPFields {
        guard request.headers[HTTPField.Name.firebaseTag]?.lowercased() == "true" else { return [:] }
        var headers: HTTPFields = [:]
        headers[.eTag] = value.firebaseTag
        return headers
    }

    private func response(to request: ServerRequest, value: JSONValue, headers: HTTPFields) -> ServerResponse {
        if request.parameter("print") == "silent" { return ServerResponse(204, headers: headers) }
        return ServerResponse(200, json: value, headers: headers, isPretty: request.parameter("print") == "pretty")
    }

    private func unreadable() -> ServerResponse {
        failure(400, reason: "Invalid data; couldn't parse JSON object, array, or value.")
    }

    private func unusableKeys() -> ServerResponse {
        failure(400, reason: "Invalid data; couldn't parse key. Key value can't be empty or contain $ # [ ] / or .")
    }

    private func failure(_ status: Int, reason: String) -> ServerResponse {
        ServerResponse(status, json: ["error": .string(reason)])
    }
}

extension HTTPField.Name {
    static let firebaseTag = HTTPField.Name("X-Firebase-ETag") ?? .eTag
    static let hostName = HTTPField.Name("Host") ?? .origin
    static let idempotencyKey = HTTPField.Name("Idempotency-Key") ?? .eTag
}
