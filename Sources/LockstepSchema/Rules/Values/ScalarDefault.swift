import LockstepEvolution

/// Reads the default of an attribute with a built-in type.
enum ScalarDefault {
    static func read(_ node: Node, as type: ScalarType) -> DefaultReading {
        if type == .json { return readJSON(node) }
        guard case .scalar(let text, isPlain: let isPlain) = node.content, !node.isNull,
            let value = value(of: text, isPlain: isPlain, as: type)
        else {
            return .wrong(DefaultProblem(reason: .notOfType(expected: expected(type)), range: node.range))
        }
        return .value(value)
    }

    private static func value(of text: String, isPlain: Bool, as type: ScalarType) -> DefaultValue? {
        switch type {
        case .string: return .string(text)
        case .bool: return isPlain ? Bool(text).map(DefaultValue.bool) : nil
        case .int, .int16, .int32, .int64, .float, .double, .decimal:
            return isPlain ? number(text, as: type) : nil
        case .date: return text == "now" ? .now : DateText.secondsSince1970(text).map(DefaultValue.date)
        case .day: return DayText.isDay(text) ? .day(text) : nil
        case .uuid: return text == "new" ? .newUUID : UUIDText.lowercased(text).map(DefaultValue.uuid)
        case .url: return URLText.isPlausible(text) ? .url(text) : nil
        case .data: return Base64Text.bytes(text).map(DefaultValue.data)
        case .json: return nil
        }
    }

    /// A number of the type, from its digits.
    static func number(_ text: String, as type: ScalarType) -> DefaultValue? {
        // YAML 1.1 reads `010` as eight, and YAML 1.2 as ten.
        guard !text.hasLeadingZero else { return nil }
        if let range = type.integerRange {
            return Int64(text).flatMap { range.contains($0) ? .integer($0) : nil }
        }
        guard let digits = NumberText(text) else { return nil }
        if type == .decimal { return digits.fitsDecimal ? .decimal(text.withoutPlus) : nil }
        guard let value = Double(text), value.isFinite else { return nil }
        return type == .float && !Float(value).isFinite ? nil : .double(value)
    }

    /// A quoted text is JSON itself, so `'"open"'` is a string. Anything else is converted to the corresponding JSON.
    private static func readJSON(_ node: Node) -> DefaultReading {
        let text: String
        if case .scalar(let scalar, isPlain: _) = node.content, !node.isNull {
            text = scalar
        } else {
            text = JSONDefault.json(of: node)
        }
        if JSONDefault.isWellFormed(text) { return .value(.json(text)) }
        return .wrong(DefaultProblem(reason: .notOfType(expected: expected(.json)), range: node.range))
    }

    /// A description of a default of the type, for a sentence.
    static func expected(_ type: ScalarType) -> String {
        switch type {
        case .string: return "text"
        case .bool: return "true or false"
        case .int, .int16, .int32, .int64:
            guard let range = type.integerRange else { return "a whole number" }
            return "a whole number between \(range.lowerBound) and \(range.upperBound)"
        case .float, .double: return "a number"
        case .decimal: return "a number of at most 38 digits"
        case .date: return "'now' or a date such as 2024-02-29T12:30:00Z"
        case .day: return "a day such as 2024-02-29 (today depends on a time zone: set it in Swift)"
        case .uuid: return "'new' or a UUID such as 6ba7b810-9dad-11d1-80b4-00c04fd430c8"
        case .url: return "a URL such as https://example.org/"
        case .data: return "bytes in base64"
        case .json: return "JSON"
        }
    }
}
