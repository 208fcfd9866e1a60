import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync

/// The dialect of a Rails-style JSON API.
struct RailsDialect: ServerDialect {
    let rules: RailsRules

    func response(to request: ServerRequest, in state: inout ServerState) -> ServerResponse {
        var response = undatedResponse(to: request, in: &state)
        response.headers[.date] = HTTPDate.text(of: state.now)
        response.headers[.eTag] = response.headers[.eTag].map { rules.tags.tag($0, in: request) }
        return response
    }

    private func undatedResponse(to request: ServerRequest, in state: inout ServerState) -> ServerResponse {
        if request.path == rules.signInPath { return .page }
        if let refusal = credentialsRefusal(request, in: state) { return refusal }
        if let batches = rules.batches, request.path == batches.path, request.method == .post {
            return batches.response(to: request) { undatedResponse(to: $0, in: &state) }
        }
        guard acceptsJSON(request) else { return ServerResponse(406) }
        guard let (path, key) = route(request, in: state) else { return failure(404, reason: "Not Found") }
        guard let envelope = rules.envelope else { return response(to: request, at: path, key: key, in: &state) }
        let isCollection = key == nil && request.method == .get
        return envelope.response(
            to: request, body: { response(to: $0, at: path, key: key, in: &state) }, isCollection: isCollection)
    }

    private func response(
        to request: ServerRequest, at path: String, key: String?, in state: inout ServerState
    ) -> ServerResponse {
        switch (request.method, key) {
        case (.get, nil): return collection(path, for: request, in: &state)
        case (.get, let key?): return record(key, of: path, for: request, in: state)
        case (.post, nil): return create(in: path, for: request, state: &state)
        case (.patch, let key?), (.put, let key?): return update(key, of: path, for: request, in: &state)
        case (.delete, let key?): return delete(key, of: path, for: request, in: &state)
        default: return failure(404, reason: "No route matches [\(request.method.rawValue)] \"\(request.path)\"")
        }
    }

    /// The collection, and the key of the record if the path is that of a record.
    private func route(_ request: ServerRequest, in state: ServerState) -> (path: String, key: String?)? {
        let parts = request.parts
        guard let first = parts.first else { return nil }
        if parts.count == 3, request.method == .get { return (request.path, nil) }
        let path = "/" + first
        guard parts.count <= 2, rules.paths?.contains(path) ?? true else { return nil }
        return (path, parts.count == 2 ? rules.stored(parts[1]) : nil)
    }

    private func acceptsJSON(_ request: ServerRequest) -> Bool {
        guard let accept = request.headers[.accept] else { return true }
        return accept.contains("application/json") || accept.contains("*/*")
    }

    private func credentialsRefusal(_ request: ServerRequest, in state: ServerState) -> ServerResponse? {
        guard let tokens = state.tokens else { return nil }
        var reason = "The access token is missing"
        if let field = request.headers[.authorization], field.hasPrefix("Bearer ") {
            let expiry = tokens[String(field.dropFirst(7))]
            if let expiry, expiry > state.now { return nil }
            reason = expiry == nil ? "The access token is invalid" : "The access token expired"
        }
        var headers: HTTPFields = [:]
        if let page = rules.signInPath {
            headers[.location] = page
            return ServerResponse(303, headers: headers)
        }
        headers[.wwwAuthenticate] = "Bearer realm=\"lockstep\", error=\"invalid_token\""
        return ServerResponse(401, json: ["error": .string(reason)], headers: headers)
    }

    // MARK: Changes

    private func create(in path: String, for request: ServerRequest, state: inout ServerState) -> ServerResponse {
        guard rules.honoursIdempotencyKeys, let token = request.idempotencyKey else {
            return createNow(in: path, for: request, state: &state)
        }
        let asked = request.path + " " + String(decoding: request.body, as: UTF8.self)
        if let stored = state.responses[token], case .http(var response) = stored.response {
            guard stored.request == asked else {
                return failure(422, reason: "The idempotency key was used for another request.")
            }
            response.headers[HTTPField.Name.idempotentReplay] = "true"
            return response
        }
        let response = createNow(in: path, for: request, state: &state)
        if response.status < 300 { state.responses[token] = StoredResponse(request: asked, response: .http(response)) }
        return response
    }

