import Foundation
import GRDB
import LockstepEvolution

/// Makes what the store keeps beside its tables follow a migration: pending changes, links, versions, validators
/// (Rules.md, V2, V4 to V6).
struct SystemTableMigration {
    let plan: MigrationPlan
    /// The version of the schema that the file had.
    let version: Int
    /// Seconds since 1970.
    let now: Double
    let database: Database

    private var hasOutbox: Bool { get throws { try database.hasTable(OutboxTables.outbox) } }

    // MARK: Names

    /// Gives entities, columns and links their new names. The tables and their columns have theirs already.
    func rename() throws {
        let kept = plan.evolution.entities.compactMap { name, entity in
            entity.origin.flatMap { origin in
                plan.evolution.new.entity(name).map { (old: origin, new: name, table: $0.table) }
            }
        }
        for entity in plan.lostEntities {
            try OutboxClaims.setAside(entity.name, as: Self.nameAside(entity.name), in: database)
        }
        try OutboxClaims.migrate(kept.sorted { $0.old < $1.old }, in: database)
        try LeftoverTable.rename(
            Dictionary(kept.map { ($0.old, $0.new) }, uniquingKeysWith: { first, _ in first }),
            removed: Dictionary(
                plan.lostEntities.map { ($0.name, displayName($0.name)) }, uniquingKeysWith: { first, _ in first }),
            in: database)
        try LocalValueTable.deleteAll(database)
        try renameConflicts()
        try renameRelationships()
        try renameLinks()
        for (name, entity) in plan.evolution.entities { try renameColumns(of: name, entity: entity) }
    }

    /// The name of a removed entity in leftovers: another one may have its name now.
    private func displayName(_ entity: String) -> String {
        plan.evolution.new.entity(entity) == nil ? entity : "\(entity) (version \(version))"
    }

    /// The name of a removed entity in the system tables until everything about it is kept apart and deleted.
    private static func nameAside(_ entity: String) -> String { "lockstep lost \(entity)" }

    /// Deletes the rows of removed relationships first, and renames relationships that exchange names in two steps.
    private func renameRelationships() throws {
        for (name, entity) in plan.evolution.entities {
            for member in entity.removedMembers.keys {
                try WaitingLinkTable.forget(relationship: "\(name).\(member)", in: database)
            }
            let renames = entity.members.compactMap { member, kept in
                kept.origin.flatMap { $0 == member ? nil : (old: $0, new: member) }
            }
            for (index, step) in renames.enumerated() {
                try renameRelationship(step.old, to: "lockstep \(index)", of: name)
            }
            for (index, step) in renames.enumerated() {
                try renameRelationship("lockstep \(index)", to: step.new, of: name)
            }
        }
    }

    private func renameRelationship(_ old: String, to new: String, of entity: String) throws {
        try WaitingLinkTable.rename("\(entity).\(old)", toRelationship: "\(entity).\(new)", in: database)
        try SentMembers.rename(relationship: old, to: new, of: entity, in: database)
    }

    private func renameLinks() throws {
        guard try hasOutbox else { return }
        let renames = plan.linkNames.sorted { $0.key < $1.key }
        let steps =
            renames.enumerated().map { ($1.key, "lockstep \($0)") }
            + renames.enumerated().map { ("lockstep \($0)", $1.value) }
        for (old, new) in steps {
            try database.execute(
                sql: "UPDATE \(OutboxTables.links) SET join_table = ? WHERE join_table = ?", arguments: [new, old])
            try database.execute(
                sql: "UPDATE \(OutboxTables.unconfirmed) SET name = ? WHERE name = ? AND is_link",
                arguments: [new, old])
        }
    }

