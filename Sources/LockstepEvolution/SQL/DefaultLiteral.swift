import LockstepJSON

/// Converts a schema's defaults to the literals of `DEFAULT` clauses.
struct DefaultLiteral {
    let lookup: SchemaLookup
    let dialect: SQLDialect

    /// - Returns: `nil` for a default that differs for each record (`now`, `new`), and for a value that the dialect
    ///   cannot store.
    func literal(_ value: DefaultValue, as type: ValueType) -> SQLLiteral? {
        let stored = lookup.columnType(of: type)
        guard let literal = literal(value, as: type, stored: stored), literal.isStorable(in: dialect) else {
            return nil
        }
        if dialect == .postgresql, stored.sqlType == .json, case .text(let json) = literal, json.contains("\\u0000") {
            return nil
        }
        return literal
    }

    private func literal(_ value: DefaultValue, as type: ValueType, stored: ColumnType) -> SQLLiteral? {
        switch value {
        case .string(let text), .day(let text), .uuid(let text), .url(let text), .json(let text): .text(text)
        case .bool(let flag): .boolean(flag)
        case .integer(let number): integer(number, stored: stored)
        case .double(let number): double(number, stored: stored)
        case .decimal(let digits): decimal(digits, stored: stored)
        case .date(let seconds): .timestamp(seconds)
        case .data(let bytes): .bytes(bytes)
        case .enumerationCase(let name): rawValue(ofCase: name, stored: stored)?.literal
        case .list: JSONColumnText(lookup: lookup).text(value, as: type).map(SQLLiteral.text)
        case .now, .newUUID: nil
        }
    }

    private func integer(_ number: Int64, stored: ColumnType) -> SQLLiteral {
        switch stored.sqlType {
        case .numeric: .decimal(String(number))
        case .real, .double: .double(Double(number))
        case .timestamp: .timestamp(Double(number))
        default: .integer(number)
        }
    }

    private func double(_ number: Double, stored: ColumnType) -> SQLLiteral {
        switch stored.sqlType {
        case .numeric: decimal(number.description, stored: stored)
        case .real: .double(Double(Float(number)))
        case .timestamp: .timestamp(number)
        default: .double(number)
        }
    }

    private func decimal(_ digits: String, stored: ColumnType) -> SQLLiteral {
        let plain = DecimalDigits(digits)?.text ?? "0"
        return stored.sqlType == .numeric ? .decimal(plain) : .number(plain)
    }
}

extension SchemaLookup {
    /// A default as a literal of PostgreSQL; `nil` for one that differs for each record, or that it cannot store.
    package func postgresqlLiteral(_ value: DefaultValue, as type: ValueType) -> String? {
        let literals = DefaultLiteral(lookup: self, dialect: .postgresql)
        guard let literal = literals.literal(value, as: type) else { return nil }
        var writer = SQLWriter(dialect: .postgresql)
        writer.literal(literal)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// The raw value of an enum's case.
func rawValue(ofCase name: String, stored: ColumnType) -> CaseValue? {
    guard case .enumeration(let enumeration) = stored else { return nil }
    return enumeration.cases.first { $0.name == name }?.rawValue
}