    /// - Parameter key: The last part of the address of the `PUT`.
    private func createNow(
        in path: String, at key: String? = nil, for request: ServerRequest, state: inout ServerState
    ) -> ServerResponse {
        let sent: JSONValue
        switch body(of: request, at: path) {
        case .failure(let refusal): return refusal.response
        case .success(let json): sent = permitted(json, at: path, after: nil)
        }
        let identityKey = identityKey(of: path)
        var json = rules.row(sent, in: path)
        let identity: String
        if let given = (key ?? sent[identityKey]?.plainText).map(rules.stored) {
            identity = given
            if case .string? = json[identityKey] { json[identityKey] = .string(given) }
            if json[identityKey] == nil { json[identityKey] = Int64(given).map(JSONValue.integer) ?? .string(given) }
            guard state.collections[path]?[given] == nil else {
                let errors: JSONValue = .object([identityKey: ["has already been taken"]])
                return ServerResponse(rules.takenStatus, json: ["errors": errors])
            }
        } else {
            let number = state.collections[path]?.lastIdentity ?? 0
            identity = String(number + 1)
            json[identityKey] = .integer(number + 1)
        }
        if rules.nested[path]?.contains(where: { $0.refuses(sent, for: [:]) }) == true {
            return failure(404, reason: "Couldn't find a nested record.")
        }
        nest(sent, into: &json, at: path, after: nil, in: &state)
        if let refusal = prepare(&json, at: path, isNew: true, in: state) { return refusal }
        rules.countVersion(&json, of: path, after: nil)
        let record = state.put(
            json, at: identity, in: path, sent: sent, idempotencyKey: request.idempotencyKey)
        var headers = self.headers(of: record)
        let segment = identity.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        headers[.location] = path + "/" + (segment ?? identity)
        guard rules.respondsWithBody else { return ServerResponse(201, headers: headers) }
        return ServerResponse(201, json: wrapped(json, at: path), headers: headers)
    }

    private func update(
        _ key: String, of path: String, for request: ServerRequest, in state: inout ServerState
    ) -> ServerResponse {
        guard let current = state.collections[path]?[key] else {
            guard rules.createsByPut, request.method == .put, request.headers[.ifMatch] == nil else {
                return missing(key, at: path, in: state)
            }
            return createNow(in: path, at: key, for: request, state: &state)
        }
        if let refusal = conditionRefusal(request, current: current, at: path) { return refusal }
        let sent: JSONValue
        switch body(of: request, at: path) {
        case .failure(let refusal): return refusal.response
        case .success(let json): sent = permitted(json, at: path, after: current.json)
        }
        guard case .object(let members) = sent else { return failure(400, reason: "The body is not a JSON object.") }
        if rules.isStale(sent[rules.versionKeys[path] ?? ""], of: path, current: current.json) { return stale }
        if rules.nested[path]?.contains(where: { $0.refuses(sent, for: current.json) }) == true {
            return failure(404, reason: "Couldn't find a nested record.")
        }
        var json = current.json
        if request.method == .put, rules.putReplaces, let identity = json[identityKey(of: path)] {
            json = .object([identityKey(of: path): identity])
        }
        for (member, value) in members where member != identityKey(of: path) { json[member] = value }
        nest(sent, into: &json, at: path, after: current.json, in: &state)
        if let refusal = prepare(&json, at: path, isNew: false, in: state) { return refusal }
        rules.countVersion(&json, of: path, after: current.json)
        let record = state.put(
            json, at: key, in: path, sent: sent, idempotencyKey: request.idempotencyKey)
        guard rules.respondsWithBody else { return ServerResponse(204, headers: headers(of: record)) }
        let shown = rules.respondsFromReplica ? current : record
        return ServerResponse(200, json: wrapped(shown.json, at: path), headers: headers(of: shown))
    }

    /// Nested records are changed only through their key for requests.
    private func nest(
        _ sent: JSONValue, into json: inout JSONValue, at path: String, after current: JSONValue?,
        in state: inout ServerState
    ) {
        // Lists that a response includes from another collection are not members of the record, even if they are sent
        // back.
        for member in (rules.nestedLists[path] ?? [:]).keys { json[member] = nil }
        let nestings = rules.nested[path] ?? []
        for nesting in nestings { json[nesting.name] = current?[nesting.name] ?? (nesting.isOne ? .null : []) }
        state.nest(sent, into: &json, nestings: nestings, in: path)
    }

