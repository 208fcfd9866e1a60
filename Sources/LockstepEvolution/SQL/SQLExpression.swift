/// A condition or a value in SQL, as a value.
package indirect enum SQLExpression: Hashable, Sendable {
    /// A column of the current table.
    case column(String)
    /// The same, read as a number, because SQLite stores decimals as text.
    case number(ofColumn: String)
    case literal(SQLLiteral)
    case compare(SQLExpression, Comparison, SQLExpression)
    case and([SQLExpression])
    case isAmong(SQLExpression, [SQLLiteral])
    /// The length of the column's value.
    case length(LengthUnit, ofColumn: String)

    package enum Comparison: Hashable, Sendable { case equal, atLeast, atMost, different }

    /// The unit of the length of a value.
    package enum LengthUnit: Hashable, Sendable { case scalars, bytes, elements }
}

extension SQLExpression {
    /// The same condition of another column: those of a column's definition name only that column.
    package func renamed(to column: String) -> SQLExpression {
        switch self {
        case .column: .column(column)
        case .number: .number(ofColumn: column)
        case .literal: self
        case .compare(let left, let comparison, let right):
            .compare(left.renamed(to: column), comparison, right.renamed(to: column))
        case .and(let terms): .and(terms.map { $0.renamed(to: column) })
        case .isAmong(let value, let literals): .isAmong(value.renamed(to: column), literals)
        case .length(let unit, _): .length(unit, ofColumn: column)
        }
    }
}

extension SQLWriter {
    package mutating func expression(_ expression: SQLExpression) {
        switch expression {
        case .column(let name): identifier(name)
        case .number(let name): number(ofColumn: name)
        case .literal(let literal): self.literal(literal)
        case .compare(let left, let comparison, let right): compare(left, comparison: comparison, right: right)
        case .and(let terms): joined(terms, separator: " AND ") { $0.expression($1) }
        case .isAmong(let value, let literals): isAmong(value, literals: literals)
        case .length(let unit, let name): length(unit, ofColumn: name)
        }
    }

    private mutating func number(ofColumn name: String) {
        guard dialect == .sqlite else { return identifier(name) }
        write("CAST(")
        identifier(name)
        write(" AS REAL)")
    }

    private mutating func compare(_ left: SQLExpression, comparison: SQLExpression.Comparison, right: SQLExpression) {
        expression(left)
        switch comparison {
        case .equal: write(" = ")
        case .atLeast: write(" >= ")
        case .atMost: write(" <= ")
        case .different: write(" <> ")
        }
        expression(right)
    }

    private mutating func isAmong(_ value: SQLExpression, literals: [SQLLiteral]) {
        expression(value)
        write(" IN (")
        joined(literals) { $0.literal($1) }
        write(")")
    }

    private mutating func length(_ unit: SQLExpression.LengthUnit, ofColumn name: String) {
        switch (unit, dialect) {
        case (.scalars, _), (.bytes, .sqlite): write("length(")
        case (.bytes, .postgresql): write("octet_length(")
        case (.elements, .sqlite): write("json_array_length(")
        case (.elements, .postgresql): write("jsonb_array_length(")
        }
        identifier(name)
        write(")")
    }
}
