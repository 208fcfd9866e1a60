import LockstepEvolution
import LockstepTables

/// The facts about an entity that a merge needs, computed once.
final class MergeEntity {
    let plan: EntityPlan
    /// The index of the entity in the schema.
    let index: Int
    /// The column of its key; -1 if the key has several.
    let keyColumn: Int
    /// The columns by which a server identifies records; empty if the entity has no identity.
    let wireKeyColumns: [Int]
    private let columnReaders: [ColumnReader]
    private let readers: UnsafeMutablePointer<Unmanaged<ColumnReader>>
    let relationships: [MergeRelationship]
    /// The to-one relationships with a foreign key of several columns.
    let compositeLinks: [Int]
    /// The to-one relationships whose inverse is ordered: their foreign keys, and the position columns.
    let orderedLinks: [(foreignKey: [Int], position: Int)]
    /// The to-one relationships that hold the key of a record which is deleted if it is replaced by another.
    let replacingLinks: [MergeRelationship]
    /// The to-one relationships whose keys are not sent with the records, but with the owners that list them.
    let heldLinks: [MergeRelationship]
    /// The defaults of new records for values that the payload lacks; `nil` for a column without a default.
    let defaults: [DefaultCell?]
    /// Stores the texts of the defaults.
    private let arena = TextArena()
    /// The keys of the records that were read; `nil` before the first one.
    private var knownKeys: KeyTable?
    private let tally: KeyTally?
    /// The app's hooks for its records; `nil` for most entities.
    let hooks: EntityHooks?
    /// The keys of a record's identity, if hooks get each record before the rest of it is read.
    let identityKeys: KeyTable?

    init(_ plan: EntityPlan, index: Int, relationships: [MergeRelationship], tally: KeyTally?, hooks: EntityHooks?) {
        self.plan = plan
        self.index = index
        self.relationships = relationships
        compositeLinks = relationships.indices.filter { relationships[$0].foreignKey?.count ?? 0 > 1 }
        orderedLinks = relationships.compactMap { link in
            guard let columns = link.foreignKey, let position = link.positionColumn else { return nil }
            return (columns, position)
        }
        replacingLinks = relationships.filter(\.deletesReplaced)
        heldLinks = relationships.filter {
            $0.foreignKey != nil && $0.inverse != nil && $0.description.wire == .none
        }
        keyColumn = plan.keyColumns.count == 1 ? plan.keyColumns[0] : -1
        wireKeyColumns = plan.hasIdentity ? plan.serverKeyColumns : []
        columnReaders = plan.columns.map { ColumnReader($0) }
        readers = .allocate(capacity: columnReaders.count)
        for (column, reader) in columnReaders.enumerated() {
            (readers + column).initialize(to: .passUnretained(reader))
        }
        defaults = plan.columns.map { [arena] in DefaultCell($0, arena: arena) }
        self.tally = tally
        self.hooks = hooks
        let takesRecords = hooks?.takesRecords ?? false
        identityKeys = takesRecords ? KeyTable(plan, tally: nil, onlyColumns: plan.identityColumns) : nil
    }

    deinit { readers.deallocate() }

    /// Maps the keys of a record's JSON to columns and relationships. It is made for the first record, since few merges
    /// have records of every entity.
    var keys: KeyTable {
        if let knownKeys { return knownKeys }
        let keys = KeyTable(plan, tally: tally)
        knownKeys = keys
        return keys
    }

    /// Whether a record had a key that the schema does not have.
    var hasUnknownKeys: Bool { knownKeys?.hasUnknown ?? false }

    /// The reader of a column. Values of a foreign key are read like the identity of the destination.
    ///
    /// The reader lives as long as the entity, which is retained by the reader of the records. It is unmanaged to avoid
    /// reference counting for each of a million values.
    @inline(__always)
    func reader(_ column: Int) -> Unmanaged<ColumnReader> { readers[column] }

