import LockstepEvolution

/// A column of the new structure, and what it is between the two files.
struct PostgreSQLColumn {
    enum Origin {
        /// The former column, which both shapes use.
        case same
        /// A new column, kept in step with a former one.
        case replaced(ColumnDefinition)
        case added
    }

    let definition: ColumnDefinition
    let source: ValueSource
    let origin: Origin
    /// The former column; `nil` for an added one.
    let former: ColumnDefinition?
    /// The name between the two files: another one if a former column still has the name.
    let name: String

    init(_ definition: ColumnDefinition, source: ValueSource, former: CreateTable) {
        self.definition = definition
        self.source = source
        let old = source.origin.flatMap(former.column)
        self.former = old
        let isKept = old.map { old in
            old.name == definition.name
                && (old.type == definition.type
                    || source.expression == nil
                        && PostgreSQLConversion.isWidening(from: old.type, to: definition.type))
        }
        switch (old, isKept) {
        case (_?, true?): origin = .same
        case (let old?, _): origin = .replaced(old)
        case (nil, _): origin = .added
        }
        var isTaken = former.column(definition.name) != nil
        if case .same = origin { isTaken = false }
        name = isTaken ? "lockstep_new_\(definition.name)" : definition.name
    }

    /// Whether the column has its final name from the start.
    var isSettled: Bool { name == definition.name }

    var isSame: Bool { if case .same = origin { true } else { false } }

    var isAdded: Bool { if case .added = origin { true } else { false } }

    /// The new value, of a former one.
    func forward(_ value: String) -> String {
        if let expression = source.expression { return expression(value) }
        guard let former else { return value }
        return PostgreSQLConversion.call(value, from: former.type, to: definition.type).sql
    }

    /// The former value, of a new one. A required column gets some value of its type.
    func backward(_ value: String) -> String {
        guard let former else { return value }
        let call = PostgreSQLConversion.call(value, from: definition.type, to: former.type)
        guard former.isRequired, call.mayFail || !definition.isRequired else { return call.sql }
        return "coalesce(\(call.sql), \(former.anyValue))"
    }

    /// The value of rows that servers of the former version add, and of existing rows: a constant, or an expression.
    var seed: String? {
        if let constant = source.constant { return PostgreSQLText.literal(constant) }
        if let value = source.expression?("NULL"), !value.contains("SELECT") { return value }
        return definition.defaultValue.map(PostgreSQLText.literal)
    }
}

extension PostgreSQLColumn {
    /// The value of existing rows, if it cannot be a default.
    var filledValue: String? {
        guard isAdded, let value = source.expression?("NULL"), value.contains("SELECT") else { return nil }
        return value
    }
}

extension ColumnDefinition {
    /// The default or, without one, a value that the type has in any case.
    fileprivate var anyValue: String {
        if let defaultValue { return PostgreSQLText.literal(defaultValue) }
        switch type {
        case .boolean: return "FALSE"
        case .smallInteger, .integer, .bigInteger, .real, .double, .numeric: return "0"
        case .timestamp: return "to_timestamp(0)"
        case .day: return "'1970-01-01'"
        case .uuid: return "'00000000-0000-0000-0000-000000000000'"
        case .text: return "''"
        case .json: return "'null'"
        case .bytes: return "'\\x'"
        }
    }
}
