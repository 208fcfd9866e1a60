import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync

/// The dialect of a JSON API as Rails makes it.
struct RailsDialect: ServerDialect {
    let rules: RailsRules

    func answer(_ request: ServerRequest, _ state: inout ServerState) -> ServerAnswer {
        if let refusal = credentialsRefusal(request, state) { return refusal }
        guard acceptsJSON(request) else { return ServerAnswer(406) }
        guard let (path, key) = route(request, state) else { return failure(404, "Not Found") }
        switch (request.method, key) {
        case (.get, nil): return collection(path, request, &state)
        case (.get, let key?): return record(key, of: path, request, state)
        case (.post, nil): return create(in: path, request, &state)
        case (.patch, let key?), (.put, let key?): return update(key, of: path, request, &state)
        case (.delete, let key?): return delete(key, of: path, request, &state)
        default: return failure(404, "No route matches [\(request.method.rawValue)] \"\(request.path)\"")
        }
    }

    /// The collection, and the record's key where the path is that of one.
    private func route(_ request: ServerRequest, _ state: ServerState) -> (path: String, key: String?)? {
        let parts = request.parts
        guard let first = parts.first else { return nil }
        if parts.count == 3, request.method == .get { return (request.path, nil) }
        let path = "/" + first
        guard parts.count <= 2, rules.paths?.contains(path) ?? true else { return nil }
        return (path, parts.count == 2 ? parts[1] : nil)
    }

    private func acceptsJSON(_ request: ServerRequest) -> Bool {
        guard let accept = request.headers[.accept] else { return true }
        return accept.contains("application/json") || accept.contains("*/*")
    }

    private func credentialsRefusal(_ request: ServerRequest, _ state: ServerState) -> ServerAnswer? {
        guard let tokens = state.tokens else { return nil }
        var reason = "The access token is missing"
        if let field = request.headers[.authorization], field.hasPrefix("Bearer ") {
            let expiry = tokens[String(field.dropFirst(7))]
            if let expiry, expiry > state.now { return nil }
            reason = expiry == nil ? "The access token is invalid" : "The access token expired"
        }
        var headers: HTTPFields = [:]
        headers[.wwwAuthenticate] = "Bearer realm=\"lockstep\", error=\"invalid_token\""
        return ServerAnswer(401, json: ["error": .string(reason)], headers: headers)
    }

    // MARK: Changes

    private func create(in path: String, _ request: ServerRequest, _ state: inout ServerState) -> ServerAnswer {
        guard let token = request.headers[.idempotencyKey] else { return createNow(in: path, request, &state) }
        let asked = request.path + " " + String(decoding: request.body, as: UTF8.self)
        if let stored = state.answers[token], case .http(var answer) = stored.response {
            guard stored.request == asked else {
                return failure(422, "The idempotency key was used for another request.")
            }
            answer.headers[HTTPField.Name.idempotentReplay] = "true"
            return answer
        }
        let answer = createNow(in: path, request, &state)
        if answer.status < 300 { state.answers[token] = StoredAnswer(request: asked, response: .http(answer)) }
        return answer
    }

    private func createNow(in path: String, _ request: ServerRequest, _ state: inout ServerState) -> ServerAnswer {
        let sent: JSONValue
        switch body(of: request, path) {
        case .failure(let refusal): return refusal.answer
        case .success(let json): sent = json
        }
        let identityKey = identityKey(of: path)
        var json = sent
        let key: String
        if let given = sent[identityKey]?.plainText {
            key = given
            guard state.collections[path]?[key] == nil else {
                return ServerAnswer(422, json: ["errors": .object([identityKey: ["has already been taken"]])])
            }
        } else {
            let number = state.collections[path]?.lastIdentity ?? 0
            key = String(number + 1)
            json[identityKey] = .integer(number + 1)
        }
        if let refusal = prepare(&json, path, isNew: true, state.now) { return refusal }
        let record = state.put(
            json, at: key, in: path, sent: sent, idempotencyKey: request.headers[.idempotencyKey])
        var headers = self.headers(of: record)
        headers[.location] = path + "/" + (key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? key)
        guard rules.answersWithBody else { return ServerAnswer(201, headers: headers) }
        return ServerAnswer(201, json: wrapped(json, path), headers: headers)
    }

