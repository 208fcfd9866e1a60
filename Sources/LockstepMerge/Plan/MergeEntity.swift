import LockstepStore

/// What a merge needs to know of an entity, worked out once.
final class MergeEntity {
    let plan: EntityPlan
    /// Its place among the schema's entities.
    let place: Int
    /// The column of its key; -1 where that has several.
    let keyColumn: Int
    /// The columns by which a server tells records apart; none where nothing does.
    let wireKeyColumns: [Int]
    private let columnReaders: [ColumnReader]
    private let readers: UnsafeMutablePointer<Unmanaged<ColumnReader>>
    let relationships: [MergeRelationship]
    /// The to-ones that hold a key of several values.
    let compositeLinks: [Int]
    /// The to-ones whose inverse is ordered: their foreign keys, and the columns with the place there.
    let orderedLinks: [(foreignKey: [Int], place: Int)]
    /// The to-ones that hold the key of a record which is deleted when another takes its place.
    let cascadingLinks: [MergeRelationship]
    /// The to-ones whose keys do not travel with the records, but with the owners that list them.
    let heldLinks: [MergeRelationship]
    /// What new records get where the payload says nothing; `nil` for a column without default.
    let defaults: [DefaultCell?]
    /// Where the texts of the defaults are.
    private let arena = TextArena()
    /// Which key of a record's JSON is which column or relationship.
    let keys: KeyTable
    /// What an app does to its records; `nil` for most.
    let hooks: EntityHooks?
    /// Which key is of a record's identity, where hooks see each record before the rest of it is read.
    let identityKeys: KeyTable?

    init(
        _ plan: EntityPlan, place: Int, _ relationships: [MergeRelationship], _ tally: KeyTally?, _ hooks: EntityHooks?
    ) {
        self.plan = plan
        self.place = place
        self.relationships = relationships
        compositeLinks = relationships.indices.filter { relationships[$0].foreignKey?.count ?? 0 > 1 }
        orderedLinks = relationships.compactMap { link in
            guard let columns = link.foreignKey, let place = link.positionColumn else { return nil }
            return (columns, place)
        }
        cascadingLinks = relationships.filter(\.cascadesToOne)
        heldLinks = relationships.filter {
            $0.foreignKey != nil && $0.inverse != nil && $0.description.wire == .none
        }
        keyColumn = plan.keyColumns.count == 1 ? plan.keyColumns[0] : -1
        wireKeyColumns = Self.wireKeyColumns(plan)
        columnReaders = plan.columns.map { ColumnReader($0) }
        readers = .allocate(capacity: columnReaders.count)
        for (column, reader) in columnReaders.enumerated() {
            (readers + column).initialize(to: .passUnretained(reader))
        }
        defaults = plan.columns.map { [arena] in DefaultCell($0, arena: arena) }
        keys = KeyTable(plan, tally)
        self.hooks = hooks
        let takesRecords = hooks?.takesRecords ?? false
        identityKeys = takesRecords ? KeyTable(plan, nil, onlyColumns: Self.identityColumns(plan)) : nil
    }

    deinit { readers.deallocate() }

    /// Reads the values of a column; those of keys that are another record's as what that one's identity is.
    ///
    /// The reader lives as long as the entity, which whoever reads records holds. So that no reference is counted for
    /// each of a million values, it is handed out without one.
    @inline(__always)
    func reader(_ column: Int) -> Unmanaged<ColumnReader> { readers[column] }

    /// The columns that tell whether a record is here.
    private static func identityColumns(_ plan: EntityPlan) -> [Int] {
        if case .none = plan.identity { return [] }
        return plan.keyColumns + (plan.remoteColumn.map { [$0] } ?? [])
    }

    private static func wireKeyColumns(_ plan: EntityPlan) -> [Int] {
        if case .none = plan.identity { return [] }
        return plan.remoteColumn.map { [$0] } ?? plan.keyColumns
    }

    /// Whether the store has a column's value already, in the row that a statement is on.
    @inline(__always)
    func isStored(_ cell: Cell, in statement: RawStatement, _ column: Int) -> Bool {
        cell.isEqual(to: statement.pointer, column: Int32(column), type: plan.columns[column].type)
    }

    /// Whether nothing tells records apart: they belong to their owner.
    var isOwned: Bool { if case .none = plan.identity { true } else { false } }
}

/// What a merge needs to know of a relationship.
final class MergeRelationship {
    let description: RelationshipDescription
    /// The place of the entity at the other end, among the schema's.
    let destination: Int
    /// The place of the inverse there.
    let inverse: Int?
    /// The columns of the foreign key, where this end holds it.
    let foreignKey: [Int]?
    /// The column with the place in an ordered inverse.
    let positionColumn: Int?
    let isRequired: Bool

    init(description: RelationshipDescription, destination: Int, inverse: Int?) {
        self.description = description
        self.destination = destination
        self.inverse = inverse
        if case .toOne(let columns, let position, let isRequired) = description.kind {
            (foreignKey, positionColumn, self.isRequired) = (columns, position, isRequired)
        } else {
            (foreignKey, positionColumn, isRequired) = (nil, nil, false)
        }
    }

    /// Whether this end holds the key of the only one, which is deleted with it.
    var cascadesToOne: Bool {
        guard foreignKey != nil, description.onDelete == .cascade, let inverse else { return false }
        if case .toOneInverse = description.destination.entity.plan.relationships[inverse].kind { return true }
        return false
    }

    var isToMany: Bool {
        switch description.kind {
        case .toOne, .toOneInverse: false
        case .toMany, .manyToMany: true
        }
    }
}

/// The entities of a schema, as a merge sees them.
final class MergePlan {
    let entities: [MergeEntity]
    /// Counts the keys of the payload; `nil` where nobody asks.
    let tally: KeyTally?

    /// - Parameter hooks: By the names of their entities.
    init(_ plans: [EntityPlan], isTraced: Bool, hooks: [String: EntityHooks] = [:]) {
        let tally = isTraced ? KeyTally() : nil
        self.tally = tally
        let places = Dictionary(
            plans.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
        entities = plans.enumerated().map { place, plan in
            let relationships = plan.relationships.map { relationship in
                let destination = relationship.destination.entity.plan
                return MergeRelationship(
                    description: relationship, destination: places[ObjectIdentifier(destination)] ?? 0,
                    inverse: relationship.inverse.flatMap { destination.relationship(named: $0) })
            }
            return MergeEntity(plan, place: place, relationships, tally, hooks[plan.name])
        }
    }

    /// The place of an entity; `nil` where the schema has none such.
    func place(of plan: EntityPlan) -> Int? { entities.firstIndex { $0.plan === plan } }

    /// The columns, of whatever table, that hold the one-column keys of an entity's records.
    func holders(of plan: EntityPlan) -> [(table: String, column: String)] {
        var holders: [(String, String)] = []
        for entity in entities {
            for relationship in entity.relationships where entities[relationship.destination].plan === plan {
                if let column = relationship.foreignKey?.first {
                    holders.append((entity.plan.table, entity.plan.columns[column].name))
                } else if case .manyToMany(let join) = relationship.description.kind {
                    holders.append((join.table, join.destinationColumns[0]))
                }
            }
        }
        return holders
    }
}
