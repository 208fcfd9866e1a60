import LockstepEvolution

/// The triggers that record each local change for the server.
///
/// They belong to the database, not to a connection, so any program that writes the file fires them.
struct OutboxTriggers {
    private let plans: SchemaPlan
    private let touch: OwnerTouchTriggers
    private let links: [OutboxLinkRoute]

    /// The prefix of the triggers' names.
    static let prefix = "lockstep_outbox_"

    private static func name(_ event: String, in table: String) -> String { "\(prefix)\(table)_\(event)" }

    /// The names of the triggers that new records fire.
    static func insertNames(of plan: EntityPlan) -> [String] {
        ["insert", "inside_insert"].map { name($0, in: plan.table) }
    }

    /// The SQL of the insert trigger of an entity whose new records change nothing else in the outbox; `nil` if its
    /// records are sent inside others.
    static func creationTrigger(of plan: EntityPlan) -> String? {
        plan.travelsInside ? nil : trigger("insert", in: plan.table, event: "INSERT", statements: insertion(plan))
    }

    init(_ plans: SchemaPlan) {
        self.plans = plans
        touch = OwnerTouchTriggers(plans: plans)
        links = OutboxLinkRoute.links(of: plans)
    }

    /// The statements that create the triggers.
    func statements() -> [String] {
        plans.flatMap(triggers) + links.flatMap(joinTriggers)
    }

    private func triggers(of plan: EntityPlan) -> [String] {
        // An owner that lists a record changes with it, unless the record's own columns determine its owner.
        let held = links.filter { link in
            if case .foreignKey = link.storage { link.destination === plan && plan.travels } else { false }
        }
        let added = held.flatMap { self.held($0, row: "NEW", isAdded: true) }
        let removed = held.flatMap { self.held($0, row: "OLD", isAdded: false) }
        let (inserted, deleted) = plan.travelsInside ? ([], []) : (Self.insertion(plan), deletion(plan))
        return [
            Self.trigger(
                "insert", in: plan.table, event: "INSERT",
                statements: inserted + touch.ownersOfRow("NEW", of: plan) + added),
            Self.trigger(
                "delete", in: plan.table, event: "DELETE",
                statements: deleted + touch.ownersOfRow("OLD", of: plan) + removed),
            updateTrigger(plan),
            keyTrigger(plan),
        ].compactMap(\.self) + insideTriggers(plan) + ownerTriggers(plan)
            + held.enumerated().flatMap { heldTriggers($1, number: $0) }
    }

    /// The triggers of records inside others: a record without an owner is not reported to the server.
    private func insideTriggers(_ plan: EntityPlan) -> [String] {
        guard plan.travelsInside else { return [] }
        return [
            Self.trigger(
                "inside_insert", in: plan.table, event: "INSERT", when: plan.isInsideSQL("NEW"),
                statements: Self.insertion(plan)),
            Self.trigger(
                "inside_delete", in: plan.table, event: "DELETE", when: plan.isInsideSQL("OLD"),
                statements: deletion(plan)),
        ].compactMap(\.self)
    }

    /// - Parameters:
    ///   - columns: The columns whose update fires it.
    ///   - condition: An additional condition.
    private static func trigger(
        _ name: String, in table: String, event: String, of columns: [String] = [], when condition: String? = nil,
        statements: [String]
    ) -> String? {
        guard !statements.isEmpty else { return nil }
        let columns = columns.isEmpty ? "" : " OF " + columns.map(SQLName.quoted).joined(separator: ", ")
        return """
            CREATE TRIGGER \(SQLName.quoted(Self.name(name, in: table))) AFTER \(event)\(columns) \
            ON \(SQLName.quoted(table)) WHEN \(OutboxSQL.isNotQuiet)\(condition.map { " AND (\($0))" } ?? "") BEGIN
            \(statements.map { "    \($0);\n" }.joined())END
            """
    }

    // MARK: Records

    private static func insertion(_ plan: EntityPlan) -> [String] {
        let record = plan.outboxRecordSQL("NEW")
        let isDeleted = "\(OutboxSQL.isRow(of: plan, for: record)) AND change = \(OutboxChange.delete.rawValue)"
        var statements: [String] = []
        if plan.tracks(.delete) && plan.tracks(.update) {
            statements.append("UPDATE \(OutboxTables.outbox) SET \(OutboxSQL.recreated) WHERE \(isDeleted)")
        }
        if plan.tracks(.create) { statements.append(OutboxSQL.insertRow(.create, of: plan, for: record)) }
        if plan.tracks(.delete) && !plan.tracks(.update) {
            // The server still has it, and accepts no changes of it.
            let isKnown = OutboxSQL.hasRow(of: plan, for: record, and: "change = \(OutboxChange.delete.rawValue)")
            statements.append(OutboxSQL.deleteBase(of: plan, row: "NEW", where: isKnown))
            statements += OutboxSQL.deleteRows(isDeleted)
        }
        return statements
    }

