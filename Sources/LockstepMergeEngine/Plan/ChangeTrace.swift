import LockstepTables

/// Records what was changed in each record, for a merge that is traced.
final class ChangeTrace {
    private struct Record: Hashable {
        let entity: String
        let key: RecordKey
    }

    private var order: [Record] = []
    private var members: [Record: [String]] = [:]

    func record(_ entity: MergeEntity, key: RecordKey, names: [String]) {
        let record = Record(entity: entity.plan.name, key: key)
        if members[record] == nil { order.append(record) }
        let known = members[record] ?? []
        // The columns of a key are one member.
        members[record] = names.reduce(into: known) { if !$0.contains($1) { $0.append($1) } }
    }

    /// - Parameter isUpdated: Whether a record existed before and still exists; all members of an inserted one are new.
    func changes(_ isUpdated: (_ entity: String, RecordKey) -> Bool) -> [MergeTrace.RecordChange] {
        order.filter { isUpdated($0.entity, $0.key) }.map {
            MergeTrace.RecordChange(entity: $0.entity, identity: $0.key.text, members: members[$0] ?? [])
        }
    }
}
