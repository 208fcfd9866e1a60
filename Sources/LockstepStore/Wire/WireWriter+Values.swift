public import Foundation

// For each type two methods: one for a value, one for a value or null. Both throw an `EncodingError` where JSON cannot
// hold the value.
extension WireWriter {
    /// Writes a string.
    public mutating func string(
        _ value: String, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key, at: path)
    }

    /// Writes a string, or null.
    public mutating func optionalString(
        _ value: String?, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key, at: path)
    }

    /// Writes a Bool.
    public mutating func bool(
        _ value: Bool, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, asText: asText)
    }

    /// Writes a Bool, or null.
    public mutating func optionalBool(
        _ value: Bool?, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, asText: asText)
    }

    /// Writes a number of type `Int`.
    public mutating func int(
        _ value: Int, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, asText: asText)
    }

    /// Writes a number of type `Int`, or null.
    public mutating func optionalInt(
        _ value: Int?, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, asText: asText)
    }

    /// Writes a number of type `Int16`.
    public mutating func int16(
        _ value: Int16, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, asText: asText)
    }

    /// Writes a number of type `Int16`, or null.
    public mutating func optionalInt16(
        _ value: Int16?, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, asText: asText)
    }

    /// Writes a number of type `Int32`.
    public mutating func int32(
        _ value: Int32, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, asText: asText)
    }

    /// Writes a number of type `Int32`, or null.
    public mutating func optionalInt32(
        _ value: Int32?, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, asText: asText)
    }

    /// Writes a number of type `Int64`.
    public mutating func int64(
        _ value: Int64, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, asText: asText)
    }

    /// Writes a number of type `Int64`, or null.
    public mutating func optionalInt64(
        _ value: Int64?, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, asText: asText)
    }

    /// Writes a number of type `Float`.
    public mutating func float(
        _ value: Float, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, asText: asText)
    }

    /// Writes a number of type `Float`, or null.
    public mutating func optionalFloat(
        _ value: Float?, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, asText: asText)
    }

    /// Writes a number of type `Double`.
    public mutating func double(
        _ value: Double, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, asText: asText)
    }

    /// Writes a number of type `Double`, or null.
    public mutating func optionalDouble(
        _ value: Double?, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, asText: asText)
    }

    /// Writes a number of type `Decimal`.
    public mutating func decimal(
        _ value: Decimal, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, asText: asText)
    }

    /// Writes a number of type `Decimal`, or null.
    public mutating func optionalDecimal(
        _ value: Decimal?, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, asText: asText)
    }

    /// Writes a date.
    public mutating func date(
        _ value: Date, _ key: Keys, as format: DateFormat = .iso8601, at path: [String]? = nil
    ) throws {
        try write(value, key, at: path, as: format)
    }

    /// Writes a date, or null.
    public mutating func optionalDate(
        _ value: Date?, _ key: Keys, as format: DateFormat = .iso8601, at path: [String]? = nil
    ) throws {
        try write(value, key, at: path, as: format)
    }

    /// Writes a UUID.
    public mutating func uuid(
        _ value: UUID, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key, at: path)
    }

    /// Writes a UUID, or null.
    public mutating func optionalUUID(
        _ value: UUID?, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key, at: path)
    }

    /// Writes a URL.
    public mutating func url(
        _ value: URL, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key, at: path)
    }

    /// Writes a URL, or null.
    public mutating func optionalURL(
        _ value: URL?, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key, at: path)
    }

    /// Writes an attachment's reference.
    public mutating func attachment(
        _ value: Attachment, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key, at: path)
    }

    /// Writes an attachment's reference, or null.
    public mutating func optionalAttachment(
        _ value: Attachment?, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key, at: path)
    }

    /// Writes bytes as base64.
    public mutating func data(
        _ value: Data, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key, at: path)
    }

    /// Writes bytes as base64, or null.
    public mutating func optionalData(
        _ value: Data?, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key, at: path)
    }

    /// Writes any JSON.
    public mutating func json(
        _ value: JSONValue, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key, at: path)
    }

    /// Writes any JSON, or null.
    public mutating func optionalJSON(
        _ value: JSONValue?, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key, at: path)
    }

    /// Writes an enum's value.
    public mutating func enumeration<Enumeration: AttributeValue>(
        _ value: Enumeration, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, asText: asText)
    }

    /// Writes an enum's value, or null.
    public mutating func optionalEnumeration<Enumeration: AttributeValue>(
        _ value: Enumeration?, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, asText: asText)
    }

    /// Writes a value of the app's own type.
    public mutating func custom<Custom: CustomAttribute>(
        _ value: Custom, _ key: Keys, as format: DateFormat = .iso8601, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, as: format, asText: asText)
    }

    /// Writes a value of the app's own type, or null.
    public mutating func optionalCustom<Custom: CustomAttribute>(
        _ value: Custom?, _ key: Keys, as format: DateFormat = .iso8601, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key, at: path, as: format, asText: asText)
    }

    /// Writes a list.
    public mutating func list<Element: AttributeValue>(
        _ value: [Element], _ key: Keys, as format: DateFormat = .iso8601, at path: [String]? = nil,
        asText: Bool = false
    ) throws {
        try write(value, key, at: path, as: format, asText: asText)
    }

    /// Writes a list, or null.
    public mutating func optionalList<Element: AttributeValue>(
        _ value: [Element]?, _ key: Keys, as format: DateFormat = .iso8601, at path: [String]? = nil,
        asText: Bool = false
    ) throws {
        try write(value, key, at: path, as: format, asText: asText)
    }
}
