import LockstepStore
import LockstepSync
import LockstepTesting

/// A server whose rules are in this process.
final class InProcessFeedServer: FeedServer {
    private let server: FakeFeed
    private var backup: FeedState?

    init(_ habits: FeedHabits, fault: FakeFeed.Fault?) {
        server = FakeFeed(
            .lists(
                pageSize: habits.pageSize, respondsWithRecord: habits.respondsWithRecord, fault: fault))
    }

    func remote(for user: String) -> any Remote { server.remote(for: user) }

    func identities(of entity: String) -> [Int] {
        server.snapshot.records.keys.filter { $0.entity == entity }.compactMap { key in
            if case .integer(let number) = key.values[0] { Int(number) } else { nil }
        }
    }

    func records(for user: String) -> [String] {
        func text(_ value: JSONValue?) -> String {
            guard let value, value != .null else { return "NULL" }
            if case .string(let text) = value { return "\"\(text)\"" }
            return RemoteIdentity([value]).text
        }
        func sorted(_ records: [JSONValue]) -> [JSONValue] {
            records.sorted { (Int(text($0["id"])) ?? 0) < (Int(text($1["id"])) ?? 0) }
        }
        return sorted(server.records(of: "List", for: user)).map { "List \(text($0["id"])) \(text($0["name"]))" }
            + sorted(server.records(of: "Task", for: user)).map {
                "Task \(text($0["id"])) \(text($0["title"])) in \(text($0["checklistID"])) of \(text($0["parentTaskID"]))"
            }
    }

    // MARK: What others do

    func write(_ write: FeedWrite) {
        switch write {
        case .addList(let id, let name):
            server.set(["id": id.json, "name": .string(name)], id: id.json, of: "List")
        case .addTask(let id, let title, let list):
            server.set(Self.task(id, title: title, list: list), id: id.json, of: "Task")
        case .setTitle(let title, let task): server.edit(task.json, of: "Task", members: ["title": .string(title)])
        case .move(let task, let list): server.edit(task.json, of: "Task", members: ["checklistID": list.json])
        case .deleteTask(let task): server.remove(task.json, of: "Task")
        case .deleteList(let list): server.remove(list.json, of: "List")
        }
    }

    func begin(_ write: FeedWrite) {
        switch write {
        case .addTask(let id, let title, let list):
            server.hold(Self.task(id, title: title, list: list), id: id.json, of: "Task")
        case .setTitle(let title, let task):
            guard var json = server.snapshot.records[FeedState.Key("Task", values: [task.json])]?.json else { return }
            json["title"] = .string(title)
            server.hold(json, id: task.json, of: "Task")
        case .addList, .move, .deleteTask, .deleteList: self.write(write)
        }
    }

    func commitOldest() -> Bool {
        guard server.snapshot.heldCount > 0 else { return false }
        server.commitHeld()
        return true
    }

    func grant(_ list: Int, to user: String) { server.grant(FakeFeed.Rules.scope(list.json), to: user) }
    func revoke(_ list: Int, from user: String) { server.revoke(FakeFeed.Rules.scope(list.json), from: user) }
    func expireDeletions() { server.expireTombstones() }
    func save() { backup = server.snapshot }
    func restore() { if let backup { server.restore(backup) } }

    private static func task(_ id: Int, title: String, list: Int) -> JSONValue {
        ["id": id.json, "title": .string(title), "status": 0, "checklistID": list.json, "parentTaskID": .null]
    }
}

extension Int {
    fileprivate var json: JSONValue { .integer(Int64(self)) }
}
