import LockstepStore
import LockstepTesting

extension FakeFeed.Rules {
    /// Lists of tasks: each list is a scope of its own, to which its tasks belong.
    static func lists(pageSize: Int, respondsWithRecord: Bool, fault: FakeFeed.Fault?) -> FakeFeed.Rules {
        FakeFeed.Rules(
            pageSize: pageSize, respondsWithRecord: respondsWithRecord, fault: fault,
            dependents: { key, state in
                let names = key.entity == "List" ? ["checklistID"] : ["parentTaskID"]
                return state.records.filter { other, record in
                    other.entity == "Task" && names.contains { record.json[$0] == key.values[0] } && other != key
                }.map(\.key)
            },
            fill: { entity, record in
                // As the columns of a table.
                for name in entity == "Task" ? ["checklistID", "parentTaskID"] : [] where record[name] == nil {
                    record[name] = .null
                }
            },
            scope: { entity, record, state in
                if entity == "List" { return record["id"].map(scope) }
                guard let list = record["checklistID"] else { return nil }
                return state.records[FeedState.Key("List", values: [list])] == nil ? nil : scope(list)
            })
    }

    static func scope(_ list: JSONValue) -> String { "list:\(RemoteIdentity([list]).text)" }
}
