import GRDB

/// The pending changes of records inside others, seen from their owners (Rules.md, R10).
package struct InsideChanges {
    private let database: Database
    private let includes: (EntityPlan) -> Bool

    /// A relationship whose members contain the key of the record that embeds them.
    package struct List {
        package let member: EntityPlan
        /// The member's columns with its owner's key.
        package let columns: [Int]

        /// The condition that a member belongs to an owner; the owner's key begins with this argument.
        fileprivate func condition(of row: String = "", from first: Int = 2) -> String {
            columns.enumerated().map { "\(row)\(SQLName.quoted(member.columns[$1].name)) = ?\($0 + first)" }
                .joined(separator: " AND ")
        }
    }

    /// - Parameter includes: Which entities' records are examined; by default those that are never sent separately.
    package init(_ database: Database, of includes: @escaping (EntityPlan) -> Bool = { $0.travelsInside }) {
        self.database = database
        self.includes = includes
    }

    package func lists(of owner: EntityPlan) -> [List] {
        owner.relationships.compactMap { relationship in
            let member = relationship.destination
            guard relationship.isEmbedded, let columns = relationship.columnsOfInverse, includes(member)
            else { return nil }
            return List(member: member, columns: columns)
        }
    }

    /// Whether a record contains others, at any depth, that were created or changed locally, or had some that left it.
    package func areIn(_ owner: EntityPlan, key: RecordKey) throws -> Bool {
        try contains(owner, key: key) { try isAnyHere($0, of: $1) || isAnyGone($0, from: $1) }
    }

    /// Whether a record contains others, at any depth, that were created or changed locally.
    package func areEdited(in owner: EntityPlan, key: RecordKey) throws -> Bool {
        try contains(owner, key: key, isFound: isAnyHere)
    }

    private func contains(
        _ owner: EntityPlan, key: RecordKey, isFound: (List, RecordKey) throws -> Bool
    ) throws -> Bool {
        var open = [(plan: owner, key: key)]
        // A cycle of owners, which only an error can create, ends where it began.
        var seen: Set<RecordID> = [RecordID(owner, key: key)]
        while let next = open.popLast() {
            for list in lists(of: next.plan) {
                if try hasRows(of: list.member), try isFound(list, next.key) { return true }
                guard try mayHaveChanges(inside: list.member) else { continue }
                for member in try keys(list, of: next.key)
                where seen.insert(RecordID(list.member, key: member)).inserted {
                    open.append((list.member, member))
                }
            }
        }
        return false
    }

    /// The local members of a list.
    package func keys(_ list: List, of owner: RecordKey) throws -> [RecordKey] {
        let keys = list.member.keyColumns.map { SQLName.quoted(list.member.columns[$0].name) }
        return try database.valueRows(
            """
            SELECT \(keys.joined(separator: ", ")) FROM \(SQLName.quoted(list.member.table)) \
            WHERE \(list.condition(from: 1))
            """, with: owner.values
        ).map { RecordKey($0) }
    }

    /// The changes of a list's current and former members, in the order in which they were made.
    package func changes(_ list: List, of owner: RecordKey) throws -> [PendingChange] {
        guard try hasRows(of: list.member) else { return [] }
        // An unsent creation has left its former location.
        let wasThere = "(change <> \(OutboxChange.create.rawValue) OR idempotency_key IS NOT NULL)"
        let tables = [(list.member.table, "1"), (OutboxTables.base(of: list.member), wasThere)]
        let found = try tables.flatMap { table, condition in
            let selection = """
                SELECT \(list.member.outboxRecordSQL()) FROM \(SQLName.quoted(table)) \
                WHERE \(list.condition())
                """
            return try PendingChange.fetch(
                database, of: list.member, where: "entity = ?1 AND record IN (\(selection)) AND \(condition)",
                with: [list.member.name.databaseValue] + owner.values)
        }
        var seen: Set<Int64> = []
        return found.filter { seen.insert($0.id).inserted }.sorted { $0.id < $1.id }
    }

    /// The records of an entity that contain others, at any depth, which were created or changed locally.
    package func ownersOfEdited(_ owner: EntityPlan) throws -> Set<RecordKey> {
        var owners: Set<RecordKey> = []
        try addOwners(of: owner, below: [], to: &owners)
        return owners
    }

    private func addOwners(of owner: EntityPlan, below plans: [EntityPlan], to owners: inout Set<RecordKey>) throws {
        guard !plans.contains(where: { $0 === owner }) else { return }
        for list in lists(of: owner) {
            let columns = list.columns.map { "t.\(SQLName.quoted(list.member.columns[$0].name))" }
            let select = "SELECT \(columns.joined(separator: ", ")) FROM \(SQLName.quoted(list.member.table)) AS t"
            let isHeld = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
            if try hasRows(of: list.member) {
                let rows = try database.valueRows(
                    """
                    \(select) JOIN \(OutboxTables.outbox) AS o ON o.entity = ?1 \
                    AND o.record = \(list.member.outboxRecordSQL("t")) WHERE \(isHeld)
                    """, with: [list.member.name.databaseValue])
                owners.formUnion(rows.map { RecordKey($0) })
            }
            var between: Set<RecordKey> = []
            try addOwners(of: list.member, below: plans + [owner], to: &between)
            for key in between {
                let isKey = SQLName.condition(list.member.keyColumns.map { list.member.columns[$0].name })
                let rows = try database.valueRows("\(select) WHERE \(isHeld) AND \(isKey)", with: key.values)
                owners.formUnion(rows.map { RecordKey($0) })
            }
        }
    }

    private func mayHaveChanges(inside plan: EntityPlan) throws -> Bool {
        var (open, seen): ([EntityPlan], Set<String>) = ([plan], [plan.name])
        while let next = open.popLast() {
            for list in lists(of: next) {
                if try hasRows(of: list.member) { return true }
                if seen.insert(list.member.name).inserted { open.append(list.member) }
            }
        }
        return false
    }

    /// Whether any record of an entity has a change.
    package func hasRows(of plan: EntityPlan) throws -> Bool {
        try !database.valueRows(
            "SELECT 1 FROM \(OutboxTables.outbox) WHERE entity = ? LIMIT 1", with: [plan.name.databaseValue]
        ).isEmpty
    }

    private func isAnyHere(_ list: List, of owner: RecordKey) throws -> Bool {
        try isAny(list.member.table, list: list, of: owner, condition: "1")
    }

    private func isAnyGone(_ list: List, from owner: RecordKey) throws -> Bool {
        try isAny(
            OutboxTables.base(of: list.member), list: list, of: owner,
            condition: "o.change <> \(OutboxChange.create.rawValue)")
    }

    private func isAny(_ table: String, list: List, of owner: RecordKey, condition: String) throws -> Bool {
        try !database.valueRows(
            """
            SELECT 1 FROM \(SQLName.quoted(table)) AS t JOIN \(OutboxTables.outbox) AS o \
            ON o.entity = ?1 AND o.record = \(list.member.outboxRecordSQL("t")) \
            WHERE \(list.condition(of: "t.")) AND \(condition) LIMIT 1
            """, with: [list.member.name.databaseValue] + owner.values
        ).isEmpty
    }
}

