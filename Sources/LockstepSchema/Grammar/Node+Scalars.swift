extension Node {
    /// The text of a scalar that is not empty, `~` or `null`, unless it is quoted.
    var presentText: String? {
        guard case .scalar(let text, let isPlain) = content else { return nil }
        return isPlain && Node.isNull(text) ? nil : text
    }

    /// Whether it is empty, `~` or `null`.
    var isNull: Bool {
        if case .scalar(let text, isPlain: true) = content { Node.isNull(text) } else { false }
    }

    private static func isNull(_ text: String) -> Bool {
        text.isEmpty || text == "~" || text == "null" || text == "Null" || text == "NULL"
    }

    /// `true` or `false`, unquoted. YAML 1.1's `yes`, `on` and `NO` are texts.
    var boolean: Bool? {
        switch content {
        case .scalar("true", isPlain: true): true
        case .scalar("false", isPlain: true): false
        default: nil
        }
    }

    /// An integer in decimal digits, unquoted.
    var integer: Int64? {
        guard case .scalar(let text, isPlain: true) = content else { return nil }
        return Int64(text)
    }

    /// Whether it is a number in decimal digits, unquoted: `7`, `-0.5`, `1e9`.
    var isNumber: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        var rest = Substring(text).utf8
        func skipSign() {
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        }
        func skipDigits() -> Bool {
            let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            rest.removeFirst(digits.count)
            return !digits.isEmpty
        }
        skipSign()
        guard skipDigits() else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard skipDigits() else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            skipSign()
            guard skipDigits() else { return false }
        }
        return rest.isEmpty
    }

    /// A description for messages: "the text 'one'", "a list".
    var kindDescription: String {
        switch content {
        case .sequence(let elements): return elements.isEmpty ? "an empty list" : "a list"
        case .mapping: return "a mapping"
        case .scalar(let text, let isPlain):
            if isNull { return "nothing" }
            if boolean != nil { return "'\(text)'" }
            if isNumber { return "the number \(text.shortened)" }
            return isPlain ? "the text '\(text.shortened)'" : "the quoted text '\(text.shortened)'"
        }
    }
}

extension String {
    /// The text on one line, for messages; a long one is truncated.
    var shortened: String {
        let line = String(
            unicodeScalars.prefix(40).map { $0.properties.generalCategory == .control ? " " : Character($0) })
        return unicodeScalars.count > 40 ? line + "…" : line
    }
}
