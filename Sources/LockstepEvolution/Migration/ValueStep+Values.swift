import LockstepJSON

extension ValueStep {
    static let integers = ["bool", "int16", "int32", "int", "int64"]

    /// Whether a type has every value of another one, stored in the same way.
    static func isWider(_ type: String, than other: String) -> Bool {
        if let from = integers.firstIndex(of: other), let to = integers.firstIndex(of: type) {
            // `int` has 64 bits.
            return to >= min(from, 3)
        }
        if type.hasPrefix("["), other.hasPrefix("[") {
            return isWiderElement(String(type.dropFirst().dropLast()), than: String(other.dropFirst().dropLast()))
        }
        return type == other || (other, type) == ("float", "double") || type == "string" && texts.contains(other)
    }

    /// The types that are stored as text.
    private static let texts: Set = ["day", "uuid", "url", "decimal"]

    /// The same for the elements of a list: numbers are JSON numbers.
    private static func isWiderElement(_ type: String, than other: String) -> Bool {
        let isInteger = integers.dropFirst().contains(other)
        if isInteger, type == "double" || type == "decimal" { return true }
        if other == "bool" || other == "decimal" { return type == other }
        return isWider(type, than: other)
    }

    /// Whether its expression mentions the value once.
    var isPlain: Bool { answers.cases.isEmpty && !needsFit && conversion == nil }

    /// Whether values differ afterwards, or may.
    var changesValues: Bool {
        guard let former, conversion == nil else { return true }
        return !Self.isWider(new.storedType, than: former.storedType) || !answers.cases.isEmpty || needsFit
            || (former.attribute.isOptional && !new.attribute.isOptional)
    }

    /// Whether a value that was allowed may not be allowed any more.
    var needsFit: Bool {
        guard let former else { return false }
        return hasNewLimits(former) || closes(former)
    }

    private func hasNewLimits(_ former: Shape) -> Bool {
        let limits = new.attribute.limits
        if limits.isEmpty { return false }
        let types = [former.storedType, new.storedType]
        let isSame = types[0] == types[1] || types.allSatisfy(Self.integers.dropFirst().contains)
        return !isSame || !limits.contain(former.attribute.limits)
    }

    private func closes(_ former: Shape) -> Bool {
        guard case .enumeration = new.attribute.type, let enumeration = new.enumeration, enumeration.isClosed else {
            return false
        }
        guard case .enumeration = former.attribute.type, let other = former.enumeration, other.isClosed else {
            return true
        }
        return !Set(other.cases.map(\.rawValue)).isSubset(of: enumeration.cases.map(\.rawValue))
    }
}

extension AttributeLimits {
    /// Whether they allow everything that others allow.
    fileprivate func contain(_ other: AttributeLimits) -> Bool {
        (minimumLength ?? 0) <= (other.minimumLength ?? 0) && (maximumLength ?? .max) >= (other.maximumLength ?? .max)
            && Self.isBeyond(minimum, and: other.minimum, isFarther: <)
            && Self.isBeyond(maximum, and: other.maximum, isFarther: >)
    }

    /// Whether a limit is the other one, or farther out. Digits that no `Double` can distinguish are not.
    private static func isBeyond(_ limit: String?, and other: String?, isFarther: (Double, Double) -> Bool) -> Bool {
        guard let limit = limit.flatMap(DecimalDigits.init)?.text else { return true }
        guard let other = other.flatMap(DecimalDigits.init)?.text else { return false }
        if limit == other { return true }
        guard let first = Double(limit), let second = Double(other) else { return false }
        return isFarther(first, second)
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
            case .day: .text("1970-01-01")
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

    /// A value that the limits allow: zero or what is closest, the shortest text or list, the first case.
    func allowed(_ dialect: SQLDialect) -> SQLLiteral {
        let limits = attribute.limits
        let length = max(limits.minimumLength ?? 0, 0)
        switch attribute.type {
        case .scalar(.string): return .text(String(repeating: "-", count: length))
        case .scalar(.data): return .bytes([UInt8](repeating: 0, count: length))
        case .list: return .text("[\(repeatElement("null", count: length).joined(separator: ","))]")
        case .scalar(let scalar):
            guard let digits = limits.nearestToZero else { return zero(dialect) }
            switch scalar {
            case .decimal: return .decimal(digits)
            case .float: return Float(digits).map { .double(Double($0)) } ?? zero(dialect)
            case .double: return Double(digits).map { .double($0) } ?? zero(dialect)
            default: return .number(digits)
            }
        case .enumeration, .attachment: return zero(dialect)
        }
    }
}

extension AttributeLimits {
    /// The limit that excludes zero; `nil` if none does.
    fileprivate var nearestToZero: String? {
        let bounds = (minimum.flatMap(DecimalDigits.init)?.text, maximum.flatMap(DecimalDigits.init)?.text)
        if let minimum = bounds.0, !minimum.hasPrefix("-"), minimum != "0" { return minimum }
        if let maximum = bounds.1, maximum.hasPrefix("-") { return maximum }
        return nil
    }
}
