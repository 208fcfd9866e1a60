import LockstepJSON

/// Where the values of a column come from.
package struct ValueSource: Sendable {
    /// The former column; `nil` for an added one.
    package let origin: String?
    /// The value in SQL, of the column with the former values. It is `nil` if that has the value.
    package let expression: (@Sendable (String) -> String)?
    /// The value of all rows, if there is one.
    package let constant: SQLLiteral?
    /// Whether it differs for each row, so that a base takes it from its record.
    var isRandom = false
    /// Whether the expression mentions other columns, which must have their former values still.
    var needsRow = false
    /// A value that the column's checks allow; `nil` if no value of an attribute has changed.
    var allowed: SQLLiteral?

    static func kept(_ column: String) -> ValueSource {
        ValueSource(origin: column, expression: nil, constant: nil)
    }

    /// No value.
    package static var empty: ValueSource { ValueSource(origin: nil, expression: nil, constant: nil) }
}

/// Where the values of a foreign key's column come from.
struct LinkSource {
    /// The value of a required link where there was none: a key that leads nowhere, until the record is pulled.
    let constant: SQLLiteral?
    /// The constant in SQL.
    let text: String?

    var added: ValueSource { ValueSource(origin: nil, expression: nil, constant: constant) }

    func source(from column: String) -> ValueSource {
        guard let text else { return .kept(column) }
        return ValueSource(origin: column, expression: { "coalesce(\($0), \(text))" }, constant: nil)
    }
}

