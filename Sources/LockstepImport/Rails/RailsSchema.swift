import Foundation

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
    var isUnique: Bool { call.option("unique")?.isTrue == true }
}

struct RailsForeignKey {
    let table: String
    let target: String
    let column: String?
    let call: RubyCall
}

/// A table of the database.
final class RailsTable {
    let name: String
    let call: RubyCall
    var columns: [RailsColumn] = []
    var indexes: [RailsIndex] = []
    var foreignKeys: [RailsForeignKey] = []
    /// The names of the columns that refer to records of several tables, without `_id`.
    var polymorphic: Set<String> = []

    init(name: String, call: RubyCall) { (self.name, self.call) = (name, call) }

    var line: Int { call.line }

    func column(_ name: String) -> RailsColumn? { columns.first { $0.name == name } }
}

/// The contents of a `schema.rb`.
struct RailsSchema {
    var tables: [RailsTable] = []
    var enums: [(name: String, values: [String], line: Int)] = []
    var foreignKeys: [RailsForeignKey] = []
    var extensions: [String] = []
}
