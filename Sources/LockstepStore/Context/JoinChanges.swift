import GRDB

/// The unsaved links of one table of a many to many.
final class JoinChanges {
    struct Pair: Hashable {
        let left: RecordKey
        let right: RecordKey
    }

    struct Change {
        let isAdded: Bool
        let left: ManagedObject
        let right: ManagedObject
    }

    /// The columns of the side that counts as left. Both ends describe the table, each from its own side.
    let leftColumns: [String]
    let rightColumns: [String]
    /// The columns with the place of the right among those of the left, and the other way round; `nil` where no order
    /// is kept.
    let leftPosition: String?
    let rightPosition: String?
    let table: String
    private(set) var changes: [Pair: Change] = [:]
    /// Pairs in the order they were first changed; some may have been changed back.
    private(set) var order: [Pair] = []
    private var addedByLeft: [RecordKey: [ManagedObject]] = [:]
    private var addedByRight: [RecordKey: [ManagedObject]] = [:]

    /// Whether a change that was undone is kept: what it was made against may have become the same meanwhile.
    var keepsUndone: Bool

    init(_ join: JoinDescription, keepsUndone: Bool) {
        self.keepsUndone = keepsUndone
        table = join.table
        let isSourceLeft = Self.isSourceLeft(join)
        leftColumns = isSourceLeft ? join.sourceColumns : join.destinationColumns
        rightColumns = isSourceLeft ? join.destinationColumns : join.sourceColumns
        leftPosition = isSourceLeft ? join.position : join.inversePosition
        rightPosition = isSourceLeft ? join.inversePosition : join.position
    }

    static func isSourceLeft(_ join: JoinDescription) -> Bool {
        join.sourceColumns.joined(separator: "\0") < join.destinationColumns.joined(separator: "\0")
    }

    /// Notes a link that was made or taken away; undoing an unsaved change leaves nothing to save.
    func note(_ source: ManagedObject, _ destination: ManagedObject, _ join: JoinDescription, isAdded: Bool) {
        let (left, right) = Self.isSourceLeft(join) ? (source, destination) : (destination, source)
        let pair = Pair(left: left.recordKey, right: right.recordKey)
        // Of another object with the same key it undoes nothing: the links of a deleted record go with it, and those
        // of a new one in its place must be made.
        if !keepsUndone, let change = changes[pair], change.isAdded != isAdded, change.left === left,
            change.right === right
        {
            changes[pair] = nil
            return
        }
        if changes[pair] == nil { order.append(pair) }
        changes[pair] = Change(isAdded: isAdded, left: left, right: right)
        if isAdded {
            addedByLeft[pair.left, default: []].append(right)
            addedByRight[pair.right, default: []].append(left)
        }
    }

    /// Forgets what was changed of the links of a record, in the direction in which `join` describes them.
    func forget(of source: RecordKey, _ join: JoinDescription) {
        let isSourceLeft = Self.isSourceLeft(join)
        changes = changes.filter { (isSourceLeft ? $0.key.left : $0.key.right) != source }
    }

    /// Whether a link is unsavedly made (`true`) or taken away (`false`); `nil` where it is as in the store.
    func isAdded(_ source: RecordKey, _ destination: RecordKey, _ join: JoinDescription) -> Bool? {
        let isSourceLeft = Self.isSourceLeft(join)
        let pair = Pair(left: isSourceLeft ? source : destination, right: isSourceLeft ? destination : source)
        return changes[pair]?.isAdded
    }

    /// Objects that were linked to `source`; some may have been unlinked since.
    func added(to source: RecordKey, _ join: JoinDescription) -> [ManagedObject] {
        (Self.isSourceLeft(join) ? addedByLeft : addedByRight)[source] ?? []
    }
}