    private func update(
        _ key: String, of path: String, _ request: ServerRequest, _ state: inout ServerState
    ) -> ServerAnswer {
        guard let current = state.collections[path]?[key] else { return missing(key, path, state) }
        if let refusal = conditionRefusal(request, current, path) { return refusal }
        let sent: JSONValue
        switch body(of: request, path) {
        case .failure(let refusal): return refusal.answer
        case .success(let json): sent = json
        }
        guard case .object(let members) = sent else { return failure(400, "The body is no JSON object.") }
        var json = current.json
        for (member, value) in members where member != identityKey(of: path) { json[member] = value }
        if let refusal = prepare(&json, path, isNew: false, state.now) { return refusal }
        let record = state.put(
            json, at: key, in: path, sent: sent, idempotencyKey: request.headers[.idempotencyKey])
        guard rules.answersWithBody else { return ServerAnswer(204, headers: headers(of: record)) }
        return ServerAnswer(200, json: wrapped(json, path), headers: headers(of: record))
    }

    private func delete(
        _ key: String, of path: String, _ request: ServerRequest, _ state: inout ServerState
    ) -> ServerAnswer {
        guard let current = state.collections[path]?[key] else { return missing(key, path, state) }
        if let refusal = conditionRefusal(request, current, path) { return refusal }
        state.remove(key, from: path, idempotencyKey: request.headers[.idempotencyKey])
        return ServerAnswer(204)
    }

    private func conditionRefusal(_ request: ServerRequest, _ current: ServerRecord, _ path: String) -> ServerAnswer? {
        guard rules.hasVersions, let tag = request.headers[.ifMatch], tag != "*", tag != current.tag else { return nil }
        return ServerAnswer(412, json: wrapped(current.json, path), headers: headers(of: current))
    }

    /// Fills a record in and looks at it; the answer where it is refused.
    private func prepare(_ json: inout JSONValue, _ path: String, isNew: Bool, _ now: Date) -> ServerAnswer? {
        let problems = rules.validate(path, json)
        guard problems.isEmpty else {
            let errors = problems.mapValues { JSONValue.array($0.map(JSONValue.string)) }
            return ServerAnswer(422, json: ["errors": .object(errors)])
        }
        rules.fill?(&json, now, isNew)
        return nil
    }

    /// The body, out of what it is wrapped in.
    private func body(of request: ServerRequest, _ path: String) -> Result<JSONValue, Refusal> {
        guard request.headers[.contentType]?.contains("json") == true else {
            return .failure(Refusal(answer: failure(415, "The content type is not JSON.")))
        }
        guard let json = try? JSONValue(json: request.body), case .object = json else {
            return .failure(Refusal(answer: failure(400, "There was a problem in the JSON you submitted.")))
        }
        guard let key = rules.wrapKeys[path] else { return .success(json) }
        guard let inner = json[key], case .object = inner else {
            return .failure(
                Refusal(answer: failure(400, "param is missing or the value is empty: \(key)")))
        }
        return .success(inner)
    }

    private struct Refusal: Error {
        let answer: ServerAnswer
    }

    func identityKey(of path: String) -> String { rules.identityKeys[path] ?? "id" }

    func missing(_ key: String, _ path: String, _ state: ServerState) -> ServerAnswer {
        let isGone = rules.remembersDeleted && state.collections[path]?.gone.contains(key) == true
        return failure(isGone ? 410 : 404, isGone ? "Gone" : "Not Found")
    }

    func wrapped(_ json: JSONValue, _ path: String) -> JSONValue {
        guard rules.wrapsAnswers, let key = rules.wrapKeys[path] else { return json }
        return .object([key: json])
    }

    func failure(_ status: Int, _ reason: String) -> ServerAnswer {
        ServerAnswer(status, json: ["status": .integer(Int64(status)), "error": .string(reason)])
    }
}

extension HTTPField.Name {
    static let idempotentReplay = HTTPField.Name("Idempotent-Replayed") ?? .eTag
}