/// Writes what happens to the values of an attribute as SQL.
package struct ValueSQL: Sendable {
    let dialect: SQLDialect
    /// The time of the migration in seconds since 1970, for attributes with the default `now`.
    let now: Double

    package init(dialect: SQLDialect, now: Double) {
        self.dialect = dialect
        self.now = now
    }

    /// - Parameter columns: The entity's columns while the migration runs, by the former names of their attributes. An
    ///   app's conversion gets their values.
    func source(_ member: MemberEvolution, origin column: String?, columns: [String: String] = [:]) -> ValueSource {
        var source = values(member, origin: column, columns: columns)
        source.allowed = member.steps.last.map { $0.new.allowed(dialect) }
        source.needsRow = dialect == .sqlite && member.steps.contains { $0.conversion != nil }
        return source
    }

    private func values(_ member: MemberEvolution, origin column: String?, columns: [String: String]) -> ValueSource {
        var steps = member.steps[...]
        guard column == nil else {
            let changes = steps.filter(\.changesValues)
            guard !changes.isEmpty else { return ValueSource(origin: column, expression: nil, constant: nil) }
            return ValueSource(
                origin: column, expression: { value(after: changes, value: $0, columns: columns) }, constant: nil)
        }
        guard let first = steps.popFirst() else { return .empty }
        let later = steps.filter(\.changesValues)
        let seed = added(first, columns: columns)
        guard !later.isEmpty else { return seed }
        let expression = seed.expression
        let constant = seed.constant.map(text) ?? "NULL"
        return ValueSource(
            origin: nil,
            expression: { value(after: Array(later), value: expression?($0) ?? constant, columns: columns) },
            constant: nil,
            isRandom: seed.isRandom)
    }

    /// Returns the value of a foreign key's column where there is no link.
    func link(_ type: ValueType, fill: MemberEvolution.LinkFill?) -> LinkSource {
        guard let fill else { return LinkSource(constant: nil, text: nil) }
        let value = fill.key.flatMap { DefaultValue(json: $0, as: type) }
        let lookup = SchemaLookup(SchemaStructure(name: ""))
        let filled = value.flatMap { DefaultLiteral(lookup: lookup, dialect: dialect).literal($0, as: type) }
        // A server's links are checked: without a value of the history, they are made before the contract file is run.
        if dialect == .postgresql, filled == nil { return LinkSource(constant: nil, text: nil) }
        let literal = filled ?? lookup.columnType(of: type).sqlType.zero
        return LinkSource(constant: literal, text: text(literal))
    }

    /// The value of a member in SQL, of its column while the migration runs.
    func sql(_ member: MemberEvolution, of column: String?, columns: [String: String]) -> String {
        let source = source(member, origin: column, columns: columns)
        if let constant = source.constant { return text(constant) }
        let value = column.map(SQLWriter.quoted) ?? "NULL"
        return source.expression?(value) ?? value
    }

    private func added(_ step: ValueStep, columns: [String: String]) -> ValueSource {
        let attribute = step.new.attribute
        if let call = step.conversion, dialect == .sqlite {
            return ValueSource(
                origin: nil, expression: { _ in self.value(of: call, step: step, columns: columns) }, constant: nil)
        }
        let value =
            step.answers.fill.flatMap { DefaultValue(json: $0, as: attribute.type) }
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
        if let literal = value.flatMap({ literal($0, as: step.new) }) {
            return ValueSource(origin: nil, expression: nil, constant: literal)
        }
        return attribute.isOptional
            ? .empty : ValueSource(origin: nil, expression: nil, constant: step.new.zero(dialect))
    }

    /// The value after all steps. SQLite cannot parse more than a few nested expressions, so several steps follow each
    /// other in a list. They are not merged into one expression, in which each value may be written several times.
    private func value(after steps: [ValueStep], value: String, columns: [String: String]) -> String {
        var (steps, value) = (steps[...], value)
        // What an app's conversion makes does not depend on the steps before, but on the row.
        if dialect == .sqlite, let last = steps.lastIndex(where: { $0.conversion != nil }),
            let call = steps[last].conversion
        {
            value = self.value(of: call, step: steps[last], columns: columns)
            steps = steps[(last + 1)...]
        }
        let groups = groups(Array(steps))
        guard groups.count > 1 else { return steps.reduce(value) { self.value($0, step: $1) } }
        var stages = ["lockstep_0(\"v\") AS MATERIALIZED (SELECT \(value))"]
        for (index, group) in groups.enumerated() {
            let next = group.reduce("\"v\"") { self.value($0, step: $1) }
            stages.append("lockstep_\(index + 1)(\"v\") AS MATERIALIZED (SELECT \(next) FROM lockstep_\(index))")
        }
        return "(WITH \(stages.joined(separator: ", ")) SELECT \"v\" FROM lockstep_\(groups.count))"
    }

    /// Steps that are nested in one expression: a list makes a table for each row, which takes longer than the rest.
    /// Only those are that mention the value once, in at most two functions, and few enough for SQLite's parser.
    private func groups(_ steps: [ValueStep]) -> [[ValueStep]] {
        var groups: [[ValueStep]] = []
        for step in steps {
            if dialect == .sqlite, step.isPlain, let last = groups.last, last.count < 5, last.allSatisfy(\.isPlain) {
                groups[groups.count - 1].append(step)
            } else {
                groups.append([step])
            }
        }
        return groups
    }

    /// An expression that mentions a value more than once: it is computed once.
    private func once(_ value: String, expression: (String) -> String) -> String {
        let isShort = !value.contains("(") && !value.hasPrefix("CASE ")
        return isShort ? expression(value) : "(SELECT \(expression("\"v\"")) FROM (SELECT \(value) AS \"v\") AS \"t\")"
    }

    /// The value after a step.
    private func value(_ value: String, step: ValueStep) -> String {
        guard let former = step.former else { return value }
        var result = value
        if !step.answers.cases.isEmpty { result = mapped(result, step: step, former: former) }
        if former.storedType != step.new.storedType { result = converted(result, from: former, step: step) }
        if step.needsFit { result = fitted(result, step: step) }
        if !step.new.attribute.isOptional, former.attribute.isOptional || result != value {
            result = "coalesce(\(result), \(replacement(step)))"
        }
        return result
    }

    /// The cases of a closed enum that went become others.
    private func mapped(_ value: String, step: ValueStep, former: ValueStep.Shape) -> String {
        let cases = step.answers.cases.sorted { $0.key < $1.key }.compactMap { name, other -> String? in
            guard let old = former.enumeration?.rawValue(ofCase: name),
                let new = step.new.enumeration?.rawValue(ofCase: other)
            else { return nil }
            return "WHEN \(text(old.literal)) THEN \(text(new.literal))"
        }
        if case .list = former.attribute.type { return mappedList(value, step: step, former: former) }
        guard !cases.isEmpty else { return value }
        return once(value) { "CASE \($0) \(cases.joined(separator: " ")) ELSE \($0) END" }
    }

    /// The same for each element of a list.
    private func mappedList(_ value: String, step: ValueStep, former: ValueStep.Shape) -> String {
        var replacements: JSONObject = [:]
        for (name, other) in step.answers.cases {
            guard let old = former.enumeration?.rawValue(ofCase: name),
                let new = step.new.enumeration?.rawValue(ofCase: other)
            else { continue }
            replacements[old.text] = new.json
        }
        guard dialect == .sqlite, !replacements.isEmpty else { return value }
        var writer = JSONWriter()
        try? writer.write(.object(replacements))
        return "lockstep_cases(\(value), \(text(.text(String(decoding: writer.bytes, as: UTF8.self)))))"
    }

    private func converted(_ value: String, from former: ValueStep.Shape, step: ValueStep) -> String {
        dialect == .sqlite
            ? sqliteConverted(value, from: former, step: step) : postgreSQLConverted(value, from: former, step: step)
    }

    private func postgreSQLConverted(_ value: String, from former: ValueStep.Shape, step: ValueStep) -> String {
        func conversion(_ value: String) -> (sql: String, mayFail: Bool) {
            PostgreSQLConversion.call(value, from: former.sqlType, to: step.new.sqlType)
        }
        let converted = conversion(value)
        guard converted.mayFail, let otherwise = otherwise(step) else { return converted.sql }
        return once(value) {
            "CASE WHEN \($0) IS NULL THEN NULL ELSE coalesce(\(conversion($0).sql), \(otherwise)) END"
        }
    }

    private func sqliteConverted(_ value: String, from former: ValueStep.Shape, step: ValueStep) -> String {
        let (type, newType) = (former.storedType, step.new.storedType)
        if ValueStep.isWider(newType, than: type) { return value }
        if ValueStep.integers.contains(type) {
            if newType == "double" { return "CAST(\(value) AS REAL)" }
            if newType == "decimal", type != "bool" { return "CAST(\(value) AS TEXT)" }
        }
        let otherwise = otherwise(step).map { ", \($0)" } ?? ""
        return "lockstep_convert(\(value), '\(type)', '\(newType)'\(otherwise))"
    }

    /// The values that a new limit or a closed enum excludes are replaced.
    func fitted(_ value: String, step: ValueStep, insteadOfOthers other: String? = nil) -> String {
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
            ELSE \(other ?? otherwise(step) ?? (step.new.attribute.isOptional ? "NULL" : replacement(step))) END \
            FROM (SELECT \(value) AS "v") AS "t")
            """
    }

    /// The value of rows that cannot be converted; `nil` if the history does not say it.
    private func otherwise(_ step: ValueStep) -> String? {
        guard let json = step.answers.otherwise, json != .null else { return nil }
        return DefaultValue(json: json, as: step.new.attribute.type).flatMap { literal($0, as: step.new) }.map(text)
    }

    /// The value instead of NULL.
    private func replacement(_ step: ValueStep) -> String {
        let value = step.answers.fill.flatMap { DefaultValue(json: $0, as: step.new.attribute.type) }
        if let literal = value.flatMap({ literal($0, as: step.new) }) { return text(literal) }
        if let otherwise = otherwise(step) { return otherwise }
        switch step.new.attribute.defaultValue {
        case .now: return dialect == .sqlite ? text(.timestamp(now)) : "now()"
        case .newUUID: return dialect == .sqlite ? "lockstep_uuid()" : "gen_random_uuid()"
        case let value?: return literal(value, as: step.new).map(text) ?? text(step.new.zero(dialect))
        case nil: return text(step.new.zero(dialect))
        }
    }

    private func literal(_ value: DefaultValue, as shape: ValueStep.Shape) -> SQLLiteral? {
        let lookup = SchemaLookup(SchemaStructure(name: "", enumerations: [shape.enumeration].compactMap(\.self)))
        return DefaultLiteral(lookup: lookup, dialect: dialect).literal(value, as: shape.attribute.type)
    }

    func text(_ literal: SQLLiteral) -> String {
        var writer = SQLWriter(dialect: dialect)
        writer.literal(literal)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
