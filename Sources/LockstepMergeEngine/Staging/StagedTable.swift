import LockstepTables

/// The records of one entity in a payload, a row of cells for each, before they are compared with the store.
///
/// The addresses of rows are stable.
final class StagedTable {
    let entity: MergeEntity
    /// The number of cells in a row.
    let width: Int
    /// The state that changes with every row: behind a pointer, so that Swift does not check each access for
    /// exclusivity.
    private let rows = UnsafeMutablePointer<Rows>.allocate(capacity: 1)

    private struct Rows {
        var count = 0
        var capacity = 0
        var blocks: [UnsafeMutablePointer<Cell>] = []
        /// The addresses of the blocks, so that they are accessed without reference counting.
        var addresses = UnsafeMutablePointer<UnsafeMutablePointer<Cell>>.allocate(capacity: 0)
        var origins = UnsafeMutablePointer<Origin>.allocate(capacity: 0)
    }

    /// Whether it is certain that no two rows are of the same record.
    var isEachOnce = false
    /// Set if the store has all rows as they are here: the owners of the records that it has beside them.
    var otherOwners: OtherOwners?
    /// To-one relationships of the rows to other staged rows.
    private(set) var links: [StagedLink] = []
    /// To-one relationships of the rows by remote identities, for destinations with separate local keys.
    private(set) var references: [StagedReference] = []
    /// The exact members of to-many relationships of the rows.
    private(set) var memberships: [StagedMembership] = []
    private(set) var members: [StagedMember] = []

    private static let rowsPerBlock = 1024

    init(_ entity: MergeEntity) {
        self.entity = entity
        width = entity.plan.columns.count
        rows.initialize(to: Rows())
    }

    deinit {
        rows.pointee.blocks.forEach { $0.deallocate() }
        rows.pointee.addresses.deallocate()
        rows.pointee.origins.deallocate()
        rows.deinitialize(count: 1)
        rows.deallocate()
    }

    var count: Int {
        @inline(__always) get { rows.pointee.count }
    }

    /// The number of bytes that the rows and their links use.
    var size: Int {
        count * width * MemoryLayout<Cell>.stride + links.count * MemoryLayout<StagedLink>.stride
            + references.count * MemoryLayout<StagedReference>.stride
            + memberships.count * MemoryLayout<StagedMembership>.stride
            + members.count * MemoryLayout<StagedMember>.stride
    }

    /// The origin of each row.
    var origins: UnsafeMutablePointer<Origin> {
        @inline(__always) get { rows.pointee.origins }
    }

    /// The cells of a row.
    @inline(__always)
    func row(_ index: Int) -> UnsafeMutablePointer<Cell> {
        rows.pointee.addresses[index / Self.rowsPerBlock] + index % Self.rowsPerBlock * width
    }

    /// Appends a row without values.
    @inline(__always)
    func append(_ origin: Origin) -> Int {
        let index = rows.pointee.count
        if index == rows.pointee.capacity { grow() }
        rows.pointee.count = index + 1
        rows.pointee.origins[index] = origin
        row(index).initialize(repeating: .absent, count: width)
        return index
    }

    /// Removes the values of a row.
    func clear(_ index: Int) { row(index).update(repeating: .absent, count: width) }

    /// Adds a block. Rows keep their addresses; the arrays of addresses and origins are reallocated.
    private func grow() {
        let blockCount = max(1, rows.pointee.blocks.count)
        for _ in 0..<blockCount {
            rows.pointee.blocks.append(.allocate(capacity: Self.rowsPerBlock * width))
        }
        let blocks = rows.pointee.blocks
        rows.pointee.addresses.deallocate()
        rows.pointee.addresses = .allocate(capacity: blocks.count)
        rows.pointee.addresses.initialize(from: blocks, count: blocks.count)
        let origins = UnsafeMutablePointer<Origin>.allocate(capacity: blocks.count * Self.rowsPerBlock)
        origins.moveInitialize(from: rows.pointee.origins, count: count)
        rows.pointee.origins.deallocate()
        rows.pointee.origins = origins
        rows.pointee.capacity = blocks.count * Self.rowsPerBlock
    }

    func append(_ link: StagedLink) { links.append(link) }

    /// Removes the links of a to-one of the current row: if a key occurs twice, the last occurrence counts.
    func forgetLinks(of row: Int, for relationship: Int) {
        let (row, relationship) = (Int32(row), Int16(relationship))
        var index = links.count - 1
        // Everything staged since the row began belongs to it, or to later rows.
        while index >= 0, links[index].row >= row {
            if links[index].row == row, links[index].relationship == relationship { links.remove(at: index) }
            index -= 1
        }
    }

    /// Removes the remote identities of a to-one of the current row.
    func forgetReferences(of row: Int, for relationship: Int) {
        let (row, relationship) = (Int32(row), Int16(relationship))
        var index = references.count - 1
        while index >= 0, references[index].row >= row {
            if references[index].row == row, references[index].relationship == relationship {
                references.remove(at: index)
            }
            index -= 1
        }
    }

    func append(_ reference: StagedReference) { references.append(reference) }

    func append(_ membership: StagedMembership, list: [StagedMember]) {
        var membership = membership
        membership.first = members.count
        membership.count = list.count
        members += list
        memberships.append(membership)
    }

