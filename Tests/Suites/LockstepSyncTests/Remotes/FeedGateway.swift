import Checklist
import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting

/// PostgREST in front of a server with a feed: the functions `lockstep_changes` and `lockstep_push`, for one user.
final class FeedGateway: HTTPClient {
    let remote: any Remote
    private let log = Locked([String]())
    /// What is done to the body of a response.
    private let edit: @Sendable (JSONValue) -> JSONValue

    init(_ remote: any Remote, edit: @escaping @Sendable (JSONValue) -> JSONValue = { $0 }) {
        (self.remote, self.edit) = (remote, edit)
    }

    /// The requests since the last call, without the address, and their bodies.
    func requests() -> [String] {
        log.withLock { log in
            defer { log = [] }
            return log
        }
    }

    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        let json = try JSONValue(json: body ?? Data("null".utf8))
        let path = request.path ?? ""
        log.withLock {
            $0.append("\(request.method.rawValue) \(path) \(String(decoding: body ?? Data(), as: UTF8.self))")
        }
        let result: JSONValue
        switch path.split(separator: "/").last {
        case "lockstep_changes":
            let cursor: String? = if case .string(let text)? = json["cursor"] { text } else { nil }
            result = try Self.json(of: try await remote.feed(after: cursor))
        case "lockstep_push": result = try await push(json)
        default: return HTTPClientResponse(HTTPResponse(status: .notFound))
        }
        return HTTPClientResponse(HTTPResponse(status: .ok), body: .data(try edit(result).json()))
    }

    // MARK: lockstep_changes

    private static func json(of page: FeedPage) throws -> JSONValue {
        if page.isExpired { return ["expired": true] }
        var scopes = JSONValue.object([:])
        for changes in page.changes {
            let deleted = changes.deletions.map { deletion -> JSONValue in
                [
                    "id": deletion.identity.values[0], "version": .integer(deletion.version),
                    "movedTo": deletion.movedTo.map(JSONValue.string) ?? .null,
                ]
            }
            var scope = scopes[changes.scope] ?? .object([:])
            scope[changes.entity] = [
                "records": try JSONValue(json: changes.records),
                "versions": .array(changes.versions.map(JSONValue.integer)), "deleted": .array(deleted),
            ]
            scopes[changes.scope] = scope
        }
        return [
            "cursor": .string(page.cursor), "more": .bool(page.hasMore), "scopes": scopes,
            "lost": .array(page.lostScopes.map(JSONValue.string)),
        ]
    }

    // MARK: lockstep_push

    private func push(_ body: JSONValue) async throws -> JSONValue {
        guard case .array(let changes)? = body["changes"] else { return .null }
        var responses: [JSONValue] = []
        for change in changes {
            var response = try Self.json(of: try await remote.send(try Self.change(change)))
            response["key"] = change["key"]
            responses.append(response)
        }
        return ["responses": .array(responses)]
    }

    private static func change(_ json: JSONValue) throws -> OutgoingChange {
        let name: String = if case .string(let name)? = json["entity"] { name } else { "" }
        guard let type = ChecklistSchema.entities.first(where: { $0.entity.name == name }) else {
            throw SyncError(.unsupported, reason: "there is no such entity", remedy: "Name another one.")
        }
        let kinds: [JSONValue: OutgoingChange.Kind] = ["create": .create, "update": .update, "delete": .delete]
        let version: String? = if case .integer(let number)? = json["if"] { String(number) } else { nil }
        let members = try (json["members"] ?? .null).json()
        return OutgoingChange(
            kind: kinds[json["op"] ?? .null] ?? .create, entity: RemoteEntity(type.entity.plan),
            identity: json["id"].flatMap { $0 == .null ? nil : RemoteIdentity([$0]) }, body: members, changes: members,
            idempotencyKey: "\(json["key"] ?? .null)", version: version)
    }

    private static func json(of response: SendResponse) throws -> JSONValue {
        switch response {
        case .accepted(let body, let version, _):
            return [
                "status": body == nil ? 204 : 200,
                "version": version.flatMap { Int64($0) }.map(JSONValue.integer) ?? .null,
                "record": try body.map { try JSONValue(json: $0) } ?? .null,
            ]
        case .absent: return ["status": 404]
        case .outdated(let current, let version):
            return [
                "status": 412, "version": version.flatMap { Int64($0) }.map(JSONValue.integer) ?? .null,
                "record": try current.map { try JSONValue(json: $0) } ?? .null,
            ]
        case .refused(let status, let body):
            return ["status": .integer(Int64(status)), "problem": try JSONValue(json: body)]
        case .unavailable(let status, _): return ["status": .integer(Int64(status))]
        }
    }
}
