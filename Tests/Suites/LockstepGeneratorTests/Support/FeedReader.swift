import Foundation
import ServerTestSupport

/// A device that reads the feed as the contract says: a copy of the records of a user.
final class FeedReader {
    /// A record with its version and its scope.
    struct Record: Equatable {
        var version: Int
        var scope: String
        var json: [String: String]
    }

    private let session: PostgreSQLSession
    private(set) var cursor: String?
    /// By entity and identity: `Task 7`.
    private(set) var records: [String: Record] = [:]
    private(set) var lost: [String] = []
    private(set) var isExpired = false
    /// How many records were received again in a version that was known.
    private(set) var repeatedCount = 0

    init(_ session: PostgreSQLSession) { self.session = session }

    /// Reads until nothing is left.
    func pull(pageSize: Int = 1000) throws {
        while try readPage(pageSize) {}
    }

    /// - Returns: Whether there is more.
    func readPage(_ size: Int) throws -> Bool {
        let argument = cursor.map { "'\($0.replacingOccurrences(of: "'", with: "''"))'" } ?? "NULL"
        let lines = try session.rows("SELECT lockstep_changes(\(argument), \(size))")
        let page = try JSONSerialization.jsonObject(with: Data(lines.joined().utf8)) as? [String: Any] ?? [:]
        isExpired = page["expired"] as? Bool ?? false
        if isExpired { return false }
        for scope in page["lost"] as? [String] ?? [] {
            lost.append(scope)
            records = records.filter { $0.value.scope != scope }
        }
        for (scope, entities) in page["scopes"] as? [String: [String: [String: Any]]] ?? [:] {
            for (entity, changes) in entities { read(changes, of: entity, in: scope) }
        }
        cursor = page["cursor"] as? String
        return page["more"] as? Bool ?? false
    }

    private func read(_ changes: [String: Any], of entity: String, in scope: String) {
        let versions = changes["versions"] as? [Int] ?? []
        for (json, version) in zip(changes["records"] as? [[String: Any]] ?? [], versions) {
            let identity = json["id"] ?? "\(json["region"] ?? "")\(json["code"] ?? "")"
            let key = "\(entity) \(identity)"
            if let known = records[key], known.version >= version {
                repeatedCount += 1
                continue
            }
            records[key] = Record(version: version, scope: scope, json: json.mapValues(Self.text))
        }
        for deletion in changes["deleted"] as? [[String: Any]] ?? [] {
            let key = "\(entity) \(deletion["id"] ?? "")"
            guard let version = deletion["version"] as? Int, let known = records[key], known.scope == scope,
                known.version < version
            else { continue }
            if let next = deletion["movedTo"] as? String {
                records[key]?.scope = next
                records[key]?.version = version
            } else {
                records[key] = nil
            }
        }
    }

    /// A value as text, with the members of objects in order.
    private static func text(_ value: Any) -> String {
        guard JSONSerialization.isValidJSONObject(value),
            let data = try? JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
        else { return "\(value)" }
        return String(decoding: data, as: UTF8.self)
    }

    /// The identities of an entity's records, in order.
    func identities(of entity: String) -> [String] {
        records.keys.filter { $0.hasPrefix(entity + " ") }.map { String($0.dropFirst(entity.count + 1)) }.sorted()
    }
}