/// The records inside which others are sent to the server.
package struct InsideOwners {
    private let database: Database
    private let ownership: WireOwnership?

    /// - Parameter ownership: Which records are sent inside others to a remote; if it is `nil`, those that are never
    ///   sent separately.
    package init(_ database: Database, ownership: WireOwnership? = nil) {
        (self.database, self.ownership) = (database, ownership)
    }

    /// The owner that is sent separately, of a record that is not; `nil` if it has no owner. A cycle of owners, which
    /// only an error can create, has none either.
    package func root(of plan: EntityPlan, key: RecordKey) throws -> (plan: EntityPlan, key: RecordKey)? {
        try database.valueRows(plan.findSQL, with: key.values).first.flatMap { try root(of: plan, in: $0) }
    }

    /// The same for a record with these values.
    package func root(of plan: EntityPlan, in row: [DatabaseValue]) throws -> (plan: EntityPlan, key: RecordKey)? {
        var (plan, row) = (plan, row)
        var seen: Set<RecordID> = []
        while true {
            let key = RecordKey(plan.keyColumns.map { row[$0] })
            guard seen.insert(RecordID(plan, key: key)).inserted else { return nil }
            if ownership == nil, plan.travels { return (plan, key) }
            guard let owner = plan.owner(of: row, in: ownership) else {
                return plan.travels ? (plan, key) : nil
            }
            guard let next = try database.valueRows(owner.plan.findSQL, with: owner.key.values).first else {
                return nil
            }
            (plan, row) = (owner.plan, next)
        }
    }

    /// Marks the owner that is sent separately as changed.
    package func touchOwner(of plan: EntityPlan, key: RecordKey) throws {
        guard let root = try root(of: plan, key: key) else { return }
        _ = try OutboxWriter(database, plan: root.plan).touch(root.key)
    }
}
