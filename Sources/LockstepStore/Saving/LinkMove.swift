import GRDB

/// The foreign keys of a changed object that the context has cleared or set.
struct LinkMove {
    let object: ManagedObject
    var cleared: [Int] = []
    var set: [Int] = []
    /// Those that are set to the key of a new record while another record still has that key, whose delete must not
    /// reach the object.
    var placeholders: [Int] = []

    /// `nil` if no foreign key has changed.
    init?(_ object: ManagedObject, isReplaced: (RecordMap, RecordKey) -> Bool) {
        self.object = object
        for (relationship, description) in object.plan.relationships.enumerated() {
            guard case .toOne(columns: let columns, position: _, isRequired: _) = description.kind,
                columns.contains(where: object.hasChanged)
            else { continue }
            guard let key = object.foreignKey(relationship) else {
                cleared += columns
                continue
            }
            if let owners = object.records?.destination(relationship), isReplaced(owners, key) {
                placeholders += columns
            } else {
                set += columns
            }
        }
        if cleared.isEmpty && set.isEmpty && placeholders.isEmpty { return nil }
    }
}

extension SaveRun {
    /// Writes the foreign keys of a changed object that the context has cleared, and a placeholder for those that must
    /// wait.
    func clear(_ move: LinkMove, in database: Database) throws {
        try update(move.object, columns: move.cleared, in: database)
        movedColumns[ObjectIdentifier(move.object), default: []] += move.cleared
        try setPlaceholders(move.object, columns: move.placeholders, in: database)
    }

    /// Writes the foreign keys of a changed object that the context has set. If another record must release the value
    /// first, it gets a placeholder until then.
    func set(_ move: LinkMove, in database: Database) throws {
        do {
            try update(move.object, columns: move.set, in: database)
            movedColumns[ObjectIdentifier(move.object), default: []] += move.set
        } catch let error as StoreError where error.code == .notUnique {
            try setPlaceholders(move.object, columns: move.set, in: database)
        }
    }
}
