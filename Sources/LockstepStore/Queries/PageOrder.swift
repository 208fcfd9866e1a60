import GRDB

/// A total order of an entity's records: the app's sort criteria, followed by the key, so that no two records are
/// equal.
struct PageOrder {
    struct Term {
        /// The column's index in the plan.
        let index: Int
        let isDescending: Bool
        let isOptional: Bool
        /// The column in SQL, as it is compared.
        let sql: SQL
        let isKeptAsDigits: Bool
    }

    let plan: EntityPlan
    let terms: [Term]

    init(_ orderings: [AttributeOrdering], plan: EntityPlan) throws {
        self.plan = plan
        var order: [(index: Int, isDescending: Bool)] = []
        for ordering in orderings {
            let index = try plan.index(ofColumn: ordering.column, doing: "fetching a page")
            if !order.contains(where: { $0.index == index }) { order.append((index, ordering.isDescending)) }
        }
        for index in plan.keyColumns where !order.contains(where: { $0.index == index }) {
            order.append((index, false))
        }
        terms = order.map { index, isDescending in
            let column = plan.columns[index]
            let isKeptAsDigits = column.type.isKeptAsDigits
            return Term(
                index: index, isDescending: isDescending, isOptional: column.isOptional,
                sql: Self.compared(ManagedObjectContext.column(index, of: plan), isKeptAsDigits: isKeptAsDigits),
                isKeptAsDigits: isKeptAsDigits)
        }
    }

    /// Decimals are stored as text, and compared as numbers.
    private static func compared(_ sql: SQL, isKeptAsDigits: Bool) -> SQL {
        isKeptAsDigits ? "CAST(\(sql) AS NUMERIC)" : sql
    }

    /// `Entry by -timestamp, identifier`
    var text: String {
        let names = terms.map { ($0.isDescending ? "-" : "") + plan.columns[$0.index].name }
        return "\(plan.name) by \(names.joined(separator: ", "))"
    }

    /// The `ORDER BY` terms, or those of the reverse order.
    func sql(isReversed: Bool) -> SQL {
        terms.map { $0.isDescending != isReversed ? "\($0.sql) DESC" : "\($0.sql) ASC" as SQL }.joined(separator: ", ")
    }

    /// A cursor after a row of all columns.
    func cursor(at row: RowReader) -> PageCursor {
        PageCursor(order: text, values: terms.map { CursorValue(row.databaseValue($0.index)) })
    }

    /// Whether a row comes after a cursor, in this order or the reverse one.
    func condition(behind cursor: PageCursor, isReversed: Bool) throws -> SQL {
        guard cursor.order == text, cursor.values.count == terms.count else {
            throw StoreError(
                .wrongCursor, doing: "fetching a page", entity: plan.name,
                reason: "the cursor belongs to the order “\(cursor.order)”, the page to “\(text)”",
                remedy: "Use the order that the cursor was created with, or begin with the first page.")
        }
        var condition: SQL = "0"
        for (index, term) in terms.enumerated().reversed() {
            let isDescending = term.isDescending != isReversed
            let value = Value(cursor.values[index], term: term, isDescending: isDescending)
            condition = "(\(value.behind) OR (\(value.same) AND \(condition)))"
            // This follows from the rest, but lets SQLite use an index.
            if index == 0, let bound = value.bound { condition = "(\(bound) AND \(condition))" }
        }
        return condition
    }

    /// One term of a cursor's position. To SQLite, NULL is less than any value.
    private struct Value {
        let behind: SQL
        let same: SQL
        let bound: SQL?

        init(_ value: CursorValue, term: Term, isDescending: Bool) {
            guard value != .null else {
                behind = isDescending ? "0" : "\(term.sql) IS NOT NULL"
                same = "\(term.sql) IS NULL"
                bound = nil
                return
            }
            let bare: SQL = "\(value.databaseValue.wholeExpression)"
            let value = PageOrder.compared(bare, isKeptAsDigits: term.isKeptAsDigits)
            same = "\(term.sql) = \(value)"
            switch (isDescending, term.isOptional) {
            case (false, _): (behind, bound) = ("\(term.sql) > \(value)", "\(term.sql) >= \(value)")
            case (true, false): (behind, bound) = ("\(term.sql) < \(value)", "\(term.sql) <= \(value)")
            case (true, true): (behind, bound) = ("(\(term.sql) < \(value) OR \(term.sql) IS NULL)", nil)
            }
        }
    }
}

extension StoredType {
    /// Whether it is a decimal, or a type of the app that is stored as one.
    var isKeptAsDigits: Bool {
        switch self {
        case .decimal: true
        case .custom(let custom): custom.stored.isKeptAsDigits
        default: false
        }
    }
}
