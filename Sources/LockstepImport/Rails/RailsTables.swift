import Foundation
import LockstepJSON
import LockstepSchema

extension RailsTable {
    /// The table as the database has it, without its foreign keys.
    ///
    /// - Parameter enumerations: The types of the enums whose values are known.
    func databaseTable(enumerations: Set<String>) -> DatabaseTable {
        var result = DatabaseTable(
            name: name, spelling: .exact, documentation: call.option("comment")?.text, line: line)
        let key = keyNames
        result.columns = impliedKey.map { [$0] } ?? []
        result.columns += columns.map { column in
            let value = column.option("default")
            let type = column.enumeration ?? "\(name).\(column.name)"
            return DatabaseColumn(
                name: column.name, spelling: .exact, declaredType: column.type, isRequired: column.isRequired,
                defaultText: value?.description, defaultValue: column.defaultValue,
                keyPosition: key.firstIndex(of: column.name).map { $0 + 1 } ?? 0,
                isGenerated: column.isTimestamp || column.type == "virtual", isAssigned: column.type == "primary_key",
                enumeration: enumerations.contains(type) ? type : nil, documentation: column.option("comment")?.text,
                line: column.line)
        }
        result.checks = checks
        result.indexes = indexes.filter(\.isSorted).map(databaseIndex)
        result.indexes += columns.filter { $0.option("index")?.isTrue == true }.map { column in
            DatabaseIndex(
                name: column.name, isUnique: false, isPartial: false, isKey: false,
                terms: [DatabaseIndex.Term(column: column.name)], sql: nil, line: column.line)
        }
        return result
    }

    private func databaseIndex(_ index: RailsIndex) -> DatabaseIndex {
        let list = index.columns.joined(separator: ", ")
        let condition = index.call.option("where").map { " WHERE \($0.text ?? "")" } ?? ""
        return DatabaseIndex(
            name: index.call.option("name")?.text ?? "index_\(name)_on_\(index.columns.joined(separator: "_and_"))",
            isUnique: index.isUnique,
            isPartial: index.isPartial,
            isKey: false,
            terms: index.columns.map { column in
                let isName = column.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
                return DatabaseIndex.Term(
                    column: isName ? column : nil, isDescending: index.isDescending(column))
            },
            sql: index.isOfConstraint ? nil : "(\(list))\(condition)", line: index.line)
    }

    // MARK: Primary key

    /// The columns of the primary key; one that is not in the block is implied.
    private var keyNames: [String] {
        let option = call.option("primary_key")
        if case .array(let names) = option { return names.compactMap(\.text) }
        if let column = columns.first(where: { $0.type == "primary_key" }) { return [column.name] }
        return option?.text.map { [$0] } ?? (hasImpliedKey ? ["id"] : [])
    }

    /// The column that Rails does not write in the block.
    private var impliedKey: DatabaseColumn? {
        let names = keyNames
        guard hasImpliedKey, names.count == 1, column(names[0]) == nil else { return nil }
        var type = call.option("id")?.text ?? "bigint"
        if case .hash(let options) = call.option("id") { type = options.last { $0.key == "type" }?.value.text ?? type }
        let known = RailsType(type)?.name ?? "int"
        return DatabaseColumn(
            name: names[0], spelling: .exact, declaredType: known == "int" ? "bigint" : type, isRequired: true,
            defaultText: known == "uuid" ? "" : nil, defaultValue: known == "uuid" ? .newUUID : .null, keyPosition: 1,
            isAssigned: known.hasPrefix("int"), line: line)
    }

    /// The options of the table that say something of the implied key beside its type.
    var keyOptions: [RubyOption] {
        var options = call.options.filter { ["default", "limit", "null"].contains($0.key) }
        if case .hash(let inner) = call.option("id") { options += inner.filter { $0.key != "type" } }
        return options.filter { option in
            guard case .lambda(let code) = option.value else { return true }
            return PostgreSQLExpression(code).defaultValue != .newUUID
        }
    }
}

extension RailsColumn {
    static let timestamps: Set = ["created_at", "updated_at", "created_on", "updated_on"]

    /// Whether Rails sets it.
    var isTimestamp: Bool { Self.timestamps.contains(name) }

    /// The name of its enum; `nil` if its type is none of PostgreSQL.
    var enumeration: String? { type == "enum" ? option("enum_type")?.text ?? "" : option("enum_type")?.text }

    fileprivate var defaultValue: DatabaseLiteral.Default {
        switch option("default") {
        case nil: .null
        case .lambda(let code): PostgreSQLExpression(code).defaultValue
        case .string("{}") where option("array")?.isTrue == true: .value(.array([]))
        case .string(let code) where type == "uuid" && UUID(uuidString: code) == nil:
            PostgreSQLExpression(code).defaultValue
        case let value?: value.json.map { $0 == .null ? .null : .value($0) } ?? .expression
        }
    }
}

extension RailsIndex {
    /// Whether its order is that of a column, or of all: `order: { published_at: :desc }`.
    fileprivate func isDescending(_ column: String) -> Bool {
        var order = call.option("order")
        if case .hash(let options) = order { order = options.last { $0.key == column }?.value }
        return order.flatMap(Self.isDescending) == true
    }

    /// Whether all of its order is known.
    var isOrderKnown: Bool {
        guard let order = call.option("order") else { return true }
        guard case .hash(let options) = order else { return Self.isDescending(order) != nil }
        return options.allSatisfy { Self.isDescending($0.value) != nil }
    }

    /// `nil` for another order than that of SQL.
    private static func isDescending(_ order: RubyValue) -> Bool? {
        let words = order.text?.lowercased().split(separator: " ") ?? []
        guard let first = words.first, ["asc", "desc"].contains(first),
            words.count == 1 || words.count == 3 && words[1] == "nulls" && ["first", "last"].contains(words[2])
        else { return nil }
        return first == "desc"
    }
}
