public import Foundation

// Two methods for each type. The first returns the default if the value is missing or null, or throws a `DecodingError`
// with the key path if there is no default. The second returns `nil` or the value at the alternative path. Both throw a
// `DecodingError` if the value has another type or is out of range.
extension WireReader {
    /// Reads a string.
    @_spi(Generated) public func string(
        _ key: Keys, at path: [String]? = nil, former: [[String]] = [], default value: @autoclosure () -> String? = nil
    ) throws -> String {
        try self.value(key, at: path, former: former, as: .iso8601, default: value)
    }

    /// Reads a string, or `nil`.
    @_spi(Generated) public func optionalString(
        _ key: Keys, at path: [String]? = nil, orAt alternative: [String]? = nil, former: [[String]] = []
    ) throws -> String? {
        try value(key, at: path, orAt: alternative, former: former, as: .iso8601, type: String.self)
    }

    /// Reads a Bool.
    @_spi(Generated) public func bool(
        _ key: Keys, at path: [String]? = nil, former: [[String]] = [], default value: @autoclosure () -> Bool? = nil
    ) throws -> Bool {
        try self.value(key, at: path, former: former, as: .iso8601, default: value)
    }

    /// Reads a Bool, or `nil`.
    @_spi(Generated) public func optionalBool(
        _ key: Keys, at path: [String]? = nil, orAt alternative: [String]? = nil, former: [[String]] = []
    ) throws -> Bool? {
        try value(key, at: path, orAt: alternative, former: former, as: .iso8601, type: Bool.self)
    }

    /// Reads a number of type `Int`.
    @_spi(Generated) public func int(
        _ key: Keys, at path: [String]? = nil, former: [[String]] = [], default value: @autoclosure () -> Int? = nil
    ) throws -> Int {
        try self.value(key, at: path, former: former, as: .iso8601, default: value)
    }

    /// Reads a number of type `Int`, or `nil`.
    @_spi(Generated) public func optionalInt(
        _ key: Keys, at path: [String]? = nil, orAt alternative: [String]? = nil, former: [[String]] = []
    ) throws -> Int? {
        try value(key, at: path, orAt: alternative, former: former, as: .iso8601, type: Int.self)
    }

    /// Reads a number of type `Int16`.
    @_spi(Generated) public func int16(
        _ key: Keys, at path: [String]? = nil, former: [[String]] = [], default value: @autoclosure () -> Int16? = nil
    ) throws -> Int16 {
        try self.value(key, at: path, former: former, as: .iso8601, default: value)
    }

    /// Reads a number of type `Int16`, or `nil`.
    @_spi(Generated) public func optionalInt16(
        _ key: Keys, at path: [String]? = nil, orAt alternative: [String]? = nil, former: [[String]] = []
    ) throws -> Int16? {
        try value(key, at: path, orAt: alternative, former: former, as: .iso8601, type: Int16.self)
    }

    /// Reads a number of type `Int32`.
    @_spi(Generated) public func int32(
        _ key: Keys, at path: [String]? = nil, former: [[String]] = [], default value: @autoclosure () -> Int32? = nil
    ) throws -> Int32 {
        try self.value(key, at: path, former: former, as: .iso8601, default: value)
    }

    /// Reads a number of type `Int32`, or `nil`.
    @_spi(Generated) public func optionalInt32(
        _ key: Keys, at path: [String]? = nil, orAt alternative: [String]? = nil, former: [[String]] = []
    ) throws -> Int32? {
        try value(key, at: path, orAt: alternative, former: former, as: .iso8601, type: Int32.self)
    }

    /// Reads a number of type `Int64`.
    @_spi(Generated) public func int64(
        _ key: Keys, at path: [String]? = nil, former: [[String]] = [], default value: @autoclosure () -> Int64? = nil
    ) throws -> Int64 {
        try self.value(key, at: path, former: former, as: .iso8601, default: value)
    }

    /// Reads a number of type `Int64`, or `nil`.
    @_spi(Generated) public func optionalInt64(
        _ key: Keys, at path: [String]? = nil, orAt alternative: [String]? = nil, former: [[String]] = []
    ) throws -> Int64? {
        try value(key, at: path, orAt: alternative, former: former, as: .iso8601, type: Int64.self)
    }

    /// Reads a number of type `Float`.
    @_spi(Generated) public func float(
        _ key: Keys, at path: [String]? = nil, former: [[String]] = [], default value: @autoclosure () -> Float? = nil
    ) throws -> Float {
        try self.value(key, at: path, former: former, as: .iso8601, default: value)
    }

