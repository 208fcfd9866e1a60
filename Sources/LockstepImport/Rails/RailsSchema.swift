import LockstepSchema

/// A column of a table.
struct RailsColumn {
    let name: String
    /// `string`, `datetime`, …
    let type: String
    let options: [RubyOption]
    let line: Int

    func option(_ key: String) -> RubyValue? { options.last { $0.key == key }?.value }

    var isRequired: Bool { option("null") == .bool(false) }
}

struct RailsIndex {
    /// An expression is one column that is no column of the table.
    let columns: [String]
    let call: RubyCall
    var line: Int { call.line }
    var isOfConstraint: Bool { call.method == "unique_constraint" }
    var isUnique: Bool { isOfConstraint || call.option("unique")?.isTrue == true }
    var isPartial: Bool { call.option("where") != nil }
    /// Whether it is in the order of its columns, so that a store can have it.
    var isSorted: Bool { call.option("using").map { $0.text == "btree" } ?? true }
}

struct RailsForeignKey {
    let table: String
    let target: String
    let columns: [String]
    let call: RubyCall

    /// - Parameter columns: `nil` for the one that Rails assumes.
    init(_ table: String, target: String, columns: [String]? = nil, call: RubyCall) {
        (self.table, self.target, self.call) = (table, target, call)
        self.columns =
            columns ?? call.option("column").map(RailsReader.columns) ?? ["\(Noun.singular(target))_id"]
    }
}

/// A table of the database.
final class RailsTable {
    let name: String
    let call: RubyCall
    var columns: [RailsColumn] = []
    var indexes: [RailsIndex] = []
    var foreignKeys: [RailsForeignKey] = []
    var checks: [DatabaseCheck] = []

    init(name: String, call: RubyCall) { (self.name, self.call) = (name, call) }

    var line: Int { call.line }

    func column(_ name: String) -> RailsColumn? { columns.first { $0.name == name } }

    /// Adds a condition, as PostgreSQL or MySQL writes it.
    func addCheck(_ text: String, at line: Int) {
        checks.append(DatabaseCheck(text: text, tokens: PostgreSQLExpression(text).tokens, line: line))
    }
}

/// The contents of a `schema.rb`.
struct RailsSchema {
    var tables: [RailsTable] = []
    var enums: [(name: String, values: [String], line: Int)] = []
    var foreignKeys: [RailsForeignKey] = []
    var extensions: [String] = []
}
