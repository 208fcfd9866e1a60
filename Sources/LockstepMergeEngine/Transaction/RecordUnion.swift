import GRDB
import LockstepTables

/// Merges two rows of the same record (Rules.md, C5 and P10): the first one is deleted, and everything that refers to
/// it refers to the other one from then on.
///
/// Two records that refer to one row each may then have the same unique value. They are the same record in turn if one
/// of them was created locally and is not confirmed by the server. If the server has both, nothing is merged, and
/// nothing is deleted.
struct RecordUnion {
    let database: Database
    let changes: RawChanges
    let plan: MergePlan
    /// Whether records of an entity that were created locally may be merged into others.
    var mayUnite: (EntityPlan) -> Bool = { _ in true }

    struct Pair: Equatable {
        let plan: EntityPlan
        /// The one that is deleted. It may be only a reserved key that others refer to.
        let record: RecordKey
        let other: RecordKey

        static func == (one: Pair, other: Pair) -> Bool {
            one.plan === other.plan && one.record == other.record && one.other == other.other
        }
    }

    /// Merges two records, and all records below them that must be merged as a consequence.
    ///
    /// - Parameter body: Merges the two records themselves, after those below them.
    /// - Returns: The pairs below them, in order; `nil` if nothing was done because the server has both records of a
    ///   collision.
    func unite(_ pair: Pair, body: (Pair) throws -> Void) throws -> [Pair]? {
        guard let below = try pairs(below: pair) else { return nil }
        for pair in below { try absorb(pair) }
        try body(pair)
        return below
    }

    /// Deletes a record, and redirects everything that refers to it to the other one.
    func absorb(_ pair: Pair) throws {
        let hasLinksToSend = try move(pair)
        try SentMembers(database: database, plans: plan.schema).move(
            from: RecordID(pair.plan, key: pair.record), to: RecordID(pair.plan, key: pair.other))
        try changes.note(.delete, in: pair.plan.table, database: database)
        try database.change(pair.plan.deleteSQL, with: pair.record.values)
        if let change = try PendingChange.fetch(database, of: pair.record, plan: pair.plan) {
            let writer = OutboxWriter(database, plan: pair.plan)
            let marks = try writer.marks(of: change)
            try writer.forget(pair.record, id: change.id)
            // Changes inside the deleted record are sent with the other one.
            if !marks.isEmpty, try writer.touch(pair.other), let change = try writer.change(of: pair.other) {
                try writer.mark(change, marks: marks)
            }
        }
        if try hasLinksToSend || InsideChanges(database).areIn(pair.plan, key: pair.other) { try markChanged(pair) }
    }

    // MARK: Collisions

    /// The records that must be merged if these two are, the deepest first; `nil` if that is impossible.
    private func pairs(below pair: Pair) throws -> [Pair]? {
        var (found, open): ([Pair], [Pair]) = ([], [])
        return try collect(pair, into: &found, open: &open) ? found : nil
    }

    private func collect(_ pair: Pair, into found: inout [Pair], open: inout [Pair]) throws -> Bool {
        open.append(pair)
        defer { open.removeLast() }
        for (plan, one, two) in try collisions(of: pair) {
            guard mayUnite(plan), let next = try ordered(plan, one: one, two: two), !open.contains(next) else {
                return false
            }
            if found.contains(next) { continue }
            guard try collect(next, into: &found, open: &open) else { return false }
            found.append(next)
        }
        return true
    }

    /// Orders two records: the first one, which is deleted, is the one that was created locally.
    private func ordered(_ plan: EntityPlan, one: RecordKey, two: RecordKey) throws -> Pair? {
        switch (try isOnlyLocal(one, of: plan), try isOnlyLocal(two, of: plan)) {
        case (true, false): Pair(plan: plan, record: one, other: two)
        case (false, true): Pair(plan: plan, record: two, other: one)
        default: nil
        }
    }

    private func isOnlyLocal(_ key: RecordKey, of plan: EntityPlan) throws -> Bool {
        if plan.travels { return try PendingChange.fetch(database, of: key, plan: plan)?.kind == .create }
        guard let remote = plan.remoteColumn else { return false }
        return try database.valueRows(plan.findSQL, with: key.values).first?[remote].isNull ?? false
    }

    /// Records that refer to the one record, each with another that has the same unique values and refers to the other
    /// record.
    private func collisions(of pair: Pair) throws -> [(plan: EntityPlan, one: RecordKey, two: RecordKey)] {
        try plan.entities.flatMap { entity in
            let links = entity.relationships.compactMap { relationship in
                plan.entities[relationship.destination].plan === pair.plan ? relationship.foreignKey : nil
            }
            guard !links.isEmpty else { return [] as [(plan: EntityPlan, one: RecordKey, two: RecordKey)] }
            let indexes = try uniqueIndexes(of: entity.plan).filter { index in
                links.joined().contains(where: index.contains)
            }
            return try indexes.flatMap { try collisions(of: pair, plan: entity.plan, links: links, in: $0) }
        }
    }

    private func collisions(
        of pair: Pair, plan: EntityPlan, links: [[Int]], in index: [Int]
    ) throws -> [(plan: EntityPlan, one: RecordKey, two: RecordKey)] {
        func name(_ column: Int, of row: String) -> String { "\(row).\(SQLName.quoted(plan.columns[column].name))" }
        func isLinked(_ link: [Int]) -> String {
            link.enumerated().map { "\(name($1, of: "one")) = ?\($0 + 1)" }.joined(separator: " AND ")
        }
        let matches = index.map { column in
            let moved = links.compactMap { link in
                link.firstIndex(of: column).map { "WHEN \(isLinked(link)) THEN ?\(link.count + $0 + 1) " }
            }
            let own = name(column, of: "one")
            return "\(name(column, of: "two")) = \(moved.isEmpty ? own : "CASE \(moved.joined())ELSE \(own) END")"
        }
        let table = SQLName.quoted(plan.table)
        let keys = ["one", "two"].flatMap { row in plan.keyColumns.map { name($0, of: row) } }
        let rows = try database.valueRows(
            """
            SELECT \(keys.joined(separator: ", ")) FROM \(table) AS one JOIN \(table) AS two \
            ON \(matches.joined(separator: " AND ")) \
            WHERE (\(links.map { "(\(isLinked($0)))" }.joined(separator: " OR "))) \
            AND NOT (\(plan.keyColumns.map { "\(name($0, of: "one")) = \(name($0, of: "two"))" }.joined(separator: " AND ")))
            """, with: pair.record.values + pair.other.values)
        let width = plan.keyColumns.count
        return rows.map { (plan, RecordKey(Array($0.prefix(width))), RecordKey(Array($0.suffix(width)))) }
            .filter { plan !== pair.plan || $0.1 != pair.record && $0.2 != pair.record }
    }

    /// The columns of each unique index that covers all rows and consists of columns only.
    private func uniqueIndexes(of plan: EntityPlan) throws -> [[Int]] {
        let partial = try String.fetchSet(
            database, sql: "SELECT name FROM pragma_index_list(?) WHERE partial", arguments: [plan.table])
        return try database.indexes(on: SQLName.forGRDB(plan.table)).filter {
            $0.isUnique && !partial.contains($0.name)
        }
        .compactMap { index in
            let columns = index.columns.compactMap { name in plan.columns.firstIndex { $0.name == name } }
            return columns.count == index.columns.count ? columns : nil
        }
    }
}
