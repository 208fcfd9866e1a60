import Foundation
import LockstepStore

extension RemoteEntity {
    /// The keys that lead to each value of a record's identity in its JSON, in the identity's order. None where the
    /// records have no identity of their own.
    var identityPaths: [[String]] {
        let columns: [Int]
        switch plan.identity {
        case .none: columns = []
        case .columns(let key): columns = key
        case .local(_, let remote): columns = [remote]
        }
        return columns.compactMap(path)
    }

    private func path(ofColumn column: Int) -> [String]? {
        if let wire = plan.columns[column].wire { return wire.path }
        for (relationship, foreignKey) in zip(plan.relationships, plan.foreignKeys) {
            guard let part = foreignKey.firstIndex(of: column), case .id(let paths, _) = relationship.wire,
                paths.indices.contains(part)
            else { continue }
            return paths[part].keys
        }
        return nil
    }

    /// The objects within a record's JSON that are no values of their own, but lead to some: `["image"]` where an
    /// attribute, or what a relationship has, is at `image.url`. What else is in such an object belongs to the server.
    var innerPaths: Set<[String]> {
        var inner: Set<[String]> = []
        let links = plan.relationships.map(\.wire.path)
        for path in plan.columns.compactMap(\.wire?.path) + identityPaths + links where path.count > 1 {
            for count in 1..<path.count { inner.insert(Array(path.prefix(count))) }
        }
        return inner
    }
}

extension JSONValue {
    /// The value that keys lead to; `nil` where there is none.
    subscript(path path: [String]) -> JSONValue? {
        path.reduce(self) { value, key in
            guard case .object(let members)? = value else { return nil }
            return members[key]
        }
    }

    /// The same with another value where keys lead to. What is no object on the way becomes one.
    func setting(_ value: JSONValue, at path: some Collection<String>) -> JSONValue {
        guard let key = path.first else { return value }
        var members: [String: JSONValue] = if case .object(let members) = self { members } else { [:] }
        members[key] = (members[key] ?? .null).setting(value, at: path.dropFirst())
        return .object(members)
    }

    /// The record with some of its members changed, as a server does it that takes a `PATCH`. A member that is an
    /// object is replaced, unless it is one of the inner ones.
    func patched(with changes: JSONValue, inner: Set<[String]>, at place: [String] = []) -> JSONValue {
        guard place.isEmpty || inner.contains(place), case .object(var members) = self,
            case .object(let changed) = changes
        else { return changes }
        for (key, value) in changed {
            members[key] = members[key]?.patched(with: value, inner: inner, at: place + [key]) ?? value
        }
        return .object(members)
    }

    /// The record, telling its own identity where it does not yet: as a record that stood under a key.
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
