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
            let key = Self.text(value)
            return !keys(of: parent).contains(key) && !changes.contains { $0.path == parent.path && $0.key == key }
        }
    }
}
