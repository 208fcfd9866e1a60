import Foundation
import LockstepSchema

/// Reads the statements of a `schema.rb`. Those of another shape are reported, and never run.
final class RailsReader {
    /// The largest file that is read, in bytes.
    static let sizeLimit = 16 << 20

    private let path: String
    private let notes: ImportNotes
    private var schema = RailsSchema()
    private var table: RailsTable?
    private var tables: [String: RailsTable] = [:]
    /// The lines of the blocks that are open.
    private var open: [Int] = []
    private var isDefined = false

    private init(path: String, notes: ImportNotes) { (self.path, self.notes) = (path, notes) }

    /// - Throws: ``ImportFailure`` with the line, if it is no text, breaks off or has no table.
    static func read(_ data: Data, path: String, notes: ImportNotes) throws(ImportFailure) -> RailsSchema {
        guard data.count <= sizeLimit else {
            throw ImportFailure(
                path, reason: "It has \(data.count) bytes; at most \(sizeLimit) are read. Import a part of it.")
        }
        guard !data.contains(0), let text = String(data: data, encoding: .utf8) else {
            throw ImportFailure(
                path, reason: "It is not UTF-8 text. Save it as UTF-8, or dump it again with 'rails db:schema:dump'.")
        }
        let reader = RailsReader(path: path, notes: notes)
        return try reader.read(text)
    }

    private func read(_ text: String) throws(ImportFailure) -> RailsSchema {
        var statements = RubyStatements(text, path: path)
        while let statement = try statements.next() { try read(statement) }
        if let line = open.last {
            throw ImportFailure(
                path, line: line,
                reason: "The block that begins here has no 'end'. Get the file again, "
                    + "or dump it with 'rails db:schema:dump'."
            )
        }
        guard !schema.tables.isEmpty else {
            throw ImportFailure(path, line: 1, reason: "It has no table ('create_table \"posts\" do |t|').")
        }
        return schema
    }

    private func read(_ statement: RubyStatement) throws(ImportFailure) {
        let (text, line) = (statement.text, statement.line)
        if text.hasPrefix("# Could not dump table") {
            notes.left(line, text: text.drop { "# ".contains($0) }.description, help: "Write its entity yourself.")
        }
        if statement.code.isEmpty { return }
        if statement.code == "end" {
            guard !open.isEmpty else {
                throw ImportFailure(path, line: line, reason: "This 'end' closes no block. Correct the file.")
            }
            open.removeLast()
            if open.count < 2 { table = nil }
            return
        }
        if statement.code.hasPrefix("ActiveRecord::Schema"), statement.opensBlock {
            isDefined = true
            open.append(line)
            return
        }
        if statement.opensBlock { open.append(line) }
        guard isDefined, !statement.hasHeredoc, let call = RubyLineScanner.call(text, line: line), try read(call) else {
            return reportUnknown(statement)
        }
    }

    private func reportUnknown(_ statement: RubyStatement) {
        if statement.hasHeredoc {
            return notes.left(statement.line, text: statement.text, help: "Only tables become entities.")
        }
        notes.left(
            statement.line, text: "An unrecognized line: \(statement.text.prefix(120))",
            help: "Add what it means to the schema.")
    }

    // MARK: Calls

    /// Whether the call is known.
    private func read(_ call: RubyCall) throws(ImportFailure) -> Bool {
        if call.receiver != nil {
            guard let table, open.count == 2 else { return false }
            let count = table.columns.count
            let isKnown = RailsTableReader(table, notes: notes).read(call)
            try checkSize(of: table, at: call.line)
            try checkLengths(of: table.columns[count...].map(\.name), at: call.line)
            return isKnown
        }
        let names = call.arguments.compactMap(\.text)
        switch call.method {
        case "create_table":
            guard let name = names.first, call.arguments.count == 1, open.count == (call.hasBlock ? 2 : 1) else {
                return false
            }
            try addTable(name, call: call)
        case "create_join_table":
            guard names.count == 2, call.arguments.count == 2 else { return false }
            try addJoinTable(names, call: call)
        case "add_index":
            guard let name = names.first, let table = tables[name], call.arguments.count == 2 else { return false }
            table.indexes.append(RailsIndex(columns: Self.columns(call.arguments[1]), call: call))
            try checkSize(of: table, at: call.line)
        case "add_foreign_key":
            guard names.count == 2, call.arguments.count == 2 else { return false }
            schema.foreignKeys.append(RailsForeignKey(names[0], target: names[1], call: call))
        case "create_enum":
            guard let name = names.first, call.arguments.count == 2, case .array(let values) = call.arguments[1] else {
                return false
            }
            try checkLengths(of: [name], at: call.line)
            schema.enums.append((name, values.compactMap(\.text), call.line))
        case "enable_extension": schema.extensions.append(contentsOf: names)
        case "add_check_constraint":
            guard names.count == 2, call.arguments.count == 2, let table = tables[names[0]] else { return false }
            table.addCheck(names[1], at: call.line)
        default: return false
        }
        return true
    }

    /// More columns than any database allows (MySQL: 4,096), and more indexes than a table can use. Above them, columns
    /// and indexes would have to be found by name faster than in a list.
    private static let columnLimit = 5_000
    private static let indexLimit = 1_000

