import LockstepEvolution
import LockstepJSON

extension AttributeShape {
    /// A value of this type, from the text of a hint or from a recorded value, in the form of a default.
    ///
    /// - Returns: `nil` if it is none, or is outside of the limits.
    func value(_ hint: JSONValue) -> JSONValue? {
        let value: JSONValue? =
            if case .string(let text) = hint { self.value(text, as: attribute.type) } else { hint }
        guard let value, let result = DefaultValue(json: value, as: attribute.type), allows(result) else {
            return nil
        }
        return value
    }

    private func value(_ text: String, as type: ValueType) -> JSONValue? {
        switch type {
        case .enumeration: return enumeration?.cases.contains { $0.name == text } == true ? .string(text) : nil
        case .list:
            guard case .array(let elements)? = try? JSONValue(parsing: text),
                let element = AttributeShape(elementOf: self)
            else { return nil }
            let values = elements.compactMap { element.value(.string(ChangeReview.text($0))) }
            return values.count == elements.count ? .array(values) : nil
        case .attachment: return nil
        case .scalar(let scalar): return Self.scalar(text, as: scalar)
        }
    }

    private static func scalar(_ text: String, as type: ScalarType) -> JSONValue? {
        switch type {
        case .bool: text == "true" ? true : text == "false" ? false : nil
        case .int, .int64: Int64(text).map(JSONValue.integer)
        case .int16: Int16(text).map { .integer(Int64($0)) }
        case .int32: Int32(text).map { .integer(Int64($0)) }
        case .float, .double: Double(text).flatMap { $0.isFinite ? .string($0.description) : nil }
        case .decimal: DecimalDigits(text).map { .string($0.text) }
        case .date: text == "now" ? "now" : Double(text).flatMap { $0.isFinite ? .string($0.description) : nil }
        case .day: DayText.isDay(text) ? .string(text) : nil
        case .uuid: text == "new" ? "new" : uuid(text).map(JSONValue.string)
        case .data: Base64.bytes(text) == nil ? nil : .string(text)
        case .json: (try? JSONValue(parsing: text)) == nil ? nil : .string(text)
        case .string, .url: .string(text)
        }
    }

    private static func uuid(_ text: String) -> String? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12],
            parts.joined().utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || isHexadecimalLetter($0) })
        else { return nil }
        return text.lowercased()
    }

    private static func isHexadecimalLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
    }

    // MARK: Limits

    /// Whether a value is within the limits.
    func allows(_ value: DefaultValue) -> Bool {
        let limits = attribute.limits
        if let number = Self.number(value) {
            if let minimum = limits.minimum.flatMap(Double.init), number < minimum { return false }
            if let maximum = limits.maximum.flatMap(Double.init), number > maximum { return false }
        }
        if let length = Self.length(value) {
            return (limits.minimumLength ?? 0)...max(limits.minimumLength ?? 0, limits.maximumLength ?? .max) ~= length
        }
        return true
    }

    private static func number(_ value: DefaultValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .double(let number): number
        case .decimal(let digits): Double(digits)
        default: nil
        }
    }

    private static func length(_ value: DefaultValue) -> Int? {
        switch value {
        case .string(let text), .url(let text): text.unicodeScalars.count
        case .data(let bytes): bytes.count
        case .list(let elements): elements.count
        default: nil
        }
    }

    /// The value of rows for which there is no other: zero, or what is nearest to it within the limits.
    var zero: JSONValue? {
        let limits = attribute.limits
        switch attribute.type {
        case .enumeration: return enumeration?.cases.first.map { .string($0.name) }
        case .list:
            let count = limits.minimumLength ?? 0
            guard count > 0 else { return [] }
            guard count <= 1_000, let element = AttributeShape(elementOf: self)?.zero else { return nil }
            return .array(Array(repeating: element, count: count))
        case .attachment: return nil
        case .scalar(let scalar):
            let texts: [String] =
                switch scalar {
                case .bool: ["false"]
                case .int, .int16, .int32, .int64, .decimal, .float, .double:
                    ["0"] + [limits.minimum, limits.maximum].compactMap(\.self)
                case .date: ["0"]
                case .day: ["1970-01-01"]
                case .uuid: ["00000000-0000-0000-0000-000000000000"]
                case .json: ["null"]
                case .data:
                    ["", Base64.text([UInt8](repeating: 0, count: min(limits.minimumLength ?? 0, 10_000)))]
                case .string, .url: ["", String(repeating: "-", count: min(limits.minimumLength ?? 0, 10_000))]
                }
            return texts.lazy.compactMap { value(.string($0)) }.first
        }
    }
}