    /// Reads a number of type `Float`, or `nil`.
    @_spi(Generated) public func optionalFloat(
        _ key: Keys, at path: [String]? = nil, orAt alternative: [String]? = nil, former: [[String]] = []
    ) throws -> Float? {
        try value(key, at: path, orAt: alternative, former: former, as: .iso8601, type: Float.self)
    }

    /// Reads a number of type `Double`.
    @_spi(Generated) public func double(
        _ key: Keys, at path: [String]? = nil, former: [[String]] = [], default value: @autoclosure () -> Double? = nil
    ) throws -> Double {
        try self.value(key, at: path, former: former, as: .iso8601, default: value)
    }

    /// Reads a number of type `Double`, or `nil`.
    @_spi(Generated) public func optionalDouble(
        _ key: Keys, at path: [String]? = nil, orAt alternative: [String]? = nil, former: [[String]] = []
    ) throws -> Double? {
        try value(key, at: path, orAt: alternative, former: former, as: .iso8601, type: Double.self)
    }

    /// Reads a number of type `Decimal`.
    @_spi(Generated) public func decimal(
        _ key: Keys, at path: [String]? = nil, former: [[String]] = [], default value: @autoclosure () -> Decimal? = nil
    ) throws -> Decimal {
        try self.value(key, at: path, former: former, as: .iso8601, default: value)
    }

    /// Reads a number of type `Decimal`, or `nil`.
    @_spi(Generated) public func optionalDecimal(
        _ key: Keys, at path: [String]? = nil, orAt alternative: [String]? = nil, former: [[String]] = []
    ) throws -> Decimal? {
        try value(key, at: path, orAt: alternative, former: former, as: .iso8601, type: Decimal.self)
    }

    /// Reads a date.
    @_spi(Generated) public func date(
        _ key: Keys, as format: DateFormat = .iso8601, at path: [String]? = nil, former: [[String]] = [],
        default value: @autoclosure () -> Date? = nil
    ) throws -> Date {
        try self.value(key, at: path, former: former, as: format, default: value)
    }

    /// Reads a date, or `nil`.
    @_spi(Generated) public func optionalDate(
        _ key: Keys, as format: DateFormat = .iso8601, at path: [String]? = nil, orAt alternative: [String]? = nil,
        former: [[String]] = []
    ) throws -> Date? {
        try value(key, at: path, orAt: alternative, former: former, as: format, type: Date.self)
    }

    /// Reads a day.
    @_spi(Generated) public func day(
        _ key: Keys, at path: [String]? = nil, former: [[String]] = [], default value: @autoclosure () -> Day? = nil
    ) throws -> Day {
        try self.value(key, at: path, former: former, as: .iso8601, default: value)
    }

    /// Reads a day, or `nil`.
    @_spi(Generated) public func optionalDay(
        _ key: Keys, at path: [String]? = nil, orAt alternative: [String]? = nil, former: [[String]] = []
    ) throws -> Day? {
        try value(key, at: path, orAt: alternative, former: former, as: .iso8601, type: Day.self)
    }

    /// Reads a UUID.
    @_spi(Generated) public func uuid(
        _ key: Keys, at path: [String]? = nil, former: [[String]] = [], default value: @autoclosure () -> UUID? = nil
    ) throws -> UUID {
        try self.value(key, at: path, former: former, as: .iso8601, default: value)
    }

    /// Reads a UUID, or `nil`.
    @_spi(Generated) public func optionalUUID(
        _ key: Keys, at path: [String]? = nil, orAt alternative: [String]? = nil, former: [[String]] = []
    ) throws -> UUID? {
        try value(key, at: path, orAt: alternative, former: former, as: .iso8601, type: UUID.self)
    }

    /// Reads a URL.
    @_spi(Generated) public func url(
        _ key: Keys, at path: [String]? = nil, former: [[String]] = [], default value: @autoclosure () -> URL? = nil
    ) throws -> URL {
        try self.value(key, at: path, former: former, as: .iso8601, default: value)
    }

    /// Reads a URL, or `nil`.
    @_spi(Generated) public func optionalURL(
        _ key: Keys, at path: [String]? = nil, orAt alternative: [String]? = nil, former: [[String]] = []
    ) throws -> URL? {
        try value(key, at: path, orAt: alternative, former: former, as: .iso8601, type: URL.self)
    }

