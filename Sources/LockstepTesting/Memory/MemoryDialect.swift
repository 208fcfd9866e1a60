import Foundation
import LockstepStore
import LockstepSync

/// How the in-memory server handles a request: pure functions of its state.
struct MemoryDialect: Sendable {
    let traits: RemoteTraits
    let pageSize: Int?
    let respondsWithBody: Bool
    let columns: [String: Set<String>]
    let ignores: @Sendable (_ member: String, _ value: JSONValue, _ isNew: Bool) -> Bool
    let fill: MemoryRemote.Fill?

    /// Applies a change, once for each idempotency key.
    func response(to change: OutgoingChange, in state: inout ServerState) -> SendResponse {
        let request = fingerprint(of: change)
        if let stored = state.responses[change.idempotencyKey],
            case .record(let key, let version, let json) = stored.response
        {
            guard stored.request == request else {
                return refusal(422, reason: "The idempotency key was used for another request.")
            }
            return accepted(key: key, version: version, json: json, change: change)
        }
        let response: SendResponse
        switch change.kind {
        case .create: response = create(change, in: &state)
        case .update: response = update(change, in: &state)
        case .delete: response = delete(change, in: &state)
        }
        return response
    }

    private func create(_ change: OutgoingChange, in state: inout ServerState) -> SendResponse {
        guard case .object(let members)? = try? JSONValue(json: change.body) else {
            return refusal(400, reason: "The body is not a JSON object.")
        }
        var row = members.filter { !ignores($0.key, $0.value, true) }
        for column in columns[change.entity.path] ?? [] where row[column] == nil { row[column] = .null }
        var json = JSONValue.object(row)
        let path = change.entity.path
        if let key = change.key, let current = state.collections[path]?[key] {
            return traits.hasVersions ? outdated(current) : refusal(409, reason: "The record exists already.")
        }
        let key: String
        if let own = change.key {
            key = own
        } else {
            let identity = change.entity.makeIdentity(number: state.makeIdentity(in: path))
            change.entity.setIdentity(identity, in: &json)
            key = RemoteIdentity([identity]).text
        }
        return put(json, at: key, change: change, isNew: true, in: &state)
    }

    private func update(_ change: OutgoingChange, in state: inout ServerState) -> SendResponse {
        guard let key = change.key, let current = state.collections[change.entity.path]?[key] else {
            return .absent
        }
        if isOutdated(change, current: current) { return outdated(current) }
        guard let changes = try? JSONValue(json: change.changes), case .object(let members) = changes else {
            return refusal(400, reason: "The changes are not a JSON object.")
        }
        var json = current.json
        for (member, value) in members where !ignores(member, value, false) { json[member] = value }
        return put(json, at: key, change: change, isNew: false, in: &state)
    }

    private func delete(_ change: OutgoingChange, in state: inout ServerState) -> SendResponse {
        guard let key = change.key, let current = state.collections[change.entity.path]?[key] else {
            return .absent
        }
        if isOutdated(change, current: current) { return outdated(current) }
        state.remove(key, from: change.entity.path, idempotencyKey: change.idempotencyKey)
        state.responses[change.idempotencyKey] = StoredResponse(
            request: fingerprint(of: change), response: .record(key: key, version: state.lastVersion, json: .null))
        return .accepted(body: nil)
    }

    private func put(
        _ json: JSONValue, at key: String, change: OutgoingChange, isNew: Bool, in state: inout ServerState
    ) -> SendResponse {
        var json = json
        fill?(&json, state.now, isNew)
        json = stored(json)
        var sent = try? JSONValue(json: isNew ? change.body : change.changes)
        if case .object(let members)? = sent {
            sent = .object(members.filter { !ignores($0.key, $0.value, isNew) })
        }
        let record = state.put(
            json, at: key, in: change.entity.path, sent: sent, idempotencyKey: change.idempotencyKey)
        state.responses[change.idempotencyKey] = StoredResponse(
            request: fingerprint(of: change), response: .record(key: key, version: record.version, json: json))
        return accepted(key: key, version: record.version, json: json, change: change)
    }

    private func accepted(key: String, version: Int, json: JSONValue, change: OutgoingChange) -> SendResponse {
        if change.kind == .delete { return .accepted(body: nil) }
        let identity = change.identity == nil ? change.entity.identity(in: json) : nil
        let body = respondsWithBody ? try? json.json() : nil
        return .accepted(body: body, version: traits.hasVersions ? String(version) : nil, identity: identity)
    }

    /// The value without empty members if the server does not store them, otherwise the value itself.
    func stored(_ json: JSONValue) -> JSONValue {
        traits.missingKeys == .empty ? json.withoutEmptyValues ?? .object([:]) : json
    }

    private func isOutdated(_ change: OutgoingChange, current: ServerRecord) -> Bool {
        traits.hasVersions && change.version.map { $0 != String(current.version) } ?? false
    }

    private func outdated(_ current: ServerRecord) -> SendResponse {
        .outdated(current: try? current.json.json(), version: String(current.version))
    }

    private func refusal(_ status: Int, reason: String) -> SendResponse {
        .refused(status: status, body: (try? JSONValue.object(["error": .string(reason)]).json()) ?? Data())
    }

    /// Returns the fingerprint that the key identifies. The version is not part of it, since a client may have received
    /// a newer one in the meantime.
    private func fingerprint(of change: OutgoingChange) -> String {
        let body = String(decoding: change.kind == .update ? change.changes : change.body, as: UTF8.self)
        return "\(change.kind) \(change.entity.path) \(change.identity?.text ?? "") \(body)"
    }
}

extension OutgoingChange {
    /// The key of its record.
    fileprivate var key: String? { identity.map(entity.text) }
}