    /// The values of columns that are kept apart by the column's name.
    private func renameColumns(of name: String, entity: EntityEvolution) throws {
        guard try hasOutbox, let former = entity.origin.flatMap(plan.evolution.former.entity),
            let new = plan.evolution.new.entity(name)
        else { return }
        var renames: [String: String] = [:]
        for (member, kept) in entity.members {
            guard let origin = kept.origin else { continue }
            if let old = former.attribute(origin)?.column, let column = new.attribute(member)?.column, old != column {
                renames[old] = column
            }
            let columns = zip(
                former.relationship(origin)?.foreignKeyColumns ?? [], new.relationship(member)?.foreignKeyColumns ?? [])
            for (old, column) in columns where old != column { renames[old] = column }
        }
        let ofEntity = "change IN (SELECT id FROM \(OutboxTables.outbox) WHERE entity = \(OutboxSQL.literal(name)))"
        let gone = entity.removedMembers.keys.flatMap { member in
            [former.attribute(member)?.column].compactMap(\.self)
                + (former.relationship(member)?.foreignKeyColumns ?? [])
        }
        if !gone.isEmpty {
            let isGone = "name IN (\(gone.map(OutboxSQL.literal).joined(separator: ", ")))"
            try database.execute(sql: "DELETE FROM \(OutboxTables.former) WHERE \(isGone) AND \(ofEntity)")
            // That something was sent stays known, under a name that no column has.
            try database.execute(
                sql: """
                    UPDATE \(OutboxTables.unconfirmed) SET name = 'lockstep lost ' || name \
                    WHERE \(isGone) AND NOT is_link AND \(ofEntity)
                    """)
        }
        guard !renames.isEmpty else { return }
        let cases = renames.sorted { $0.key < $1.key }.map {
            "WHEN \(OutboxSQL.literal($0.key)) THEN \(OutboxSQL.literal($0.value))"
        }
        for (table, condition) in [(OutboxTables.former, ""), (OutboxTables.unconfirmed, " AND NOT is_link")] {
            try database.execute(
                sql: """
                    UPDATE \(table) SET name = CASE name \(cases.joined(separator: " ")) ELSE name END \
                    WHERE \(ofEntity)\(condition)
                    """)
        }
        try SentMembers.rename(columns: renames, of: name, in: database)
    }

    // MARK: Values

    /// Converts values that are kept apart, by the same function as those of rows and bases.
    func convert() throws {
        guard try hasOutbox else { return }
        for column in plan.changedColumns {
            let ofColumn = """
                name = \(OutboxSQL.literal(column.column)) AND change IN \
                (SELECT id FROM \(OutboxTables.outbox) WHERE entity = \(OutboxSQL.literal(column.entity)))
                """
            guard let expression = column.expression else {
                // A conversion needs the whole row. That something was sent stays recorded, so that it is sent again.
                try database.execute(sql: "DELETE FROM \(OutboxTables.former) WHERE \(ofColumn)")
                try database.execute(
                    sql: "UPDATE \(OutboxTables.unconfirmed) SET value = NULL WHERE \(ofColumn) AND NOT is_link")
                continue
            }
            let value = expression("\"value\"")
            try database.execute(sql: "UPDATE \(OutboxTables.former) SET value = \(value) WHERE \(ofColumn)")
            try database.execute(
                sql: "UPDATE \(OutboxTables.unconfirmed) SET value = \(value) WHERE \(ofColumn) AND NOT is_link")
        }
    }

    // MARK: Leftovers

    /// Keeps the pending values for which the new schema has no place.
    func keepLeftovers() throws {
        guard try hasOutbox else { return }
        try LeftoverTable.make(database)
        for member in plan.lostMembers { try keep(member) }
        for link in plan.lostLinks { try keep(link) }
        for entity in plan.lostEntities { try keep(entity) }
    }

    private func insert(_ selection: String) throws {
        try database.execute(
            sql: "INSERT INTO \(LeftoverTable.name) (entity, record, member, value, version, at) \(selection)")
    }

    private func keep(_ lost: MigrationPlan.LostMember) throws {
        guard let entity = plan.evolution.new.entity(lost.entity) else { return }
        let record = RecordSQL(entity, in: plan.evolution.new)
        let (table, base) = (SQLName.quoted(entity.table), SQLName.quoted("lockstep_base_\(entity.table)"))
        guard try database.hasTable("lockstep_base_\(entity.table)") else { return }
        let columns = lost.columns.map(SQLName.quoted)
        let isSet = columns.map { "\(table).\($0) IS NOT NULL" }.joined(separator: " OR ")
        let isChanged = columns.map { "\(table).\($0) IS NOT \(base).\($0)" }.joined(separator: " OR ")
        let isBased = record.columns.map { "\(base).\($0) = \(table).\($0)" }.joined(separator: " AND ")
        let values = zip(columns, lost.types).map { "lockstep_json(\(table).\($0), \(OutboxSQL.literal($1)))" }
        let value = values.count == 1 ? values[0] : "'[' || \(values.joined(separator: " || ',' || ")) || ']'"
        try insert(
            """
            SELECT o.entity, o.record, \(OutboxSQL.literal(lost.member)), \(value), \(version), \(now) \
            FROM \(OutboxTables.outbox) AS o JOIN \(table) ON o.record = \(record.sql(table)) \
            LEFT JOIN \(base) ON \(isBased) \
            WHERE o.entity = \(OutboxSQL.literal(lost.entity)) AND o.change <> \(OutboxChange.delete.rawValue) \
            AND CASE WHEN \(base).\(record.columns[0]) IS NULL THEN \(isSet) ELSE \(isChanged) END
            """)
    }