    /// Whether the last row has a link for a to-one.
    func hasLink(of row: Int, for relationship: Int) -> Bool {
        let isOther = { (other: Int32, at: Int16) in other != Int32(row) || at != Int16(relationship) }
        return !links.reversed().prefix { $0.row >= Int32(row) }.allSatisfy { isOther($0.row, $0.relationship) }
            || !references.reversed().prefix { $0.row >= Int32(row) }.allSatisfy { isOther($0.row, $0.relationship) }
    }

    /// Whether the last row has a list of members for a relationship.
    func hasMembership(of row: Int, for relationship: Int) -> Bool {
        memberships.reversed().prefix { $0.row >= Int32(row) }
            .contains { $0.row == Int32(row) && $0.relationship == Int16(relationship) }
    }

    /// Decides between two lists of the last row in different forms: the identities are the members, unless they are
    /// null (Rules.md, R11). The records of the other list are merged in any case.
    ///
    /// - Returns: The members that count, and the rows of a list that does not.
    func settleLists(of row: Int, for relationship: Int) -> (members: ArraySlice<StagedMember>, others: [Int])? {
        var found: [Int] = []
        var index = memberships.count - 1
        while index >= 0, memberships[index].row >= Int32(row) {
            let list = memberships[index]
            if list.row == Int32(row), list.relationship == Int16(relationship) { found.append(index) }
            index -= 1
        }
        let stated = found.filter { !memberships[$0].isNull }
        let forms = Set(stated.isEmpty ? found.map { memberships[$0].form } : stated.map { memberships[$0].form })
        let form: MemberForm = forms.contains(.identities) ? .identities : .records
        let others = found.filter { memberships[$0].form != form }
        guard let last = found.first(where: { memberships[$0].form == form }), !others.isEmpty else { return nil }
        let counting = members(of: memberships[last])
        let rows = others.flatMap { members(of: memberships[$0]).map { Int($0.row) } }
        for index in others { memberships.remove(at: index) }
        return (counting, rows)
    }

    /// Removes the last top-level record, and the records embedded in it.
    func removeLast(_ record: Int) {
        var first = count
        while first > 0, origins[first - 1].record == Int32(record) { first -= 1 }
        guard first < count else { return }  // everything that belongs to a record comes with a row
        rows.pointee.count = first
        links.removeAll { $0.row >= Int32(first) }
        references.removeAll { $0.row >= Int32(first) }
        if let membership = memberships.first(where: { $0.row >= Int32(first) }) {
            members.removeSubrange(membership.first...)
        }
        memberships.removeAll { $0.row >= Int32(first) }
    }

    func removeAll() {
        rows.pointee.count = 0
        isEachOnce = false
        otherOwners = nil
        links.removeAll(keepingCapacity: true)
        references.removeAll(keepingCapacity: true)
        memberships.removeAll(keepingCapacity: true)
        members.removeAll(keepingCapacity: true)
    }
}

/// Where a staged row comes from.
struct Origin {
    /// The index of its top-level record.
    var record: Int32
    /// The table and the row that it is embedded in; -1 for a top-level record.
    var ownerTable: Int16 = -1
    /// The relationship of the owner that it is embedded in.
    var relationship: Int16 = -1
    var ownerRow: Int32 = -1
    /// Its index in a list; -1 for none.
    var index: Int32 = -1
    /// Whether it is not merged, nor are the records embedded in it.
    var isSkipped = false
    /// Whether it is not merged because the record was deleted locally.
    var isDeletedLocally = false
    /// Whether the app merges it itself.
    var isReplaced = false
    /// Whether its owner does not have it, since the owner's list of identities lacks it (Rules.md, R11).
    var isNoMember = false

    var isNested: Bool { ownerTable >= 0 }
}

/// A to-one of a row to another staged row.
struct StagedLink {
    /// The row that holds the foreign key, in the table that has the link.
    let row: Int32
    /// The to-one.
    let relationship: Int16
    let targetTable: Int16
    /// -1 for no destination.
    let targetRow: Int32
    /// Whether the target is the owner that the row is embedded in. It takes precedence over what the row states.
    var isOwner = false
}

/// A to-one of a row to the record with a remote identity.
struct StagedReference {
    let row: Int32
    let relationship: Int16
    let identity: Cell
}

/// The exact members of a to-many of a row, or the record of an embedded to-one.
struct StagedMembership {
    let row: Int32
    let relationship: Int16
    /// The form of its members.
    let form: MemberForm
    /// Whether the list is null, which is empty (Rules.md, M1).
    let isNull: Bool
    /// Its members among those of the table.
    fileprivate(set) var first = 0
    fileprivate(set) var count = 0

    init(row: Int, relationship: Int, form: MemberForm, isNull: Bool = false) {
        self.row = Int32(row)
        self.relationship = Int16(relationship)
        self.form = form
        self.isNull = isNull
    }
}

/// How the members of a to-many are listed.
enum MemberForm {
    case identities
    case records
    /// Each element is an identity or a record.
    case either
}

/// A member of a to-many: a row, or an identity.
struct StagedMember {
    /// The row in the destination's table if it is embedded; otherwise -1.
    var row: Int32 = -1
    /// The remote identity if it is not embedded.
    var identity: Cell = .absent
}

extension StagedTable {
    /// The key of a row.
    func key(of row: Int) -> RecordKey {
        let cells = self.row(row)
        return RecordKey(entity.plan.keyColumns.map { cells[$0].databaseValue })
    }
}
