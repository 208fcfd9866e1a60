import Foundation
import LockstepEvolution
import LockstepTables

extension RemoteEntity {
    /// The keys that lead to each value of a record's identity in its JSON, in the identity's order. Empty if the
    /// records have no identity.
    var identityPaths: [[String]] { plan.hasIdentity ? plan.serverKeyColumns.compactMap(path) : [] }

    private func path(ofColumn column: Int) -> [String]? {
        if let wire = plan.columns[column].wire { return wire.path }
        for (relationship, foreignKey) in zip(plan.relationships, plan.foreignKeys) {
            guard let part = foreignKey.firstIndex(of: column), case .id(let paths, _) = relationship.wire,
                paths.indices.contains(part)
            else { continue }
            return paths[part]
        }
        return nil
    }

    /// The objects in a record's JSON that are not values themselves, but contain some: `["image"]` if an attribute or
    /// a relationship is at `image.url`. Other members of such an object belong to the server.
    var innerPaths: Set<[String]> {
        var inner: Set<[String]> = []
        let links = plan.relationships.map { $0.wire.ownPath ?? $0.wire.path }
        for path in plan.columns.compactMap(\.wire?.path) + identityPaths + links where path.count > 1 {
            for count in 1..<path.count { inner.insert(Array(path.prefix(count))) }
        }
        return inner
    }
}

extension JSONValue {
    /// The value at a path; `nil` if there is none.
    subscript(path path: [String]) -> JSONValue? {
        path.reduce(self) { value, key in
            guard case .object(let members)? = value else { return nil }
            return members[key]
        }
    }

    /// The same with another value at a path. Values on the path that are not objects become objects.
    package func setting(_ value: JSONValue, at path: some Collection<String>) -> JSONValue {
        guard let key = path.first else { return value }
        var members: JSONObject = if case .object(let members) = self { members } else { [:] }
        members[key] = (members[key] ?? .null).setting(value, at: path.dropFirst())
        return .object(members)
    }

    /// The record with some of its members changed, as by a server that receives a `PATCH`. A member that is an object
    /// is replaced, unless it is one of the inner ones.
    func patched(with changes: JSONValue, inner: Set<[String]>, at location: [String] = []) -> JSONValue {
        guard location.isEmpty || inner.contains(location), case .object(var members) = self,
            case .object(let changed) = changes
        else { return changes }
        for (key, value) in changed {
            members[key] = members[key]?.patched(with: value, inner: inner, at: location + [key]) ?? value
        }
        return .object(members)
    }

    /// The record, with its identity added if it is missing, as for a record that was stored under a key.
    func completed(with identity: RemoteIdentity, of entity: RemoteEntity) -> JSONValue {
        zip(entity.identityPaths, identity.values).reduce(self) { record, part in
            let (path, value) = part
            switch record[path: path] {
            case nil, .null?: return record.setting(value, at: path)
            default: return record
            }
        }
    }
}

extension String {
    /// The same for `createdAt`, `created_at` and `created-at`.
    var withoutStyle: String { lowercased().filter { $0 != "_" && $0 != "-" } }
}
