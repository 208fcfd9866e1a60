import LockstepJSON
import LockstepSchema

/// Makes attributes of the columns of a table.
final class RailsColumns {
    private let table: RailsTable
    private let entity: String
    private let enums: [String: String]
    private let types: Set<String>
    let notes: ImportNotes
    private var names: [String: String] = [:]
    private var members = MemberNames()
    private var decimals: [String] = []
    private var timestamps: [String] = []
    private var requiredTimestamps: [String] = []

    init(_ table: RailsTable, entity: String, enums: [String: String], types: Set<String>, notes: ImportNotes) {
        (self.table, self.entity, self.enums, self.types, self.notes) = (table, entity, enums, types, notes)
        for column in table.columns { names[column.name] = free(UsableName.camelCase(column.name)) }
    }

    // MARK: Names

    func free(_ name: String) -> String {
        members.free(UsableName.member(name, types: types), in: entity)
    }

    /// A name for the relationship of a column, which no column has.
    func relationshipName(_ base: String) -> String {
        let wanted = UsableName.member(UsableName.camelCase(base), types: types)
        return free(members.isTaken(wanted, in: entity) ? UsableName.camelCase("\(base)_record") : wanted)
    }

    /// The name of the attribute of a column.
    func name(of column: String) -> String {
        if let name = names[column] { return name }
        let name = free(UsableName.camelCase(column))
        names[column] = name
        return name
    }

    /// Gives a member the name of its column as the JSON key, if it has another one by itself.
    func addKey(_ column: String, to member: inout MemberSketch) {
        if UsableName.snakeCase(member.name) != column { member.key = [column] }
    }

    // MARK: Attributes

    /// The attribute of a column; `nil` if it is left out.
    func attribute(_ column: RailsColumn, isKey: Bool) -> MemberSketch? {
        let subject = "\(table.name).\(column.name)"
        if !isKey, SecretNames.isSecret(column.name),
            RailsType(column.type, limit: nil).map({ SecretNames.areSecret($0.name) }) == true
        {
            notes.left(column.line, text: "\(subject), a secret of the server", help: "If the server sends it, add it.")
            return nil
        }
        guard let type = type(of: column, subject: subject) else { return nil }
        if let decision = type.decision { notes.decided(column.line, text: "\(subject), \(decision)") }
        let name = name(of: column.name)
        let isTimestamp = ["created_at", "updated_at", "created_on", "updated_on"].contains(column.name)
        let isList = column.option("array")?.isTrue == true
        let isReadOnly = isTimestamp || column.type == "virtual"
        let isOptional = !isKey && (!column.isRequired || isReadOnly)
        var member = MemberSketch(
            name: name, type: TypeSketch(name: type.name, isList: isList, isOptional: isOptional), line: column.line)
        addKey(column.name, to: &member)
        member.wire = type.wire
        if type.wire == .text { decimals.append(name) }
        if isTimestamp { timestamps.append(name) }
        if isTimestamp, column.isRequired { requiredTimestamps.append(name) }
        addDefault(column, as: type, to: &member, subject: subject, isList: isList)
        member.isReadOnly = isReadOnly
        let isUnsigned = column.option("unsigned")?.isTrue == true && RailsType.isNumber(type.name)
        if isUnsigned { member.minimum = 0 }
        if let limit = column.option("limit"), !addLimit(limit, as: type.name, to: &member) {
            notes.left(column.line, text: "\(subject): limit: \(limit.description)")
        }
        member.documentation = column.option("comment")?.text
        reportOptions(
            column,
            known: [
                "null", "default", "limit", "comment", "array", "enum_type", "type", "as", "stored", "index", "force",
                isUnsigned ? "unsigned" : "",
            ])
        return member
    }

    private func type(of column: RailsColumn, subject: String) -> RailsType? {
        let limit: Int? = if case .number(let digits) = column.option("limit") { Int(digits) } else { nil }
        if let known = enums["\(table.name).\(column.name)"] { return RailsType(enumeration: known) }
        if column.type == "enum" || column.option("enum_type") != nil {
            let name = column.option("enum_type")?.text ?? ""
            if let known = enums[name] { return RailsType(enumeration: known) }
            notes.left(column.line, text: "\(subject): its enum '\(name)' is not in the file", help: "It is a string.")
            return RailsType("string", limit: nil)
        }
        if column.type == "virtual" {
            notes.decided(
                column.line,
                text: "\(subject), which the database calculates (\(column.option("as")?.description ?? "")), "
                    + "is only read"
            )
            return RailsType(column.option("type")?.text ?? "string", limit: limit)
        }
        guard let type = RailsType(column.type, limit: limit) else {
            notes.left(column.line, text: "\(subject) has the type '\(column.type)', which is not known")
            return nil
        }
        return type
    }