    /// Reads an attachment by its reference.
    @_spi(Generated) public func attachment(
        _ key: Keys, at path: [String]? = nil, former: [[String]] = [],
        default value: @autoclosure () -> FileAttachment? = nil
    ) throws -> FileAttachment {
        try self.value(key, at: path, former: former, as: .iso8601, default: value)
    }

    /// Reads an attachment by its reference, or `nil`.
    @_spi(Generated) public func optionalAttachment(
        _ key: Keys, at path: [String]? = nil, orAt alternative: [String]? = nil, former: [[String]] = []
    ) throws -> FileAttachment? {
        try value(key, at: path, orAt: alternative, former: former, as: .iso8601, type: FileAttachment.self)
    }

    /// Reads bytes from base64.
    @_spi(Generated) public func data(
        _ key: Keys, at path: [String]? = nil, former: [[String]] = [], default value: @autoclosure () -> Data? = nil
    ) throws -> Data {
        try self.value(key, at: path, former: former, as: .iso8601, default: value)
    }

    /// Reads bytes from base64, or `nil`.
    @_spi(Generated) public func optionalData(
        _ key: Keys, at path: [String]? = nil, orAt alternative: [String]? = nil, former: [[String]] = []
    ) throws -> Data? {
        try value(key, at: path, orAt: alternative, former: former, as: .iso8601, type: Data.self)
    }

    /// Reads any JSON. Null is a value like any other if it is present.
    @_spi(Generated) public func json(
        _ key: Keys, at path: [String]? = nil, former: [[String]] = [],
        default value: @autoclosure () -> JSONValue? = nil
    ) throws -> JSONValue {
        // Null is a valid JSON value here.
        if try isNull(key, at: path, former: former) { return .null }
        return try self.value(key, at: path, former: former, as: .iso8601, default: value)
    }

    /// Reads any JSON, or `nil`.
    @_spi(Generated) public func optionalJSON(
        _ key: Keys, at path: [String]? = nil, orAt alternative: [String]? = nil, former: [[String]] = []
    ) throws -> JSONValue? {
        try value(key, at: path, orAt: alternative, former: former, as: .iso8601, type: JSONValue.self)
    }

    /// Reads an enum's value.
    @_spi(Generated) public func enumeration<Enumeration: AttributeValue>(
        _ key: Keys, at path: [String]? = nil, former: [[String]] = [],
        default value: @autoclosure () -> Enumeration? = nil
    ) throws -> Enumeration {
        try self.value(key, at: path, former: former, as: .iso8601, default: value)
    }

    /// Reads an enum's value, or `nil`.
    @_spi(Generated) public func optionalEnumeration<Enumeration: AttributeValue>(
        _ key: Keys, at path: [String]? = nil, orAt alternative: [String]? = nil, former: [[String]] = []
    ) throws -> Enumeration? {
        try value(key, at: path, orAt: alternative, former: former, as: .iso8601, type: Enumeration.self)
    }

    /// Reads a value of a type of the app.
    @_spi(Generated) public func custom<Custom: CustomAttribute>(
        _ key: Keys, as format: DateFormat = .iso8601, at path: [String]? = nil, former: [[String]] = [],
        default value: @autoclosure () -> Custom? = nil
    ) throws -> Custom {
        try self.value(key, at: path, former: former, as: format, default: value)
    }

    /// Reads a value of a type of the app, or `nil`.
    @_spi(Generated) public func optionalCustom<Custom: CustomAttribute>(
        _ key: Keys, as format: DateFormat = .iso8601, at path: [String]? = nil, orAt alternative: [String]? = nil,
        former: [[String]] = []
    ) throws -> Custom? {
        try value(key, at: path, orAt: alternative, former: former, as: format, type: Custom.self)
    }

    /// Reads a list.
    @_spi(Generated) public func list<Element: AttributeValue>(
        _ key: Keys, as format: DateFormat = .iso8601, at path: [String]? = nil, former: [[String]] = [],
        default value: @autoclosure () -> [Element]? = nil
    ) throws -> [Element] {
        try self.value(key, at: path, former: former, as: format, default: value)
    }

    /// Reads a list, or `nil`.
    @_spi(Generated) public func optionalList<Element: AttributeValue>(
        _ key: Keys, as format: DateFormat = .iso8601, at path: [String]? = nil, orAt alternative: [String]? = nil,
        former: [[String]] = []
    ) throws -> [Element]? {
        try value(key, at: path, orAt: alternative, former: former, as: format, type: [Element].self)
    }
}