    private func delete(
        _ key: String, of path: String, for request: ServerRequest, in state: inout ServerState
    ) -> ServerResponse {
        guard let current = state.collections[path]?[key] else { return missing(key, at: path, in: state) }
        if let refusal = conditionRefusal(request, current: current, at: path) { return refusal }
        let sent = request.parameter(rules.versionKeys[path] ?? "").flatMap { rules.version(named: $0, of: path) }
        if rules.isStale(sent, of: path, current: current.json) { return stale }
        state.remove(key, from: path, idempotencyKey: request.idempotencyKey)
        return ServerResponse(204)
    }

    private var stale: ServerResponse { failure(rules.staleStatus, reason: "Attempted to write a stale object.") }

    private func conditionRefusal(_ request: ServerRequest, current: ServerRecord, at path: String) -> ServerResponse? {
        guard rules.hasVersions else { return nil }
        let isOther = request.headers[.ifMatch].map { $0 != "*" && $0 != current.tag } ?? false
        guard isOther || request.headers[.ifNoneMatch] == "*" else { return nil }
        return ServerResponse(412, json: wrapped(current.json, at: path), headers: headers(of: current))
    }

    /// Fills in a record and validates it. Fails with the response if the record is rejected.
    private func prepare(
        _ json: inout JSONValue, at path: String, isNew: Bool, in state: ServerState
    ) -> ServerResponse? {
        let problems = rules.validate(path, json).merging(rules.brokenReferences(of: json, in: path, state: state)) {
            $0 + $1
        }
        guard problems.isEmpty else {
            let errors = problems.mapValues { JSONValue.array($0.map(JSONValue.string)) }
            return ServerResponse(422, json: ["errors": .object(JSONObject(errors))])
        }
        rules.fill?(&json, state.now, isNew)
        return nil
    }

    /// The body without its wrapper.
    private func body(of request: ServerRequest, at path: String) -> Result<JSONValue, Refusal> {
        guard request.headers[.contentType]?.contains("json") == true else {
            return .failure(Refusal(response: failure(415, reason: "The content type is not JSON.")))
        }
        guard let json = try? JSONValue(json: request.body), case .object = json else {
            return .failure(Refusal(response: failure(400, reason: "There was a problem in the JSON you submitted.")))
        }
        guard let key = rules.wrapKeys[path] else { return .success(json) }
        guard let inner = json[key], case .object = inner else {
            return .failure(
                Refusal(response: failure(400, reason: "param is missing or the value is empty: \(key)")))
        }
        return .success(inner)
    }

    /// Returns the body of a request without ignored members. `PUT` keeps the values of those.
    private func permitted(_ json: JSONValue, at path: String, after current: JSONValue?) -> JSONValue {
        guard case .object(var members) = json else { return json }
        for (member, value) in members where rules.ignores(path, member, value, current == nil) {
            members[member] = current?[member]
        }
        return .object(members)
    }

    private struct Refusal: Error {
        let response: ServerResponse
    }

    func identityKey(of path: String) -> String { rules.identityKeys[path] ?? "id" }

    func missing(_ key: String, at path: String, in state: ServerState) -> ServerResponse {
        let isGone = rules.remembersDeleted && state.collections[path]?.tombstones[ExactText(key)] != nil
        return failure(isGone ? 410 : 404, reason: isGone ? "Gone" : "Not Found")
    }

    func wrapped(_ json: JSONValue, at path: String) -> JSONValue {
        guard rules.wrapsResponses, let key = rules.wrapKeys[path] else { return json }
        return .object([key: json])
    }

    func failure(_ status: Int, reason: String) -> ServerResponse {
        ServerResponse(status, json: ["status": .integer(Int64(status)), "error": .string(reason)])
    }
}

extension HTTPField.Name {
    static let idempotentReplay = HTTPField.Name("Idempotent-Replayed") ?? .eTag
}

extension RailsRules.Tags {
    /// The `ETag` of a response.
    fileprivate func tag(_ tag: String, in request: ServerRequest) -> String {
        switch self {
        case .strong: tag
        case .weak: tag.hasPrefix("W/") ? tag : "W/" + tag
        case .changedByCompression:
            request.headers[.acceptEncoding] == "identity" ? tag : tag.dropLast() + "-gzip\""
        }
    }
}
