import Foundation
import LockstepTables

/// The records of a server as one JSON value, and the effects of requests on them: `{"tasks": [{"id": 1}], "lists":
/// []}`, or a bare list if there is only one entity.
///
/// Other contents are kept.
package struct RecordDocument: Sendable, Hashable {
    package private(set) var root: JSONValue

    /// The document is invalid: it is neither an object nor a list, or a collection in it is not a list.
    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    package init(_ root: JSONValue = .object([:])) throws {
        switch root {
        case .object, .array: self.root = root
        default: throw Malformed(description: "the file contains neither an object nor a list")
        }
    }

    /// The name of an entity's collection: `tasks` for the path `/tasks`.
    package static func name(of entity: RemoteEntity) -> String { name(ofPath: entity.path) }

    package static func name(ofPath path: String) -> String {
        path.split(separator: "/").joined(separator: "/")
    }

    /// The records of a collection; empty if there is no such collection yet.
    package func records(in collection: String) throws -> [JSONValue] {
        switch root {
        case .array(let records): return records
        case .object(let members):
            switch members[collection] {
            case nil, .null?: return []
            case .array(let records)?: return records
            default: throw Malformed(description: "“\(collection)” is not a list of records")
            }
        default: return []
        }
    }

    private mutating func set(_ records: [JSONValue], in collection: String) {
        guard case .object(var members) = root else {
            root = .array(records)
            return
        }
        members[collection] = .array(records)
        root = .object(members)
    }

    package func record(_ identity: RemoteIdentity, of entity: RemoteEntity) throws -> JSONValue? {
        let records = try records(in: Self.name(of: entity))
        return index(of: identity, entity: entity, in: records).map { records[$0] }
    }

    // MARK: Changes

    /// Adds a record, or replaces the one with that identity.
    ///
    /// - Returns: The new state of the record.
    package mutating func put(
        _ record: JSONValue, identity: RemoteIdentity, of entity: RemoteEntity
    ) throws -> JSONValue {
        let collection = Self.name(of: entity)
        var records = try records(in: collection)
        let record = record.completed(with: identity, of: entity)
        if let index = index(of: identity, entity: entity, in: records) {
            records[index] = record
        } else {
            records.append(record)
        }
        set(records, in: collection)
        return record
    }

    /// Changes members of a record.
    ///
    /// - Returns: The new state of the record; `nil` if there is none.
    package mutating func patch(
        _ changes: JSONValue, identity: RemoteIdentity, of entity: RemoteEntity
    ) throws -> JSONValue? {
        guard let record = try record(identity, of: entity) else { return nil }
        return try put(record.patched(with: changes, of: entity.plan), identity: identity, of: entity)
    }

    /// Deletes a record.
    ///
    /// - Returns: Whether there was one.
    package mutating func delete(_ identity: RemoteIdentity, of entity: RemoteEntity) throws -> Bool {
        let collection = Self.name(of: entity)
        var records = try records(in: collection)
        guard let index = index(of: identity, entity: entity, in: records) else { return false }
        records.remove(at: index)
        set(records, in: collection)
        return true
    }

    // MARK: Identities

    /// The greatest integer among the identities of a collection; 0 if there is none.
    package func greatestIdentity(of entity: RemoteEntity) throws -> Int64 {
        guard entity.identityPaths.count == 1, let path = entity.identityPaths.first else { return 0 }
        let numbers = try records(in: Self.name(of: entity)).map { record -> Int64 in
            switch record[path: path] {
            case .integer(let number)?: number
            case .string(let text)?: Int64(text) ?? 0
            default: 0
            }
        }
        return max(0, numbers.max() ?? 0)
    }

    private func index(of identity: RemoteIdentity, entity: RemoteEntity, in records: [JSONValue]) -> Int? {
        let paths = entity.identityPaths
        let texts = identity.foldedTexts
        guard !paths.isEmpty, paths.count == texts.count else { return nil }
        return records.firstIndex { record in
            let values = paths.map { record[path: $0] ?? .null }
            return RemoteIdentity(values).foldedTexts == texts
        }
    }
}