    private func keep(_ link: MigrationPlan.LostLink) throws {
        let name = OutboxSQL.literal(link.name)
        let own = link.member.type
        let kept = plan.evolution.entities.first { $0.value.origin == own }?.key
        let isOwn = "join_table = \(name) AND entity = \(OutboxSQL.literal(kept ?? Self.nameAside(own)))"
        try insert(
            """
            SELECT \(OutboxSQL.literal(kept ?? displayName(own))), source, \(OutboxSQL.literal(link.member.member ?? "")), \
            json_object(CASE is_added WHEN 1 THEN 'added' ELSE 'removed' END, destination), \(version), \(now) \
            FROM \(OutboxTables.links) WHERE \(isOwn)
            """)
        try database.execute(sql: "DELETE FROM \(OutboxTables.links) WHERE \(isOwn)")
    }

    /// The records of a removed entity that have pending changes, as a whole.
    private func keep(_ entity: EntityStructure) throws {
        let record = RecordSQL(entity, in: plan.evolution.former)
        let table = SQLName.quoted(entity.table)
        let name = OutboxSQL.literal(displayName(entity.name))
        let members = SchemaLookup(plan.evolution.former).columns(of: entity).map { column in
            let value = "lockstep_json(\(table).\(SQLName.quoted(column.name)), \(OutboxSQL.literal(column.type.text)))"
            return (column.memberName, value)
        }
        guard !record.columns.isEmpty else { return }
        let value = LeftoverTable.object(members)
        try insert(
            """
            SELECT \(name), o.record, NULL, CASE WHEN \(table).\(record.columns[0]) IS NULL THEN NULL ELSE \(value) END, \
            \(version), \(now) FROM \(OutboxTables.outbox) AS o \
            LEFT JOIN \(table) ON o.record = \(record.sql(table)) \
            WHERE o.entity = \(OutboxSQL.literal(Self.nameAside(entity.name)))
            """)
    }

    // MARK: What is pulled or sent again

    /// Deletes what is recorded of removed entities, and the validators of what is pulled again.
    func forget() throws {
        for entity in plan.lostEntities { try OutboxClaims.forget(Self.nameAside(entity.name), in: database) }
        guard try database.hasTable(ValidatorTable.name) else { return }
        for entity in plan.grownEntities { try ValidatorTable.forget(entity, in: database) }
    }

    /// Until they are pulled again, the server may have members of embedded records that the rows lack: new ones, and
    /// those that the schema does not know any more (Rules.md, V11).
    func noteUnknownMembers() throws {
        for entity in plan.evolution.new.embeddedEntities {
            guard let kept = plan.evolution.entities[entity], kept.origin != nil,
                plan.grownEntities.contains(entity) || !kept.removedMembers.isEmpty
            else { continue }
            try UnknownMemberTable.note(entity, in: database)
        }
    }

    /// Keeps the server's spelling of identities if the schema writes them in another one now.
    func keepSpellings(_ plans: SchemaPlan) throws {
        for entity in plans {
            guard let kept = plan.evolution.entities[entity.name], let new = plan.evolution.new.entity(entity.name),
                let old = kept.origin.flatMap({ plan.evolution.former.entity($0) }),
                old.isUppercase != new.isUppercase
            else { continue }
            try IdentitySpellings.change(entity, isUppercase: new.isUppercase, in: database)
        }
    }

    /// Parked changes of entities that changed are tried again: another form may be what the server wanted.
    func retryParked() throws {
        guard try hasOutbox else { return }
        let entities = Set(plan.evolution.entities.filter { $1.isTouched }.keys).union(plan.grownEntities)
        for entity in entities {
            try database.execute(
                sql: """
                    UPDATE \(OutboxTables.outbox) SET attempts = 0, retry_at = NULL, parked_status = NULL, \
                    parked_body = NULL WHERE entity = ? AND parked_status IS NOT NULL \
                    AND NOT \(FailedConversions.isFailed) AND NOT \(OutboxSQL.isAccepted)
                    """, arguments: [entity])
        }
    }

    /// Records each record of entities that began to be synced, and that the server does not have, as a creation
    /// (Rules.md, V8). A later version may not send it any more.
    func createFirst(_ plans: SchemaPlan) throws {
        let pushed = plans.filter { plan.pushedEntities.contains($0.name) }
        for entity in pushed { try OutboxTable.insertCreations(of: entity, at: now, in: database) }
        if pushed.contains(where: { !$0.takes(.create) }) { try UnsentOperations(plans, in: database).update() }
    }

