import GRDB

/// The unsaved links of one join table.
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
    /// The columns with the position of the right side among those of the left, and vice versa; `nil` if unordered.
    let leftPosition: String?
    let rightPosition: String?
    let table: String
    /// The statement that removes the other links of a pair from a to-one; `nil` for a to-many.
    let makeRoomSQL: String?
    private(set) var changes: [Pair: Change] = [:]
    /// Pairs in the order in which they were first changed. Some may have been changed back.
    private(set) var order: [Pair] = []
    private var addedByLeft: [RecordKey: [ManagedObject]] = [:]
    private var addedByRight: [RecordKey: [ManagedObject]] = [:]

    /// Whether a change that was undone is kept, because the stored state may have become the same in the meantime.
    var keepsUndone: Bool

    init(_ join: JoinDescription, keepsUndone: Bool) {
        self.keepsUndone = keepsUndone
        table = join.table
        makeRoomSQL = join.isToOne ? join.makeRoomSQL : nil
        let isSourceLeft = Self.isSourceLeft(join)
        leftColumns = isSourceLeft ? join.sourceColumns : join.destinationColumns
        rightColumns = isSourceLeft ? join.destinationColumns : join.sourceColumns
        leftPosition = isSourceLeft ? join.position : join.inversePosition
        rightPosition = isSourceLeft ? join.inversePosition : join.position
    }

    static func isSourceLeft(_ join: JoinDescription) -> Bool {
        join.sourceColumns.joined(separator: "\0") < join.destinationColumns.joined(separator: "\0")
    }

    /// The effects of recording one link.
    struct Note {
        let pair: Pair
        let before: Change?
        let after: Change?

        fileprivate var isAppended: Bool { before == nil && after != nil }
    }

    /// Records that a link was added or removed. Undoing an unsaved change leaves nothing to save.
    func note(_ source: ManagedObject, to destination: ManagedObject, in join: JoinDescription, isAdded: Bool) -> Note {
        let (left, right) = Self.isSourceLeft(join) ? (source, destination) : (destination, source)
        let pair = Pair(left: left.recordKey, right: right.recordKey)
        // A link of another object with the same key is not undone: the links of a deleted record are deleted with it,
        // and those of a new record in its place must be added.
        if !keepsUndone, let change = changes[pair], change.isAdded != isAdded, change.left === left,
            change.right === right
        {
            return apply(Note(pair: pair, before: change, after: nil))
        }
        let change = Change(isAdded: isAdded, left: left, right: right)
        return apply(Note(pair: pair, before: changes[pair], after: change))
    }

    private func apply(_ note: Note) -> Note {
        repeatNote(note)
        return note
    }

    func repeatNote(_ note: Note) {
        changes[note.pair] = note.after
        if note.isAppended { order.append(note.pair) }
        if let after = note.after, after.isAdded {
            addedByLeft[note.pair.left, default: []].append(after.right)
            addedByRight[note.pair.right, default: []].append(after.left)
        }
    }

    /// Undoes the last note.
    func revert(_ note: Note) {
        changes[note.pair] = note.before
        if note.isAppended, order.last == note.pair { order.removeLast() }
        if let after = note.after, after.isAdded {
            Self.removeLast(after.right, from: &addedByLeft[note.pair.left])
            Self.removeLast(after.left, from: &addedByRight[note.pair.right])
        }
    }

    private static func removeLast(_ object: ManagedObject, from objects: inout [ManagedObject]?) {
        guard let index = objects?.lastIndex(where: { $0 === object }) else { return }
        objects?.remove(at: index)
    }

    /// Forgets the changed links of a record, in the direction in which `join` describes them; in both if it is
    /// symmetric.
    func forget(of source: RecordKey, in join: JoinDescription) {
        if join.isSymmetric {
            changes = changes.filter { $0.key.left != source && $0.key.right != source }
            return
        }
        let isSourceLeft = Self.isSourceLeft(join)
        changes = changes.filter { (isSourceLeft ? $0.key.left : $0.key.right) != source }
    }

    /// Whether a link has an unsaved addition (`true`) or removal (`false`); `nil` if it is as in the store.
    func isAdded(_ source: RecordKey, to destination: RecordKey, in join: JoinDescription) -> Bool? {
        let isSourceLeft = Self.isSourceLeft(join)
        let pair = Pair(left: isSourceLeft ? source : destination, right: isSourceLeft ? destination : source)
        return changes[pair]?.isAdded
    }

    /// Whether one of the two records of a stored link has an unsaved link to another record.
    func isLinkedElsewhere(_ source: RecordKey, to destination: RecordKey, in join: JoinDescription) -> Bool {
        [(source, destination), (destination, source)].contains { key, other in
            added(to: key, in: join).contains { object in
                object.recordKey != other && object.state != .deleted
                    && isAdded(key, to: object.recordKey, in: join) == true
            }
        }
    }

    /// Objects that were linked to `source`. Some may have been unlinked since.
    func added(to source: RecordKey, in join: JoinDescription) -> [ManagedObject] {
        (Self.isSourceLeft(join) ? addedByLeft : addedByRight)[source] ?? []
    }
}
