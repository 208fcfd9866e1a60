import Foundation
import LockstepStore
import LockstepSync

/// The events of a stream, in the server's format.
enum FirebaseEvent {
    static func data(_ event: String, path: some Sequence<String>, value: JSONValue) -> Data {
        text(event, value: ["path": .string("/" + path.joined(separator: "/")), "data": value.shownByFirebase])
    }

    static func text(_ event: String, value: JSONValue) -> Data {
        let json = (try? value.json()).map { String(decoding: $0, as: UTF8.self) } ?? "null"
        return Data("event: \(event)\ndata: \(json)\n\n".utf8)
    }
}

extension FirebaseDialect {
    func events(for request: ServerRequest, since start: Int, in state: ServerState) -> [Data] {
        guard let parts = path(of: request) else { return [] }
        return state.treeChanges[start...].compactMap { event($0, for: parts, in: state) }
    }

    /// The event of a change for the stream of a path; `nil` if the change is elsewhere.
    private func event(_ change: TreeChange, for parts: [String], in state: ServerState) -> Data? {
        if change.parts.starts(with: parts) {
            let path = change.parts.dropFirst(parts.count)
            return FirebaseEvent.data(change.isPatch ? "patch" : "put", path: path, value: change.value)
        }
        guard parts.starts(with: change.parts) else { return nil }
        let rest = Array(parts.dropFirst(change.parts.count))
        let isConcerned =
            switch change.value {
            case .object(let members) where change.isPatch:
                members.keys.contains { key in
                    let path = key.split(separator: "/").map(String.init)
                    return rest.starts(with: path) || path.starts(with: rest)
                }
            default: true
            }
        return isConcerned ? FirebaseEvent.data("put", path: [], value: state.tree.stored(at: parts)) : nil
    }
}

extension ServerState {
    /// Writes a stored value to a path of the tree.
    mutating func write(_ value: JSONValue, at parts: [String]) {
        put(value, at: parts)
        treeChanges.append(TreeChange(parts: parts, value: value, isPatch: false))
    }

    /// Writes some members at a path. Their keys may be paths.
    mutating func patch(_ members: JSONObject, at parts: [String]) {
        let wasThere = tree.stored(at: parts) != .null
        for (key, value) in members {
            tree.put(value, at: (parts + key.split(separator: "/").map(String.init))[...])
        }
        note(wasThere ? .updated : .created, value: .object(members), at: parts)
        treeChanges.append(TreeChange(parts: parts, value: .object(members), isPatch: true))
    }

    private mutating func put(_ value: JSONValue, at parts: [String]) {
        let wasThere = tree.stored(at: parts) != .null
        tree.put(value, at: parts[...])
        guard wasThere || value != .null else { return }
        note(value == .null ? .deleted : wasThere ? .updated : .created, value: value, at: parts)
    }

    private mutating func note(_ kind: ServerChange.Kind, value: JSONValue, at parts: [String]) {
        changes.append(
            ServerChange(
                kind: kind, path: "/" + parts.dropLast().joined(separator: "/"), key: parts.last, json: value, at: now,
                idempotencyKey: nil))
    }
}