    /// Whether the store has the same value in a column of the statement's current row.
    @inline(__always)
    func isStored(_ cell: Cell, in statement: RawStatement, column: Int) -> Bool {
        cell.isEqual(to: statement.pointer, column: Int32(column), type: plan.columns[column].type)
    }

    /// The to-many relationships that can have a list of identities and one of records, under different keys.
    private(set) lazy var listsInTwoForms = relationships.indices.filter { index in
        let description = relationships[index].description
        return description.listsIdentities && description.listsRecords && !description.wire.isMixed
    }

    /// Whether its records have no identity: they belong to their owner.
    var isOwned: Bool { !plan.hasIdentity }
}

/// The facts about a relationship that a merge needs.
final class MergeRelationship {
    let description: RelationshipDescription
    /// The index of the destination's entity in the schema.
    let destination: Int
    /// The index of the inverse in the destination's relationships.
    let inverse: Int?
    /// The columns of the foreign key, if this end holds it.
    let foreignKey: [Int]?
    /// The column with the position in an ordered inverse.
    let positionColumn: Int?
    let isRequired: Bool
    /// Whether it is a to-one that is its own inverse.
    let isSymmetricToOne: Bool
    /// The inverse if it holds the key of the link, so that embedded records are linked by their rows.
    let keyHoldingInverse: Int?

    init(description: RelationshipDescription, destination: Int, inverse: Int?) {
        self.description = description
        self.destination = destination
        self.inverse = inverse
        if case .toOne(let columns, let position, let isRequired) = description.kind {
            (foreignKey, positionColumn, self.isRequired) = (columns, position, isRequired)
        } else {
            (foreignKey, positionColumn, isRequired) = (nil, nil, false)
        }
        if case .manyToMany(let join) = description.kind {
            isSymmetricToOne = join.isToOne
        } else {
            isSymmetricToOne = false
        }
        if foreignKey == nil, let inverse, case .toOne = description.destination.relationships[inverse].kind {
            keyHoldingInverse = inverse
        } else {
            keyHoldingInverse = nil
        }
    }

    /// Whether this end holds the key of a to-one whose destination is deleted if another one replaces it.
    var deletesReplaced: Bool {
        guard foreignKey != nil, description.unlisted == .delete, let inverse else { return false }
        if case .toOneInverse = description.destination.relationships[inverse].kind { return true }
        return false
    }

    var isToMany: Bool { description.isToMany }
}

/// The entities of a schema, as a merge sees them.
final class MergePlan {
    let schema: SchemaPlan
    let entities: [MergeEntity]
    /// Counts the keys of the payload; `nil` if the merge is not traced.
    let tally: KeyTally?
    /// How UUIDs of identities are spelled in the payload.
    let spellings = ReceivedSpellings()

    /// - Parameter hooks: By the names of their entities.
    init(_ plans: SchemaPlan, isTraced: Bool, hooks: [String: EntityHooks] = [:]) {
        let tally = isTraced ? KeyTally() : nil
        self.tally = tally
        schema = plans
        let indexes = Dictionary(
            plans.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
        entities = plans.enumerated().map { index, plan in
            let relationships = plan.relationships.map { relationship in
                MergeRelationship(
                    description: relationship, destination: indexes[ObjectIdentifier(relationship.destination)] ?? 0,
                    inverse: relationship.inverseIndex)
            }
            return MergeEntity(plan, index: index, relationships: relationships, tally: tally, hooks: hooks[plan.name])
        }
        for entity in entities {
            for column in entity.wireKeyColumns {
                guard let owner = entity.plan.uuidOwner(of: column), let index = indexes[ObjectIdentifier(owner)] else {
                    continue
                }
                entity.reader(column).takeUnretainedValue().spelling = SpellingNotes(
                    spellings, plan: owner, entity: index, isLink: owner !== entity.plan)
            }
        }
    }

    /// The index of an entity; `nil` if the schema does not have it.
    func index(of plan: EntityPlan) -> Int? { entities.firstIndex { $0.plan === plan } }

    /// The columns of all tables that refer to an entity's records by a key of one column.
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
