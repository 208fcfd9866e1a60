import GRDB
import LockstepStore
import LockstepSync
import LockstepTesting

extension SimulatedServer {
    /// Whether it accepts a member of a request and does not store it.
    @Sendable static func isIgnored(_ member: String, _ value: JSONValue, _ isNew: Bool) -> Bool {
        if case .string(let text) = value { !isNew && text.hasSuffix(ignoredMark) } else { false }
    }

    /// Whether a value of a device is one that it would not store.
    static func ignores(_ value: DatabaseValue) -> Bool {
        String.fromDatabaseValue(value)?.hasSuffix(ignoredMark) ?? false
    }

    /// Whether a record refers to one that has never been there, or lacks a link that it requires.
    func breaksLinks(_ change: OutgoingChange, _ sent: JSONValue) -> Bool {
        guard domain.hasForeignKeys, let entity = domain.entity(at: change.entity.path) else { return false }
        return entity.links.contains { link in
            guard let value = sent[link.key] ?? (change.kind == .create ? .null : nil) else { return false }
            if value == .null { return link.isRequired }
            guard let parent = domain.entity(link.destination) else { return false }
            return !hasHad(Self.text(value), of: parent)
        }
    }

    /// Whether it has a record of this key, or has had one: what others have deleted meanwhile is not the device's
    /// fault. A device forgets the spelling of a record that was deleted with it (Rules.md, M5).
    private func hasHad(_ key: String, of entity: DomainEntity) -> Bool {
        if records(of: entity).contains(where: { $0.key == key }) { return true }
        let stored = Self.storedKey(key)
        return changes.contains { change in
            guard change.path == entity.path, let other = change.key else { return false }
            return other == key
                || Self.storedKey(other) == stored && (change.kind == .deleted || isOfDeleted(change, entity))
        }
    }

    /// Whether a record belonged to one that was deleted: a device deletes it, too, even if the server keeps it.
    private func isOfDeleted(_ change: ServerChange, _ entity: DomainEntity) -> Bool {
        entity.links.contains { link in
            guard let value = change.json[link.key], let owner = domain.entity(link.destination) else { return false }
            return hasDeleted(Self.storedKey(Self.text(value)), of: owner)
        }
    }
}
