import LockstepJSON

/// The checks of a column's values: the limits of its attribute, and the values of a closed enum.
///
/// The model checks the same limits before it saves; these checks apply to other writers. SQLite's `length` stops at
/// the first NUL of a text, so a text with one may pass as shorter than it is. Decimals are compared as `REAL` in
/// SQLite, which has no exact decimals: a value that differs from its limit only after about 15 digits may pass. The
/// store compares them exactly.
func columnChecks(column: String, type: ColumnType, limits: AttributeLimits, dialect: SQLDialect) -> [SQLExpression] {
    var checks: [SQLExpression] = []
    if !limits.isEmpty {
        checks += [rangeCheck(column: column, type: type, limits: limits)].compactMap(\.self)
        checks += [lengthCheck(column: column, type: type, limits: limits)].compactMap(\.self)
    }
    if case .enumeration(let enumeration) = type, enumeration.isClosed {
        let literals = enumeration.cases.map(\.rawValue.literal).filter { $0.isStorable(in: dialect) }
        if !literals.isEmpty { checks.append(.isAmong(.column(column), literals)) }
    }
    return checks
}

private func rangeCheck(column: String, type: ColumnType, limits: AttributeLimits) -> SQLExpression? {
    guard case .scalar(let scalar) = type else { return nil }
    let value: SQLExpression = scalar == .decimal ? .number(ofColumn: column) : .column(column)
    var terms: [SQLExpression] = []
    if let minimum = limits.minimum.flatMap({ bound($0, for: scalar) }) {
        terms.append(.compare(value, .atLeast, .literal(minimum)))
    }
    if let maximum = limits.maximum.flatMap({ bound($0, for: scalar) }) {
        terms.append(.compare(value, .atMost, .literal(maximum)))
    }
    return conjunction(terms)
}

/// The limit of a float is rounded as its values are. Otherwise, `0.1` would violate a limit of `0.1`.
private func bound(_ digits: String, for scalar: ScalarType) -> SQLLiteral? {
    guard let plain = DecimalDigits(digits)?.text else { return nil }
    switch scalar {
    case .float: return Float(plain).map { .double(Double($0)) }
    case .double: return Double(plain).map { .double($0) }
    default: return .number(plain)
    }
}

private func lengthCheck(column: String, type: ColumnType, limits: AttributeLimits) -> SQLExpression? {
    // The number of bytes is in the reference, and checked by the model.
    if case .attachment = type { return nil }
    let length = SQLExpression.length(lengthUnit(of: type), ofColumn: column)
    var terms: [SQLExpression] = []
    if let minimum = limits.minimumLength, minimum > 0 {
        terms.append(atLeast(minimum, length: length, column: column))
    }
    if let maximum = limits.maximumLength {
        terms.append(.compare(length, .atMost, .literal(.integer(Int64(maximum)))))
    }
    return conjunction(terms)
}

/// "Not empty" is tested directly: this is faster, and also correct for a text that begins with a NUL.
private func atLeast(_ minimum: Int, length: SQLExpression, column: String) -> SQLExpression {
    if minimum == 1, case .length(.scalars, _) = length {
        return .compare(.column(column), .different, .literal(.text("")))
    }
    return .compare(length, .atLeast, .literal(.integer(Int64(minimum))))
}

private func lengthUnit(of type: ColumnType) -> SQLExpression.LengthUnit {
    switch type {
    case .scalar(.data): .bytes
    case .list: .elements
    default: .scalars
    }
}

private func conjunction(_ terms: [SQLExpression]) -> SQLExpression? {
    terms.count > 1 ? .and(terms) : terms.first
}
