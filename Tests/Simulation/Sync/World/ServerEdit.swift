import LockstepStore
import LockstepSystem

/// Something that others do on the server, decided before it is done.
enum ServerEdit: Sendable {
    case put(DomainEntity, key: String, JSONValue)
    case remove(DomainEntity, key: String)

    var text: String {
        switch self {
        case .put(let entity, let key, let json): "make \(entity.name) \(key): \(json.plain)"
        case .remove(let entity, let key): "delete \(entity.name) \(key)"
        }
    }
}

extension SimulatedServer {
    func apply(_ edit: ServerEdit) {
        switch edit {
        case .put(let entity, let key, let json): put(json, key, in: entity)
        case .remove(let entity, let key):
            remove(key, from: entity)
            tidyLists()
        }
    }

    /// Does what others do between two pages that a device reads.
    ///
    /// - Returns: What they did.
    func turnPage() -> [ServerEdit] {
        let edits = betweenPages.withLock { edits in
            defer { edits = [] }
            return edits
        }
        edits.forEach(apply)
        return edits
    }
}