    private func update(_ plan: EntityPlan) -> [String] {
        guard plan.tracks(.create) || plan.tracks(.update) else { return [] }
        let record = plan.outboxRecordSQL("NEW")
        var statements = [
            "UPDATE \(OutboxTables.outbox) SET \(OutboxSQL.touched) WHERE \(OutboxSQL.isRow(of: plan, for: record))"
        ]
        guard plan.tracks(.update) else { return statements }
        guard plan.travelsInside else {
            statements.append(
                OutboxSQL.insertBase(of: plan, row: "OLD", unless: OutboxSQL.hasRow(of: plan, for: record)))
            statements.append(OutboxSQL.insertRow(.update, of: plan, for: record))
            return statements
        }
        // One that gets an owner now is new in it.
        let (wasInside, isInside) = (plan.isInsideSQL("OLD"), plan.isInsideSQL("NEW"))
        let isLeftOut = "(\(OutboxSQL.hasRow(of: plan, for: record)) OR NOT (\(wasInside)))"
        statements.append(OutboxSQL.insertBase(of: plan, row: "OLD", unless: isLeftOut))
        statements.append(OutboxSQL.insertRow(.update, of: plan, for: record, where: wasInside))
        statements.append(OutboxSQL.insertRow(.create, of: plan, for: record, where: isInside))
        return statements
    }

    private func deletion(_ plan: EntityPlan) -> [String] {
        guard plan.isTracked else { return [] }
        let record = plan.outboxRecordSQL("OLD")
        let isRow = OutboxSQL.isRow(of: plan, for: record)
        // It was never sent to the server.
        let isUnsent = "change = \(OutboxChange.create.rawValue) AND idempotency_key IS NULL"
        guard plan.tracks(.delete) else {
            return forget(plan, for: record)
        }
        let unsent = OutboxSQL.hasRow(of: plan, for: record, and: isUnsent)
        return [
            // One that was deleted on the server and created again has a base, which is deleted with it.
            OutboxSQL.deleteBase(of: plan, row: "OLD", where: unsent),
            OutboxSQL.insertBase(of: plan, row: "OLD", unless: unsent),
            """
            UPDATE \(OutboxTables.outbox) SET change = \(OutboxChange.delete.rawValue), \(OutboxSQL.touched) \
            WHERE \(isRow) AND NOT (\(isUnsent))
            """,
            OutboxSQL.insertRow(.delete, of: plan, for: record),
            // Nothing remains of one that was created and deleted locally, nor of its state before the server lost it.
            OutboxSQL.deleteBase(of: plan, row: "OLD", where: unsent),
        ] + forgetLinks(plan, for: record, and: unsent)
            + OutboxSQL.deleteRows("\(isRow) AND \(isUnsent)")
    }

    /// Deletes all rows of a record.
    private func forget(_ plan: EntityPlan, for record: String) -> [String] {
        [OutboxSQL.deleteBase(of: plan, row: "OLD")] + forgetLinks(plan, for: record, and: nil)
            + OutboxSQL.deleteRows(OutboxSQL.isRow(of: plan, for: record))
    }

    private func forgetLinks(_ plan: EntityPlan, for record: String, and condition: String?) -> [String] {
        let names = links.filter { $0.owner === plan && !$0.isOrderOnly }.map { OutboxSQL.literal($0.name) }
        guard !names.isEmpty else { return [] }
        return [
            """
            DELETE FROM \(OutboxTables.links) WHERE join_table IN (\(names.joined(separator: ", "))) \
            AND source = \(record)\(condition.map { " AND \($0)" } ?? "")
            """
        ]
    }

    private func updateTrigger(_ plan: EntityPlan) -> String? {
        let columns = plan.travellingColumns
        guard plan.isTracked, !columns.isEmpty else { return nil }
        let names = columns.map { plan.columns[$0].name }
        let isRenamed = OutboxSQL.isChanged(plan, columns: plan.keyColumns)
        let condition = "(\(OutboxSQL.isChanged(plan, columns: columns))) AND NOT (\(isRenamed))"
        return Self.trigger(
            "update", in: plan.table, event: "UPDATE", of: names, when: condition,
            statements: update(plan) + movedOwners(plan))
    }

    /// Returns triggers for records that are sent inside an owner: a change of one changes that owner; if it moves, the
    /// former one too.
    private func movedOwners(_ plan: EntityPlan) -> [String] {
        plan.travelsInside ? touch.ownersOfRow("OLD", of: plan) + touch.ownersOfRow("NEW", of: plan) : []
    }