    private func checkSize(of table: RailsTable, at line: Int) throws(ImportFailure) {
        for (count, limit, noun) in [
            (table.columns.count, Self.columnLimit, "columns"), (table.indexes.count, Self.indexLimit, "indexes"),
        ] where count > limit {
            throw ImportFailure(
                path, line: line,
                reason: "The table '\(table.name)' has more than \(limit) \(noun). Remove some of them.")
        }
    }

    private func checkLengths(of names: [String], at line: Int) throws(ImportFailure) {
        for name in names { try ImportFailure.checkLength(of: name, path, line: line) }
    }

    /// The columns of an index: a list, or one column or expression.
    static func columns(_ value: RubyValue) -> [String] {
        if case .array(let elements) = value { return elements.compactMap(\.text) }
        return value.text.map { [$0] } ?? []
    }

    private func addTable(_ name: String, call: RubyCall) throws(ImportFailure) {
        if let first = tables[name] {
            throw ImportFailure(
                path, line: call.line,
                reason: "There are two tables '\(name)', the first in line \(first.line). Remove one.")
        }
        try checkLengths(of: [name] + (call.option("primary_key").map(Self.columns) ?? []), at: call.line)
        let table = RailsTable(name: name, call: call)
        tables[name] = table
        schema.tables.append(table)
        self.table = call.hasBlock ? table : nil
    }

    /// `create_join_table :posts, :tags` makes `posts_tags` with a column for each.
    private func addJoinTable(_ names: [String], call: RubyCall) throws(ImportFailure) {
        let name = call.option("table_name")?.text ?? names.sorted().joined(separator: "_")
        try checkLengths(of: names, at: call.line)
        try addTable(name, call: call)
        for other in names {
            tables[name]?.columns.append(
                RailsColumn(name: "\(Noun.singular(other))_id", type: "bigint", options: [], line: call.line))
        }
    }
}

/// Reads the lines in the block of a table.
struct RailsTableReader {
    private let table: RailsTable
    private let notes: ImportNotes

    init(_ table: RailsTable, notes: ImportNotes) { (self.table, self.notes) = (table, notes) }

    /// Whether the call is known.
    func read(_ call: RubyCall) -> Bool {
        let names = call.arguments.compactMap(\.text)
        switch call.method {
        case "index", "unique_constraint":
            guard call.arguments.count == 1 else { return false }
            table.indexes.append(RailsIndex(columns: RailsReader.columns(call.arguments[0]), call: call))
        case "timestamps":
            let required = RubyOption(key: "null", value: call.option("null") ?? .bool(false))
            for name in ["created_at", "updated_at"] { add(name, type: "datetime", options: [required], call: call) }
        case "references", "belongs_to":
            guard !names.isEmpty, names.count == call.arguments.count else { return false }
            for name in names { addReference(name, call: call) }
        case "check_constraint":
            guard names.count == 1, call.arguments.count == 1 else { return false }
            table.addCheck(names[0], at: call.line)
        case "foreign_key":
            guard let target = names.first else { return false }
            table.foreignKeys.append(RailsForeignKey(table.name, target: target, call: call))
        case "column":
            guard names.count == 2 else { return false }
            add(names[0], type: names[1], options: call.options, call: call)
        case "exclusion_constraint":
            let parts = call.arguments.flatMap(RailsReader.columns).joined(separator: ", ")
            notes.left(
                call.line, text: "\(table.name): the exclusion constraint over \(parts)",
                help: "Check it in Swift, in `validate()`.")
        default:
            guard !names.isEmpty, names.count == call.arguments.count, RailsType.isKnown(call.method) else {
                return false
            }
            for name in names { add(name, type: call.method, options: call.options, call: call) }
        }
        return true
    }

    private func add(_ name: String, type: String, options: [RubyOption], call: RubyCall) {
        if let first = table.column(name) {
            return notes.left(call.line, text: "\(table.name).\(name): it already exists, in line \(first.line)")
        }
        table.columns.append(RailsColumn(name: name, type: type, options: options, line: call.line))
    }

    private func addReference(_ name: String, call: RubyCall) {
        let type = call.option("type")?.text ?? "bigint"
        let kept = call.options.filter { ["null", "default", "comment"].contains($0.key) }
        add("\(name)_id", type: type, options: kept, call: call)
        switch call.option("polymorphic") {
        case nil, .bool(false): break
        default:
            add("\(name)_type", type: "string", options: kept, call: call)
        }
        // The other options are those of the column.
        func rule(_ method: String, options: [RubyOption]) -> RubyCall {
            RubyCall(receiver: nil, method: method, arguments: [], options: options, hasBlock: false, line: call.line)
        }
        func addKey(_ options: [RubyOption]) {
            let target = options.last { $0.key == "to_table" }?.value.text ?? Noun.plural(name)
            table.foreignKeys.append(
                RailsForeignKey(
                    table.name, target: target, columns: ["\(name)_id"], call: rule("foreign_key", options: options)))
        }
        switch call.option("foreign_key") {
        case .bool(true): addKey([])
        case .hash(let options): addKey(options)
        default: break
        }
        if case .hash(let options) = call.option("index"),
            options.contains(RubyOption(key: "unique", value: .bool(true)))
        {
            table.indexes.append(RailsIndex(columns: ["\(name)_id"], call: rule("index", options: options)))
        }
        let known: Set = [
            "null", "default", "comment", "type", "polymorphic", "foreign_key", "index", "if_not_exists", "precision",
        ]
        for option in call.options where !known.contains(option.key) {
            notes.left(call.line, text: "\(table.name).\(name): \(option.key): \(option.value.description)")
        }
    }
}
