public import Foundation

// Two methods for each type: for a value, and for a value or null. Both throw an `EncodingError` if JSON cannot
// represent the value.
extension WireWriter {
    /// Writes a string.
    @_spi(Generated) public mutating func string(
        _ value: String, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key: key, at: path)
    }

    /// Writes a string, or null.
    @_spi(Generated) public mutating func optionalString(
        _ value: String?, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key: key, at: path)
    }

    /// Writes a Bool.
    @_spi(Generated) public mutating func bool(
        _ value: Bool, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, asText: asText)
    }

    /// Writes a Bool, or null.
    @_spi(Generated) public mutating func optionalBool(
        _ value: Bool?, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, asText: asText)
    }

    /// Writes a number of type `Int`.
    @_spi(Generated) public mutating func int(
        _ value: Int, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, asText: asText)
    }

    /// Writes a number of type `Int`, or null.
    @_spi(Generated) public mutating func optionalInt(
        _ value: Int?, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, asText: asText)
    }

    /// Writes a number of type `Int16`.
    @_spi(Generated) public mutating func int16(
        _ value: Int16, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, asText: asText)
    }

    /// Writes a number of type `Int16`, or null.
    @_spi(Generated) public mutating func optionalInt16(
        _ value: Int16?, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, asText: asText)
    }

    /// Writes a number of type `Int32`.
    @_spi(Generated) public mutating func int32(
        _ value: Int32, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, asText: asText)
    }

    /// Writes a number of type `Int32`, or null.
    @_spi(Generated) public mutating func optionalInt32(
        _ value: Int32?, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, asText: asText)
    }

    /// Writes a number of type `Int64`.
    @_spi(Generated) public mutating func int64(
        _ value: Int64, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, asText: asText)
    }

    /// Writes a number of type `Int64`, or null.
    @_spi(Generated) public mutating func optionalInt64(
        _ value: Int64?, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, asText: asText)
    }

    /// Writes a number of type `Float`.
    @_spi(Generated) public mutating func float(
        _ value: Float, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, asText: asText)
    }

    /// Writes a number of type `Float`, or null.
    @_spi(Generated) public mutating func optionalFloat(
        _ value: Float?, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, asText: asText)
    }

    /// Writes a number of type `Double`.
    @_spi(Generated) public mutating func double(
        _ value: Double, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, asText: asText)
    }

    /// Writes a number of type `Double`, or null.
    @_spi(Generated) public mutating func optionalDouble(
        _ value: Double?, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, asText: asText)
    }

    /// Writes a number of type `Decimal`.
    @_spi(Generated) public mutating func decimal(
        _ value: Decimal, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, asText: asText)
    }

    /// Writes a number of type `Decimal`, or null.
    @_spi(Generated) public mutating func optionalDecimal(
        _ value: Decimal?, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, asText: asText)
    }

    /// Writes a date.
    @_spi(Generated) public mutating func date(
        _ value: Date, _ key: Keys, as format: DateFormat = .iso8601, at path: [String]? = nil
    ) throws {
        try write(value, key: key, at: path, as: format)
    }

    /// Writes a date, or null.
    @_spi(Generated) public mutating func optionalDate(
        _ value: Date?, _ key: Keys, as format: DateFormat = .iso8601, at path: [String]? = nil
    ) throws {
        try write(value, key: key, at: path, as: format)
    }

    /// Writes a day.
    @_spi(Generated) public mutating func day(
        _ value: Day, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key: key, at: path)
    }

    /// Writes a day, or null.
    @_spi(Generated) public mutating func optionalDay(
        _ value: Day?, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key: key, at: path)
    }

    /// Writes a UUID.
    @_spi(Generated) public mutating func uuid(
        _ value: UUID, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key: key, at: path)
    }

    /// Writes a UUID, or null.
    @_spi(Generated) public mutating func optionalUUID(
        _ value: UUID?, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key: key, at: path)
    }

    /// Writes a URL.
    @_spi(Generated) public mutating func url(
        _ value: URL, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key: key, at: path)
    }

    /// Writes a URL, or null.
    @_spi(Generated) public mutating func optionalURL(
        _ value: URL?, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key: key, at: path)
    }

    /// Writes an attachment's reference.
    @_spi(Generated) public mutating func attachment(
        _ value: FileAttachment, key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key: key, at: path)
    }

    /// Writes an attachment's reference, or null.
    @_spi(Generated) public mutating func optionalAttachment(
        _ value: FileAttachment?, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key: key, at: path)
    }

    /// Writes bytes as base64.
    @_spi(Generated) public mutating func data(
        _ value: Data, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key: key, at: path)
    }

    /// Writes bytes as base64, or null.
    @_spi(Generated) public mutating func optionalData(
        _ value: Data?, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key: key, at: path)
    }

    /// Writes any JSON.
    @_spi(Generated) public mutating func json(
        _ value: JSONValue, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key: key, at: path)
    }

    /// Writes any JSON, or null.
    @_spi(Generated) public mutating func optionalJSON(
        _ value: JSONValue?, _ key: Keys, at path: [String]? = nil
    ) throws {
        try write(value, key: key, at: path)
    }

    /// Writes an enum's value.
    @_spi(Generated) public mutating func enumeration<Enumeration: AttributeValue>(
        _ value: Enumeration, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, asText: asText)
    }

    /// Writes an enum's value, or null.
    @_spi(Generated) public mutating func optionalEnumeration<Enumeration: AttributeValue>(
        _ value: Enumeration?, _ key: Keys, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, asText: asText)
    }

    /// Writes a value of a type of the app.
    @_spi(Generated) public mutating func custom<Custom: CustomAttribute>(
        _ value: Custom, _ key: Keys, as format: DateFormat = .iso8601, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, as: format, asText: asText)
    }

    /// Writes a value of a type of the app, or null.
    @_spi(Generated) public mutating func optionalCustom<Custom: CustomAttribute>(
        _ value: Custom?, _ key: Keys, as format: DateFormat = .iso8601, at path: [String]? = nil, asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, as: format, asText: asText)
    }

    /// Writes a list.
    @_spi(Generated) public mutating func list<Element: AttributeValue>(
        _ value: [Element], _ key: Keys, as format: DateFormat = .iso8601, at path: [String]? = nil,
        asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, as: format, asText: asText)
    }

    /// Writes a list, or null.
    @_spi(Generated) public mutating func optionalList<Element: AttributeValue>(
        _ value: [Element]?, _ key: Keys, as format: DateFormat = .iso8601, at path: [String]? = nil,
        asText: Bool = false
    ) throws {
        try write(value, key: key, at: path, as: format, asText: asText)
    }
}