    /// A record whose key changes is another record: the old one is deleted, and a new one is created.
    private func keyTrigger(_ plan: EntityPlan) -> String? {
        guard plan.isTracked else { return nil }
        return Self.trigger(
            "key", in: plan.table, event: "UPDATE", of: plan.keyColumns.map { plan.columns[$0].name },
            when: OutboxSQL.isChanged(plan, columns: plan.keyColumns),
            statements: deletion(plan) + Self.insertion(plan) + movedOwners(plan))
    }

    /// Returns triggers for records that are not recorded themselves: a change of one changes its owner; if it moves,
    /// the former one too. For what is sent inside an owner, this applies to its position in the owner's list.
    private func ownerTriggers(_ plan: EntityPlan) -> [String] {
        guard !plan.travels else { return [] }
        if plan.travelsInside { return positionTriggers(plan) }
        let isChanged = OutboxSQL.isChanged(plan, columns: Array(plan.columns.indices))
        return [
            Self.trigger(
                "update", in: plan.table, event: "UPDATE", of: plan.columns.map(\.name), when: isChanged,
                statements: touch.ownersOfRow("OLD", of: plan) + touch.ownersOfRow("NEW", of: plan))
        ].compactMap(\.self)
    }

    private func positionTriggers(_ plan: EntityPlan) -> [String] {
        OutboxOwner.owners(of: plan, plans: plans).enumerated().compactMap { number, end in
            end.position(in: plan).flatMap {
                positionTrigger(plan, number: number, in: end.owner, by: $0.columns, at: $0.position)
            }
        }
    }

    /// The changes if a record moves to another position in its owner's list.
    ///
    /// - Parameters:
    ///   - columns: The columns with the owner's key.
    ///   - position: The column with the position.
    private func positionTrigger(
        _ plan: EntityPlan, number: Int, in owner: EntityPlan, by columns: [Int], at position: Int
    ) -> String? {
        let isMoved = OutboxSQL.isChanged(plan, columns: columns + plan.keyColumns)
        return Self.trigger(
            "place_\(number)", in: plan.table, event: "UPDATE", of: [plan.columns[position].name],
            when: "(\(OutboxSQL.isChanged(plan, columns: [position]))) AND NOT (\(isMoved))",
            statements: touch.statements(
                owner,
                where: OutboxSQL.matches(
                    owner, columns: owner.keyColumns, expressions: OutboxSQL.values("NEW", of: plan, columns: columns)),
                marks: .order
            ))
    }

    // MARK: Links in foreign keys

    private func condition(_ link: OutboxLinkRoute, row: String, columns: [Int]) -> String {
        let isPlaced = orderColumn(link).map {
            " AND \(OutboxSQL.values(row, of: link.destination, columns: [$0])[0]) IS NOT NULL"
        }
        return OutboxSQL.matches(
            link.owner, columns: link.owner.keyColumns,
            expressions: OutboxSQL.values(row, of: link.destination, columns: columns))
            + (link.isOrderOnly ? isPlaced ?? "" : "")
    }

    private func orderColumn(_ link: OutboxLinkRoute) -> Int? {
        if case .foreignKey(_, position: let position) = link.storage { position } else { nil }
    }

    private func held(_ link: OutboxLinkRoute, row: String, isAdded: Bool) -> [String] {
        guard case .foreignKey(let columns, let position) = link.storage else { return [] }
        let touched = touch.statements(
            link.owner, where: condition(link, row: row, columns: columns), marks: link.isOrderOnly ? .order : [])
        guard !touched.isEmpty, !link.isOrderOnly else { return touched }
        let key = OutboxSQL.values(row, of: link.destination, columns: columns)
        let positionSQL = position.map { OutboxSQL.values(row, of: link.destination, columns: [$0])[0] }
        return note(
            link, source: link.owner.outboxRecordSQL(of: key), owner: condition(link, row: row, columns: columns),
            destination: link.destination.outboxRecordSQL(row), isAdded: isAdded, positions: (positionSQL, nil))
            + touched
    }

    /// The changes if a record moves to another owner, or to another position there.
    private func heldTriggers(_ link: OutboxLinkRoute, number: Int) -> [String] {
        guard case .foreignKey(let columns, let position) = link.storage else { return [] }
        let plan = link.destination
        func names(_ columns: [Int]) -> [String] { columns.map { plan.columns[$0].name } }
        let isMoved = OutboxSQL.isChanged(plan, columns: columns + plan.keyColumns)
        let placed = position.flatMap { positionTrigger(plan, number: number, in: link.owner, by: columns, at: $0) }
        return [
            Self.trigger(
                "link_\(number)", in: plan.table, event: "UPDATE", of: names(columns + plan.keyColumns), when: isMoved,
                statements: held(link, row: "OLD", isAdded: false) + held(link, row: "NEW", isAdded: true)),
            placed,
        ].compactMap(\.self)
    }

    // MARK: Links in join tables

