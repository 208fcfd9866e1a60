/// What marks records as changed because of what was done to others: to their links, or to what is embedded in them.
struct OutboxTouch {
    let plans: [EntityPlan]

    /// A record that does not travel by itself is climbed from so often: to its owner, and to that one's.
    private static let depthLimit = 4

    /// Whether a change of an entity's records reaches the server, in their own name or in that of an owner.
    static func reaches(_ plan: EntityPlan, _ plans: [EntityPlan]) -> Bool {
        !OutboxTouch(plans: plans).statements(plan, where: "1").isEmpty
    }

    /// Marks the records of an entity that a condition is true of; their owners where they do not travel themselves.
    ///
    /// - Parameter isLink: Whether only a link was changed, which is noted by itself.
    func statements(_ plan: EntityPlan, where condition: String, isLink: Bool = false, depth: Int = 0) -> [String] {
        guard !plan.takes(.update) else { return touch(plan, condition, isLink) }
        guard !plan.travels, depth < Self.depthLimit else { return [] }
        let keys = plan.keyColumns.map(plan.qualifiedName(ofColumn:))
        let table = SQLName.quoted(plan.table)
        return owners(of: plan).flatMap { end in
            statements(
                end.owner,
                where: end.condition(plan) { columns in
                    let names = columns?.map(plan.qualifiedName(ofColumn:)) ?? keys
                    return .selection("SELECT \(names.joined(separator: ", ")) FROM \(table) WHERE \(condition)")
                }, depth: depth + 1)
        }
    }

    /// Marks the owners of the row that a trigger is about.
    func ownersOfRow(_ row: String, _ plan: EntityPlan) -> [String] {
        owners(of: plan).flatMap { end in
            statements(
                end.owner,
                where: end.condition(plan) { columns in
                    .values(OutboxSQL.values(row, plan, columns ?? plan.keyColumns))
                }, depth: 1)
        }
    }

    private func touch(_ plan: EntityPlan, _ condition: String, _ isLink: Bool) -> [String] {
        let table = SQLName.quoted(plan.table)
        let record = plan.outboxRecordSQL(table)
        let source = "\(table) WHERE \(condition)"
        return [
            """
            UPDATE \(OutboxTables.outbox) SET \(OutboxSQL.touched)\(isLink ? "" : ", is_touched = 1") WHERE entity = \(OutboxSQL.literal(plan.name)) \
            AND record IN (SELECT \(record) FROM \(source))
            """,
            OutboxSQL.insertBase(of: plan, table, from: source, unless: OutboxSQL.hasRow(of: plan, record)),
            OutboxSQL.insertRow(.update, of: plan, record, from: source, isTouched: !isLink),
        ]
    }

    // MARK: Owners

    /// An entity that embeds another one's records.
    private struct Owner {
        let owner: EntityPlan
        let link: Link

        enum Link {
            /// The embedded record holds the owner's key.
            case foreignKey([Int])
            /// The owner holds the embedded record's key.
            case ownersKey([Int])
            case joinTable(JoinDescription)
        }

        enum Rows {
            case values([String])
            case selection(String)
        }

        /// The condition that a row of the owner's table is an owner.
        ///
        /// - Parameter rows: Gives columns of the embedded records; `nil` for their key.
        func condition(_ plan: EntityPlan, _ rows: ([Int]?) -> Rows) -> String {
            switch link {
            case .foreignKey(let columns): return match(owner.keyColumns, rows(columns))
            case .ownersKey(let columns): return match(columns, rows(nil))
            case .joinTable(let join):
                let destinations = join.destinationColumns.map(SQLName.quoted)
                let condition: String
                switch rows(nil) {
                case .values(let values):
                    condition = zip(destinations, values).map { "\($0) = \($1)" }.joined(separator: " AND ")
                case .selection(let selection):
                    let names = destinations.joined(separator: ", ")
                    condition = "\(destinations.count > 1 ? "(\(names))" : names) IN (\(selection))"
                }
                let sources = join.sourceColumns.map(SQLName.quoted).joined(separator: ", ")
                return OutboxSQL.isIn(
                    owner, owner.keyColumns,
                    "SELECT \(sources) FROM \(SQLName.quoted(join.table)) WHERE \(condition)")
            }
        }

        private func match(_ columns: [Int], _ rows: Rows) -> String {
            switch rows {
            case .values(let values): OutboxSQL.matches(owner, columns, values)
            case .selection(let selection): OutboxSQL.isIn(owner, columns, selection)
            }
        }
    }

    /// The entities that embed this one's records, which do not travel by themselves.
    private func owners(of plan: EntityPlan) -> [Owner] {
        guard !plan.travels else { return [] }
        return plans.flatMap { owner in
            owner.relationships.compactMap { description -> Owner? in
                guard description.destination.entity.plan === plan, case .embedded = description.wire else {
                    return nil
                }
                switch description.kind {
                case .toOne(let columns, _, _): return Owner(owner: owner, link: .ownersKey(columns))
                case .manyToMany(let join): return Owner(owner: owner, link: .joinTable(join))
                case .toOneInverse, .toMany:
                    guard let inverse = description.inverse.flatMap({ plan.relationship(named: $0) }),
                        case .toOne(let columns, _, _) = plan.relationships[inverse].kind
                    else { return nil }
                    return Owner(owner: owner, link: .foreignKey(columns))
                }
            }
        }
    }
}
