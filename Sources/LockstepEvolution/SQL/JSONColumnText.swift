import LockstepJSON

/// Encodes a list as the JSON text of its column: strings, days, UUIDs, URLs and base64 as strings, bools and numbers
/// (dates as seconds since 1970) as such, enums as their raw values; without spaces.
struct JSONColumnText {
    let lookup: SchemaLookup

    /// - Returns: `nil` for a value without a fixed text (`now`, `new`).
    func text(_ value: DefaultValue, as type: ValueType) -> String? {
        switch value {
        case .list(let elements): list(elements, as: type)
        case .string(let text), .day(let text), .uuid(let text), .url(let text): JSONString.quoted(text)
        case .bool(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .double(let number), .date(let number): self.number(number)
        case .decimal(let digits): DecimalDigits(digits)?.text
        case .data(let bytes): JSONString.quoted(Base64.text(bytes))
        case .json(let text): text
        case .enumerationCase(let name): rawValue(ofCase: name, stored: lookup.columnType(of: type)).map(rawText)
        case .now, .newUUID: nil
        }
    }

    private func list(_ elements: [DefaultValue], as type: ValueType) -> String? {
        guard case .list(let elementType) = type else { return nil }
        return "[" + elements.compactMap { text($0, as: elementType) }.joined(separator: ",") + "]"
    }

    private func rawText(_ rawValue: CaseValue) -> String {
        switch rawValue {
        case .string(let text): JSONString.quoted(text)
        case .int(let number): String(number)
        }
    }

    /// Integers without a fraction, as JSON writers encode them.
    private func number(_ number: Double) -> String? {
        guard number.isFinite else { return nil }
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
