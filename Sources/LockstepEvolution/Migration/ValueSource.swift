import LockstepJSON

/// Where the values of a column come from.
struct ValueSource: Sendable {
    /// The former column; `nil` for an added one.
    let origin: String?
    /// The value in SQL, of the column with the former values. It is `nil` if that has the value.
    let expression: (@Sendable (String) -> String)?
    /// The value of all rows, if there is one.
    let constant: SQLLiteral?
    /// Whether it differs for each row, so that a base takes it from its record.
    var isRandom = false

    static func kept(_ column: String) -> ValueSource {
        ValueSource(origin: column, expression: nil, constant: nil)
    }

    /// No value.
    static var empty: ValueSource { ValueSource(origin: nil, expression: nil, constant: nil) }
}

/// Writes what happens to the values of an attribute as SQL.
struct ValueSQL: Sendable {
    let dialect: SQLDialect
    /// The time of the migration in seconds since 1970, for attributes with the default `now`.
    let now: Double

    /// - Parameter columns: The former columns of attributes, by name.
    func source(_ member: MemberEvolution, origin column: String?) -> ValueSource {
        var steps = member.steps[...]
        guard column == nil else {
            let changes = steps.filter(\.changesValues)
            guard !changes.isEmpty else { return ValueSource(origin: column, expression: nil, constant: nil) }
            return ValueSource(
                origin: column, expression: { value in changes.reduce(value) { self.value($0, $1) } }, constant: nil)
        }
        guard let first = steps.popFirst() else { return .empty }
        let later = steps.filter(\.changesValues)
        let seed = added(first)
        guard !later.isEmpty else { return seed }
        let expression = seed.expression
        let constant = seed.constant.map(text) ?? "NULL"
        return ValueSource(
            origin: nil,
            expression: { value in later.reduce(expression?(value) ?? constant) { self.value($0, $1) } }, constant: nil,
            isRandom: seed.isRandom)
    }

    private func added(_ step: ValueStep) -> ValueSource {
        let attribute = step.new.attribute
        let value =
            step.answers.fill.flatMap { DefaultStructure(json: $0, as: attribute.type) }
            ?? attribute.defaultValue
        switch value {
        case .now where dialect == .postgresql:
            return ValueSource(origin: nil, expression: { _ in "now()" }, constant: nil)
        case .now: return ValueSource(origin: nil, expression: nil, constant: .timestamp(now))
        case .newUUID:
            return ValueSource(
                origin: nil, expression: { _ in dialect == .sqlite ? "lockstep_uuid()" : "gen_random_uuid()" },
                constant: nil, isRandom: true)
        default: break
        }
        if let literal = value.flatMap({ literal($0, step.new) }) {
            return ValueSource(origin: nil, expression: nil, constant: literal)
        }
        return attribute.isOptional
            ? .empty : ValueSource(origin: nil, expression: nil, constant: step.new.zero(dialect))
    }

    /// The value after a step.
    private func value(_ value: String, _ step: ValueStep) -> String {
        guard let former = step.former else { return value }
        var result = value
        if !step.answers.cases.isEmpty { result = mapped(result, step, former) }
        if former.storedType != step.new.storedType { result = converted(result, from: former, step) }
        if step.needsFit { result = fitted(result, step) }
        if !step.new.attribute.isOptional, former.attribute.isOptional || result != value {
            result = "coalesce(\(result), \(replacement(step)))"
        }
        return result
    }

    /// The cases of a closed enum that went become others.
    private func mapped(_ value: String, _ step: ValueStep, _ former: ValueStep.Shape) -> String {
        let cases = step.answers.cases.sorted { $0.key < $1.key }.compactMap { name, other -> String? in
            guard let old = former.enumeration?.rawValue(ofCase: name),
                let new = step.new.enumeration?.rawValue(ofCase: other)
            else { return nil }
            return "WHEN \(text(old.literal)) THEN \(text(new.literal))"
        }
        return cases.isEmpty ? value : "CASE \(value) \(cases.joined(separator: " ")) ELSE \(value) END"
    }

    private func converted(_ value: String, from former: ValueStep.Shape, _ step: ValueStep) -> String {
        let types = (former.storedType, step.new.storedType)
        let converted =
            dialect == .sqlite
            ? conversion(value, types)
            : PostgreSQLConversion.call(value, from: former.sqlType, to: step.new.sqlType)
        guard converted.mayFail, let otherwise = otherwise(step) else { return converted.sql }
        return "CASE WHEN \(value) IS NULL THEN NULL ELSE coalesce(\(converted.sql), \(otherwise)) END"
    }

    private func conversion(_ value: String, _ types: (String, String)) -> (sql: String, mayFail: Bool) {
        if ValueStep.isWider(types.1, than: types.0) { return (value, false) }
        if ValueStep.integers.contains(types.0) {
            if types.1 == "double" { return ("CAST(\(value) AS REAL)", false) }
            if types.1 == "decimal", types.0 != "bool" { return ("CAST(\(value) AS TEXT)", false) }
        }
        let arguments = "\(value), '\(types.0)', '\(types.1)'"
        return ("lockstep_convert(\(arguments))", true)
    }

