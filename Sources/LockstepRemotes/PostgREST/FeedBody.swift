import Foundation
import LockstepJSON
import LockstepTables

/// The body of a response with a page of a feed: `{"cursor", "more", "lost", "scopes"}`, or `{"expired": true}`.
///
/// Records are not read, only found: they are passed to the merge as they were received.
enum FeedBody {
    /// The body is not that of a page.
    struct Problem: Error {
        let reason: String
    }

    /// - Throws: ``Problem``; `JSONSyntaxError`.
    static func page(in body: Data) throws -> FeedPage {
        let members = try object(body, at: "the response")
        if try flag("expired", in: members) == true { return .expired }
        guard case .string(let cursor)? = try members["cursor"].map(JSONValue.init(json:)) else {
            throw Problem(reason: "“cursor” is not a text")
        }
        guard let hasMore = try flag("more", in: members) else { throw Problem(reason: "“more” is missing") }
        var changes: [FeedPage.Changes] = []
        let scopes: [String: Data] = try members["scopes"].map { try object($0, at: "“scopes”") } ?? [:]
        for (scope, entities) in scopes {
            for (entity, part) in try object(entities, at: "a scope") {
                changes.append(try self.changes(in: part, of: entity, scope: scope))
            }
        }
        return FeedPage(
            cursor: cursor, hasMore: hasMore, changes: changes.sorted { ($0.scope, $0.entity) < ($1.scope, $1.entity) },
            lostScopes: try texts("lost", in: members))
    }

    private static func changes(in part: Data, of entity: String, scope: String) throws -> FeedPage.Changes {
        let members = try object(part, at: "“\(entity)”")
        let versions = try list("versions", in: members).map { value in
            guard case .integer(let version) = value else { throw Problem(reason: "a version is not a whole number") }
            return version
        }
        return FeedPage.Changes(
            of: entity, in: scope, records: members["records"] ?? Data("[]".utf8), versions: versions,
            deletions: try list("deleted", in: members).map(deletion))
    }

    private static func deletion(_ value: JSONValue) throws -> FeedPage.Deletion {
        guard case .integer(let version)? = value["version"] else {
            throw Problem(reason: "a deletion has no version")
        }
        let identity: RemoteIdentity
        switch value["id"] {
        case .array(let values)? where !values.isEmpty: identity = RemoteIdentity(values)
        case nil, .null?, .array?, .object?: throw Problem(reason: "a deletion has no identity")
        case let single?: identity = RemoteIdentity([single])
        }
        switch value["movedTo"] {
        case nil, .null?: return FeedPage.Deletion(identity, version: version)
        case .string(let scope)?: return FeedPage.Deletion(identity, version: version, movedTo: scope)
        default: throw Problem(reason: "“movedTo” is not a text")
        }
    }

    // MARK: Members

    private static func object(_ text: Data, at place: String) throws -> [String: Data] {
        guard let members = try JSONLocation.members(of: text) else {
            throw Problem(reason: "\(place) is not an object")
        }
        return members
    }

    private static func flag(_ key: String, in members: [String: Data]) throws -> Bool? {
        switch try members[key].map(JSONValue.init(json:)) {
        case nil: return nil
        case .bool(let flag)?: return flag
        default: throw Problem(reason: "“\(key)” is not true or false")
        }
    }

    private static func list(_ key: String, in members: [String: Data]) throws -> [JSONValue] {
        switch try members[key].map(JSONValue.init(json:)) {
        case nil, .null?: return []
        case .array(let values)?: return values
        default: throw Problem(reason: "“\(key)” is not a list")
        }
    }

    private static func texts(_ key: String, in members: [String: Data]) throws -> [String] {
        try list(key, in: members).map { value in
            guard case .string(let text) = value else { throw Problem(reason: "“\(key)” has other values than texts") }
            return text
        }
    }
}