    private func joinTriggers(_ link: OutboxLinkRoute) -> [String] {
        guard case .joinTable(let join) = link.storage else { return [] }
        func statements(_ row: String, isAdded: Bool) -> [String] {
            let sources = join.sourceColumns.map { "\(row).\(SQLName.quoted($0))" }
            let destinations = join.destinationColumns.map { "\(row).\(SQLName.quoted($0))" }
            let condition = OutboxSQL.matches(link.owner, columns: link.owner.keyColumns, expressions: sources)
            let positions = [join.position, join.inversePosition].map { column in
                column.map { "\(row).\(SQLName.quoted($0))" }
            }
            let noted =
                !link.isNoted
                ? []
                : note(
                    link, source: link.owner.outboxRecordSQL(of: sources), owner: condition,
                    destination: link.destination.outboxRecordSQL(of: destinations), isAdded: isAdded,
                    positions: (positions[0], positions[1]))
            let others = link.alternatives.flatMap { end in
                let sources = end.join.sourceColumns.map { "\(row).\(SQLName.quoted($0))" }
                return touch.statements(
                    end.plan, where: OutboxSQL.matches(end.plan, columns: end.plan.keyColumns, expressions: sources),
                    marks: end.isOfRecords ? [] : .embedded)
            }
            let marks: OutboxMarks = link.isNoted ? [] : .embedded
            return noted + touch.statements(link.owner, where: condition, marks: marks) + others
        }
        func isChanged(_ columns: [String]) -> String {
            columns.map { "NEW.\(SQLName.quoted($0)) IS NOT OLD.\(SQLName.quoted($0))" }.joined(separator: " OR ")
        }
        let keys = join.sourceColumns + join.destinationColumns
        let source = join.sourceColumns.map { "NEW.\(SQLName.quoted($0))" }
        let reordered = join.position.map { position in
            Self.trigger(
                "order", in: join.table, event: "UPDATE", of: [position],
                when: "(\(isChanged([position]))) AND NOT (\(isChanged(keys)))",
                statements: touch.statements(
                    link.owner,
                    where: OutboxSQL.matches(link.owner, columns: link.owner.keyColumns, expressions: source),
                    marks: .order))
        }
        return [
            Self.trigger("insert", in: join.table, event: "INSERT", statements: statements("NEW", isAdded: true)),
            Self.trigger("delete", in: join.table, event: "DELETE", statements: statements("OLD", isAdded: false)),
            Self.trigger(
                "key", in: join.table, event: "UPDATE", of: keys, when: isChanged(keys),
                statements: statements("OLD", isAdded: false) + statements("NEW", isAdded: true)),
            reordered.flatMap(\.self),
        ].compactMap(\.self)
    }

    /// Records a link. If it undoes an earlier change of the same link, that change is removed.
    ///
    /// - Parameter owner: The condition that identifies the owner in its table.
    private func note(
        _ link: OutboxLinkRoute, source: String, owner: String, destination: String, isAdded: Bool,
        positions: (String?, String?)
    ) -> [String] {
        let isLink = """
            join_table = \(OutboxSQL.literal(link.name)) AND source = \(source) AND destination = \(destination)
            """
        let change = isAdded ? 1 : 0
        let isUnconfirmed = """
            EXISTS (SELECT 1 FROM \(OutboxTables.outbox) AS o JOIN \(OutboxTables.unconfirmed) AS u ON u.change = o.id \
            WHERE o.entity = \(OutboxSQL.literal(link.owner.name)) AND o.record = \(source) \
            AND u.name = \(OutboxSQL.literal(link.name)) AND u.is_link AND u.value = \(destination))
            """
        let isOwnerKnown = """
            (EXISTS (SELECT 1 FROM \(SQLName.quoted(link.owner.table)) WHERE \(owner)) \
            OR \(OutboxSQL.hasRow(of: link.owner, for: source)))
            """
        return [
            """
            INSERT INTO \(OutboxTables.links) \
            (entity, join_table, source, destination, is_added, position, inverse_position) \
            SELECT \(OutboxSQL.literal(link.owner.name)), \(OutboxSQL.literal(link.name)), \(source), \
            \(destination), \(change), \
            \(isAdded ? "NULL" : positions.0 ?? "NULL"), \(isAdded ? "NULL" : positions.1 ?? "NULL") \
            WHERE \(isOwnerKnown) AND NOT EXISTS (SELECT 1 FROM \(OutboxTables.links) WHERE \(isLink))
            """,
            // The server may have what was sent of it.
            """
            UPDATE \(OutboxTables.links) SET is_added = \(change) WHERE \(isLink) AND is_added = \(1 - change) \
            AND \(isUnconfirmed)
            """,
            """
            DELETE FROM \(OutboxTables.links) WHERE \(isLink) AND is_added = \(1 - change) AND NOT \(isUnconfirmed)
            """,
        ]
    }
}