    /// The values that a new limit or a closed enum excludes are replaced.
    private func fitted(_ value: String, _ step: ValueStep) -> String {
        let lookup = SchemaLookup(SchemaStructure(name: "", enumerations: [step.new.enumeration].compactMap(\.self)))
        let checks = columnChecks(
            column: "v", type: lookup.columnType(of: step.new.attribute.type), limits: step.new.attribute.limits,
            dialect: dialect)
        guard !checks.isEmpty else { return value }
        let conditions = checks.map { check in
            var writer = SQLWriter(dialect: dialect)
            writer.expression(check)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
        return """
            (SELECT CASE WHEN "v" IS NULL OR (\(conditions.joined(separator: " AND "))) THEN "v" \
            ELSE \(otherwise(step) ?? (step.new.attribute.isOptional ? "NULL" : replacement(step))) END \
            FROM (SELECT \(value) AS "v") AS "t")
            """
    }

    /// The value of rows that cannot be converted; `nil` if the history does not say it.
    private func otherwise(_ step: ValueStep) -> String? {
        guard let json = step.answers.otherwise, json != .null else { return nil }
        return DefaultStructure(json: json, as: step.new.attribute.type).flatMap { literal($0, step.new) }.map(text)
    }

    /// The value instead of NULL.
    private func replacement(_ step: ValueStep) -> String {
        let value = step.answers.fill.flatMap { DefaultStructure(json: $0, as: step.new.attribute.type) }
        if let literal = value.flatMap({ literal($0, step.new) }) { return text(literal) }
        if let otherwise = otherwise(step) { return otherwise }
        switch step.new.attribute.defaultValue {
        case .now: return dialect == .sqlite ? text(.timestamp(now)) : "now()"
        case .newUUID: return dialect == .sqlite ? "lockstep_uuid()" : "gen_random_uuid()"
        case let value?: return literal(value, step.new).map(text) ?? text(step.new.zero(dialect))
        case nil: return text(step.new.zero(dialect))
        }
    }

    private func literal(_ value: DefaultStructure, _ shape: ValueStep.Shape) -> SQLLiteral? {
        let lookup = SchemaLookup(SchemaStructure(name: "", enumerations: [shape.enumeration].compactMap(\.self)))
        return DefaultLiteral(lookup: lookup, dialect: dialect).literal(value, as: shape.attribute.type)
    }

    private func text(_ literal: SQLLiteral) -> String {
        var writer = SQLWriter(dialect: dialect)
        writer.literal(literal)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension ValueStep {
    static let integers = ["bool", "int16", "int32", "int", "int64"]

    /// Whether a type has every value of another one, stored in the same way.
    static func isWider(_ type: String, than other: String) -> Bool {
        if let from = integers.firstIndex(of: other), let to = integers.firstIndex(of: type) {
            // `int` has 64 bits.
            return to >= min(from, 3)
        }
        return type == other || (other, type) == ("float", "double") || (other, type) == ("url", "string")
            || (other, type) == ("uuid", "string") || (other, type) == ("decimal", "string")
    }

    /// Whether values differ afterwards, or may.
    var changesValues: Bool {
        guard let former else { return true }
        return !Self.isWider(new.storedType, than: former.storedType) || !answers.cases.isEmpty || needsFit
            || (former.attribute.isOptional && !new.attribute.isOptional)
    }

    /// Whether a value that was allowed may not be allowed any more.
    var needsFit: Bool {
        guard let former else { return false }
        let isClosed = new.enumeration?.isClosed == true
        return former.attribute.limits != new.attribute.limits && !new.attribute.limits.isEmpty
            || isClosed
                && (former.enumeration?.isClosed != true
                    || Set(former.enumeration?.cases.map(\.rawValue) ?? [])
                        != Set(new.enumeration?.cases.map(\.rawValue) ?? []))
    }
}

extension ValueStep.Shape {
    /// The type of the stored values: an enum is stored as its raw value.
    var storedType: String {
        switch attribute.type {
        case .list(let element): "[\(storedType(of: element))]"
        default: storedType(of: attribute.type)
        }
    }

    private func storedType(of type: ValueType) -> String {
        switch type {
        case .enumeration: enumeration?.isInteger == true ? "int64" : "string"
        default: type.text
        }
    }

    /// The kind of column that stores the values.
    var sqlType: SQLType {
        SchemaLookup(SchemaStructure(name: "", enumerations: [enumeration].compactMap(\.self)))
            .columnType(of: attribute.type).sqlType
    }

    /// The value of rows for which there is no other: zero, an empty text, the first case.
    func zero(_ dialect: SQLDialect) -> SQLLiteral {
        switch attribute.type {
        case .scalar(let scalar):
            switch scalar {
            case .bool: .boolean(false)
            case .int, .int16, .int32, .int64: .integer(0)
            case .float, .double: .double(0)
            case .decimal: .decimal("0")
            case .date: .timestamp(0)
            case .uuid: .text("00000000-0000-0000-0000-000000000000")
            case .data: .bytes([])
            case .json: .text("null")
            case .string, .url: .text("")
            }
        case .enumeration: enumeration?.cases.first?.rawValue.literal ?? .text("")
        case .list: .text("[]")
        case .attachment: .text("")
        }
    }
}