    private func addLimit(_ limit: RubyValue, as type: String, to member: inout MemberSketch) -> Bool {
        guard case .number(let digits) = limit, let count = Int64(digits), count > 0 else { return false }
        switch type {
        case "string", "data": member.maximumLength = count
        case "int", "int16", "float", "double": return count <= 8 || type == "double" || type == "float"
        default: return false
        }
        return true
    }

    // MARK: Defaults

    private func addDefault(
        _ column: RailsColumn, as type: RailsType, to member: inout MemberSketch, subject: String, isList: Bool
    ) {
        guard let value = column.option("default"), value != .null else { return }
        member.defaultValue =
            isList ? Self.values(value, as: type).map(JSONValue.array) : Self.value(value, as: type)
        if member.defaultValue != nil { return }
        notes.left(
            column.line, text: "\(subject): the default \(value.description)",
            help: "If a device makes the value, set it in Swift, in an initializer.")
    }

    /// The default of a list; `nil` if it has values of another type, or is in PostgreSQL's notation.
    private static func values(_ value: RubyValue, as type: RailsType) -> [JSONValue]? {
        if value == .string("{}") { return [] }
        guard case .array(let elements) = value else { return nil }
        let values = elements.compactMap { self.value($0, as: type) }
        return values.count == elements.count ? values : nil
    }

    private static func value(_ value: RubyValue, as type: RailsType) -> JSONValue? {
        if case .lambda(let code) = value {
            let plain = code.lowercased().filter { $0 != " " }
            if type.name == "date" {
                let isNow = ["now()", "current_timestamp", "current_timestamp(6)", "current_date"].contains(plain)
                return isNow ? "now" : nil
            }
            return type.name == "uuid" && plain.contains("uuid") ? "new" : nil
        }
        switch type.name {
        case "bool": if case .bool(let flag) = value { return .bool(flag) }
        case "int", "int16", "float", "double", "decimal":
            if case .number(let digits) = value { return number(digits, as: type) }
            if let text = value.text { return number(text, as: type) }
        case "json": return value.json == .null ? nil : json(value)
        case "data": return nil
        case "uuid" where value.text == "gen_random_uuid()": return "new"
        default: return value.text.map(JSONValue.string)
        }
        return nil
    }

    /// A text in a JSON column is JSON itself.
    private static func json(_ value: RubyValue) -> JSONValue? {
        if let text = value.text { return try? JSONValue(parsing: text) }
        return value.json
    }

    private static func number(_ digits: String, as type: RailsType) -> JSONValue? {
        if let whole = Int64(digits) { return .integer(whole) }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 2, parts[1].allSatisfy({ $0 == "0" }), let whole = Int64(parts[0]) { return .integer(whole) }
        return type.name.hasPrefix("int") ? nil : RubyValue.number(digits)
    }

    // MARK: Reports

    /// Reports the options of a column that no one has read.
    func reportOptions(_ column: RailsColumn, known: Set<String>) {
        for option in column.options where !known.contains(option.key) {
            if option.key == "default", option.value == .null { continue }
            // Of a date, the database keeps fractions of a second; JSON has three digits anyway.
            if option.key == "precision", column.type != "decimal", column.type != "numeric" { continue }
            notes.left(
                column.line, text: "\(table.name).\(column.name): \(option.key): \(option.value.description)",
                help: ["precision", "scale"].contains(option.key) ? "Check it in Swift, in `validate()`." : nil)
        }
    }

    /// Reports once what is the same for several columns.
    func reportGroups() {
        if !decimals.isEmpty {
            notes.decided(
                table.line,
                text: "\(entity): decimals are strings in JSON, as in Rails: \(decimals.joined(separator: ", "))",
                help: "If the server sends numbers, remove `wire: string`.")
        }
        if !timestamps.isEmpty {
            notes.decided(
                table.line,
                text: "\(entity): only the server sets \(timestamps.joined(separator: ", ")) (`readOnly: true`)",
                help: requiredTimestamps.isEmpty
                    ? nil
                    : "A new record has none until then, so these are optional: "
                        + requiredTimestamps.joined(separator: ", ") + ".")
        }
    }
}
