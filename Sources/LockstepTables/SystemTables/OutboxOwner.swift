/// An entity that embeds another one's records.
struct OutboxOwner {
    let owner: EntityPlan
    private let link: Link

    private enum Link {
        /// The embedded record holds the owner's key.
        case foreignKey([Int])
        /// The owner holds the embedded record's key.
        case ownersKey([Int])
        case joinTable(JoinDescription)
    }

    /// The columns of an embedded record with its owner's key and with its position in the owner's list; `nil` if the
    /// owner's list is unordered, or the record does not hold the key.
    func position(in plan: EntityPlan) -> (columns: [Int], position: Int)? {
        guard case .foreignKey(let columns) = link else { return nil }
        return plan.relationships.lazy.compactMap { relationship in
            guard case .toOne(columns, let position?, _) = relationship.kind else { return nil }
            return (columns, position)
        }.first
    }

    /// Whether an embedded record's own row determines its owner.
    var isHeldByRecord: Bool { if case .foreignKey = link { true } else { false } }

    enum Rows {
        case values([String])
        case selection(String)
    }

    /// The entities that embed this one's records, if those are not sent separately.
    static func owners(of plan: EntityPlan, plans: SchemaPlan) -> [OutboxOwner] {
        guard !plan.travels else { return [] }
        return plans.flatMap { owner in owner.relationships.compactMap { OutboxOwner(owner, description: $0, of: plan) }
        }
    }

    private init?(_ owner: EntityPlan, description: RelationshipDescription, of plan: EntityPlan) {
        guard description.destination === plan, description.isEmbedded else { return nil }
        self.owner = owner
        switch description.kind {
        case .toOne(let columns, _, _): link = .ownersKey(columns)
        case .manyToMany(let join): link = .joinTable(join)
        case .toOneInverse, .toMany:
            guard let inverse = description.inverseIndex,
                case .toOne(let columns, _, _) = plan.relationships[inverse].kind
            else { return nil }
            link = .foreignKey(columns)
        }
    }

    // MARK: Conditions

    /// The condition that a row of the owner's table is an owner.
    ///
    /// - Parameter rows: Returns columns of the embedded records; `nil` stands for their key.
    func condition(_ plan: EntityPlan, rows: ([Int]?) -> Rows) -> String {
        switch link {
        case .foreignKey(let columns): return match(owner.keyColumns, rows: rows(columns))
        case .ownersKey(let columns): return match(columns, rows: rows(nil))
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
                owner, columns: owner.keyColumns,
                selection: "SELECT \(sources) FROM \(SQLName.quoted(join.table)) WHERE \(condition)")
        }
    }

    private func match(_ columns: [Int], rows: Rows) -> String {
        switch rows {
        case .values(let values): OutboxSQL.matches(owner, columns: columns, expressions: values)
        case .selection(let selection): OutboxSQL.isIn(owner, columns: columns, selection: selection)
        }
    }

    // MARK: Keys

    /// Where the key of an owner is read: these columns of a row of this table, whose columns `matched` contain the key
    /// of the embedded record.
    struct Source {
        let table: String
        let matched: [String]
        let key: [String]
        /// Whether it is the embedded record's own row.
        let isOwnRow: Bool
    }

    func source(_ plan: EntityPlan) -> Source {
        func names(_ plan: EntityPlan, columns: [Int]) -> [String] { columns.map { plan.columns[$0].name } }
        switch link {
        case .foreignKey(let columns):
            return Source(
                table: plan.table, matched: names(plan, columns: plan.keyColumns), key: names(plan, columns: columns),
                isOwnRow: true)
        case .ownersKey(let columns):
            return Source(
                table: owner.table, matched: names(owner, columns: columns),
                key: names(owner, columns: owner.keyColumns),
                isOwnRow: false)
        case .joinTable(let join):
            return Source(
                table: join.table, matched: join.destinationColumns, key: join.sourceColumns, isOwnRow: false)
        }
    }
}
