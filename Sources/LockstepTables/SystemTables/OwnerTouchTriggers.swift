import LockstepEvolution

/// Marks records as changed because of changes to their links, or to what they embed.
struct OwnerTouchTriggers {
    let plans: SchemaPlan

    /// The maximum number of nested subqueries, from owner to owner. SQLite's parser allows ten. More levels, and trees
    /// of unlimited depth, are handled by ``OutboxClimb``.
    private static let mostNested = 4

    /// Whether a change of an entity's records is sent to the server, as such or with an owner.
    static func reaches(_ plan: EntityPlan, plans: SchemaPlan) -> Bool {
        !OwnerTouchTriggers(plans: plans).statements(plan, where: "1", marks: .embedded).isEmpty
    }

    /// Marks the records of an entity that satisfy a condition; their owners if they are not sent separately.
    ///
    /// - Parameter marks: The changes that are recorded nowhere else.
    func statements(_ plan: EntityPlan, where condition: String, marks: OutboxMarks) -> [String] {
        guard !plan.takes(.update) else { return touch(plan, condition: condition, marks: marks) }
        guard !plan.travels else { return [] }
        let isInside = plan.travelsInside
        let own = isInside && !marks.isEmpty ? touch(plan, condition: condition, marks: marks) : []
        let ownersMarks = isInside ? [] : marks
        guard isShallow(plan) else {
            return own + climb(OutboxClimb(from: plan, where: condition, plans: plans), marks: ownersMarks)
        }
        let keys = plan.keyColumns.map(plan.qualifiedName(ofColumn:))
        let table = SQLName.quoted(plan.table)
        return own
            + OutboxOwner.owners(of: plan, plans: plans).flatMap { end in
                statements(
                    end.owner,
                    where: end.condition(plan) { columns in
                        let names = columns?.map(plan.qualifiedName(ofColumn:)) ?? keys
                        return .selection("SELECT \(names.joined(separator: ", ")) FROM \(table) WHERE \(condition)")
                    }, marks: end.isHeldByRecord ? ownersMarks : .embedded)
            }
    }

    /// Marks the owners of the trigger's row.
    func ownersOfRow(_ row: String, of plan: EntityPlan) -> [String] {
        let marks = plan.travelsInside ? [] as OutboxMarks : .embedded
        guard isShallow(plan) else { return climb(OutboxClimb(fromRow: row, plan: plan, plans: plans), marks: marks) }
        return OutboxOwner.owners(of: plan, plans: plans).flatMap { end in
            statements(
                end.owner,
                where: end.condition(plan) { columns in
                    .values(OutboxSQL.values(row, of: plan, columns: columns ?? plan.keyColumns))
                }, marks: end.isHeldByRecord ? marks : .embedded)
        }
    }

    /// Whether the chain of owners leads to records that are sent separately in a few steps.
    private func isShallow(_ plan: EntityPlan, below steps: Int = Self.mostNested) -> Bool {
        let owners = OutboxOwner.owners(of: plan, plans: plans)
        return owners.isEmpty || steps > 0 && owners.allSatisfy { isShallow($0.owner, below: steps - 1) }
    }

    /// - Parameter marks: If an owner on the way has no key, everything that it embeds is sent.
    private func climb(_ climb: OutboxClimb, marks: OutboxMarks) -> [String] {
        let isHeld = climb.entities.allSatisfy { plan in
            OutboxOwner.owners(of: plan, plans: plans).allSatisfy(\.isHeldByRecord)
        }
        return climb.entities.filter { $0.takes(.update) }.flatMap {
            touch($0, condition: climb.condition($0), marks: isHeld ? marks : .embedded)
        }
    }

    private func touch(_ plan: EntityPlan, condition: String, marks: OutboxMarks) -> [String] {
        let table = SQLName.quoted(plan.table)
        let record = plan.outboxRecordSQL(table)
        let source = "\(table) WHERE \(condition)"
        let mark = marks.isEmpty ? "" : ", is_touched = is_touched | \(marks.rawValue)"
        return [
            """
            UPDATE \(OutboxTables.outbox) SET \(OutboxSQL.touched)\(mark) WHERE entity = \(OutboxSQL.literal(plan.name)) \
            AND record IN (SELECT \(record) FROM \(source))
            """,
            OutboxSQL.insertBase(of: plan, row: table, from: source, unless: OutboxSQL.hasRow(of: plan, for: record)),
            OutboxSQL.insertRow(.update, of: plan, for: record, from: source, marks: marks),
        ]
    }
}