    /// Changes whose values equal the base after a step are not pending any more.
    ///
    /// - Returns: Their number.
    func dropEqual(_ plans: SchemaPlan) throws -> Int {
        guard try hasOutbox else { return 0 }
        let links = Set(plan.lostLinks.map(\.member.type))
        var changed = Set(plan.changedColumns.map(\.entity)).union(plan.lostMembers.map(\.entity))
            .union(plan.evolution.entities.filter { _, entity in links.contains(entity.origin ?? "") }.keys)
            .union(plan.conversions.map(\.entity))
        // An owner keeps its change as long as something in it has one, at any depth.
        var (count, former) = (0, -1)
        while count > former {
            former = count
            for entity in plans where changed.contains(entity.name) && entity.isTracked {
                count += try dropEqual(entity)
            }
            let owners = plans.filter { owner in
                owner.relationships.contains { $0.isEmbedded && changed.contains($0.destination.name) }
            }
            changed.formUnion(owners.map(\.name))
        }
        return count
    }

    private func dropEqual(_ entity: EntityPlan) throws -> Int {
        let (table, base) = (SQLName.quoted(entity.table), SQLName.quoted(OutboxTables.base(of: entity)))
        guard try database.hasTable(OutboxTables.base(of: entity)) else { return 0 }
        let columns = entity.columns.map { SQLName.quoted($0.name) }
        let isBased = entity.keyColumns.map { "\(base).\(columns[$0]) = \(table).\(columns[$0])" }
        let isEqual = columns.map { "\(table).\($0) IS \(base).\($0)" }
        let name = OutboxSQL.literal(entity.name)
        let records = """
            SELECT \(entity.outboxRecordSQL(table)) FROM \(table) JOIN \(base) ON \(isBased.joined(separator: " AND ")) \
            WHERE \(isEqual.joined(separator: " AND "))
            """
        let isIdle = """
            entity = \(name) AND change = \(OutboxChange.update.rawValue) AND is_touched = 0 AND idempotency_key IS NULL \
            AND record IN (\(records)) \
            AND NOT EXISTS (SELECT 1 FROM \(OutboxTables.links) AS l WHERE l.entity = \(name) \
            AND l.source = \(OutboxTables.outbox).record) \
            AND NOT EXISTS (SELECT 1 FROM \(OutboxTables.unconfirmed) AS u WHERE u.change = \(OutboxTables.outbox).id)
            """
        let members = InsideChanges(database)
        let changes = try database.valueRows("SELECT id, record FROM \(OutboxTables.outbox) WHERE \(isIdle)").filter {
            try OutboxRecord.key($0[1], of: entity).map { try !members.areIn(entity, key: $0) } ?? true
        }
        for id in changes.map({ $0[0] }) {
            try database.execute(
                sql: """
                    DELETE FROM \(base) WHERE (\(entity.keyColumns.map { columns[$0] }.joined(separator: ", "))) IN \
                    (SELECT \(entity.keyColumns.map { "\(table).\(columns[$0])" }.joined(separator: ", ")) FROM \(table) \
                    WHERE \(entity.outboxRecordSQL(table)) = (SELECT record FROM \(OutboxTables.outbox) WHERE id = ?))
                    """, arguments: [id])
            for statement in OutboxSQL.deleteRows("id = ?") {
                try database.execute(sql: statement, arguments: [id])
            }
        }
        return changes.count
    }
}

/// The key of a record in SQL, in the outbox's encoding, for a structure instead of an ``EntityPlan``.
struct RecordSQL {
    /// The columns of the key, quoted.
    let columns: [String]
    private let isText: [Bool]

    init(_ entity: EntityStructure, in structure: SchemaStructure) {
        let keys = entity.identity.keyAttributes.compactMap(entity.attribute)
        if keys.isEmpty {
            columns = [SQLName.quoted(EntityStructure.surrogateKey)]
            isText = [false]
        } else {
            columns = keys.map { SQLName.quoted($0.column) }
            isText = keys.map { key in
                switch key.type {
                case .scalar(let scalar): [.string, .decimal, .day, .uuid, .url, .json].contains(scalar)
                case .enumeration(let name): structure.enumeration(name)?.isInteger != true
                case .list, .attachment: true
                }
            }
        }
    }

    func sql(_ table: String) -> String {
        guard columns.count > 1 else { return "+\(table).\(columns[0])" }
        return zip(columns, isText).map { "\($1 ? "hex" : "quote")(\(table).\($0))" }.joined(separator: " || ',' || ")
    }
}

extension SchemaStructure {
    /// The entities whose records are in the JSON of others.
    fileprivate var embeddedEntities: Set<String> {
        Set(
            entities.flatMap(\.relationships).compactMap { relationship in
                if case .embedded = relationship.wire { relationship.destination } else { nil }
            })
    }
}

extension EntityColumn {
    /// The name in the schema.
    var memberName: String {
        switch content {
        case .attribute(let name), .foreignKey(let name): name
        case .position, .surrogateKey: name
        }
    }
}

extension EntityStructure {
    /// Whether it writes UUIDs of its identity in upper case.
    fileprivate var isUppercase: Bool {
        identity.keyAttributes.contains { attribute($0)?.wire?.format == "uppercase" }
    }
}
