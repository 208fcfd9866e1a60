public import Foundation

// Two methods for each type: for a value, and for a value or `nil`. They are not inlined, so that the code of models
// and representations stays short.
extension ValueComparison {
    /// Compares two strings.
    @inline(never)
    @_spi(Generated) public mutating func string(_ left: String, _ right: String, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two strings, each of which can be `nil`.
    @inline(never)
    @_spi(Generated) public mutating func optionalString(_ left: String?, _ right: String?, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two Bools.
    @inline(never)
    @_spi(Generated) public mutating func bool(_ left: Bool, _ right: Bool, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two Bools, each of which can be `nil`.
    @inline(never)
    @_spi(Generated) public mutating func optionalBool(_ left: Bool?, _ right: Bool?, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two numbers of type `Int`.
    @inline(never)
    @_spi(Generated) public mutating func int(_ left: Int, _ right: Int, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two numbers of type `Int`, each of which can be `nil`.
    @inline(never)
    @_spi(Generated) public mutating func optionalInt(_ left: Int?, _ right: Int?, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two numbers of type `Int16`.
    @inline(never)
    @_spi(Generated) public mutating func int16(_ left: Int16, _ right: Int16, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two numbers of type `Int16`, each of which can be `nil`.
    @inline(never)
    @_spi(Generated) public mutating func optionalInt16(_ left: Int16?, _ right: Int16?, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two numbers of type `Int32`.
    @inline(never)
    @_spi(Generated) public mutating func int32(_ left: Int32, _ right: Int32, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two numbers of type `Int32`, each of which can be `nil`.
    @inline(never)
    @_spi(Generated) public mutating func optionalInt32(_ left: Int32?, _ right: Int32?, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two numbers of type `Int64`.
    @inline(never)
    @_spi(Generated) public mutating func int64(_ left: Int64, _ right: Int64, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two numbers of type `Int64`, each of which can be `nil`.
    @inline(never)
    @_spi(Generated) public mutating func optionalInt64(_ left: Int64?, _ right: Int64?, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two numbers of type `Float`.
    @inline(never)
    @_spi(Generated) public mutating func float(_ left: Float, _ right: Float, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two numbers of type `Float`, each of which can be `nil`.
    @inline(never)
    @_spi(Generated) public mutating func optionalFloat(_ left: Float?, _ right: Float?, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two numbers of type `Double`.
    @inline(never)
    @_spi(Generated) public mutating func double(_ left: Double, _ right: Double, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two numbers of type `Double`, each of which can be `nil`.
    @inline(never)
    @_spi(Generated) public mutating func optionalDouble(_ left: Double?, _ right: Double?, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two numbers of type `Decimal`.
    @inline(never)
    @_spi(Generated) public mutating func decimal(_ left: Decimal, _ right: Decimal, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two numbers of type `Decimal`, each of which can be `nil`.
    @inline(never)
    @_spi(Generated) public mutating func optionalDecimal(_ left: Decimal?, _ right: Decimal?, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two dates.
    @inline(never)
    @_spi(Generated) public mutating func date(_ left: Date, _ right: Date, _ key: String = "") {
        if compares(key) { isEqual = left == (roundsDates ? right.roundedToStore : right) }
    }

    /// Compares two dates, each of which can be `nil`.
    @inline(never)
    @_spi(Generated) public mutating func optionalDate(_ left: Date?, _ right: Date?, _ key: String = "") {
        if compares(key) { isEqual = left == (roundsDates ? right?.roundedToStore : right) }
    }

    /// Compares two lists of dates.
    @inline(never)
    @_spi(Generated) public mutating func dates(_ left: [Date], _ right: [Date], _ key: String = "") {
        if compares(key) { isEqual = left == (roundsDates ? right.map(\.roundedToStore) : right) }
    }

    /// Compares two lists of dates, each of which can be `nil`.
    @inline(never)
    @_spi(Generated) public mutating func optionalDates(_ left: [Date]?, _ right: [Date]?, _ key: String = "") {
        if compares(key) { isEqual = left == (roundsDates ? right?.map(\.roundedToStore) : right) }
    }

    /// Compares two UUIDs.
    @inline(never)
    @_spi(Generated) public mutating func uuid(_ left: UUID, _ right: UUID, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two UUIDs, each of which can be `nil`.
    @inline(never)
    @_spi(Generated) public mutating func optionalUUID(_ left: UUID?, _ right: UUID?, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two URLs.
    @inline(never)
    @_spi(Generated) public mutating func url(_ left: URL, _ right: URL, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two URLs, each of which can be `nil`.
    @inline(never)
    @_spi(Generated) public mutating func optionalURL(_ left: URL?, _ right: URL?, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two `Data` values.
    @inline(never)
    @_spi(Generated) public mutating func data(_ left: Data, _ right: Data, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two `Data` values, each of which can be `nil`.
    @inline(never)
    @_spi(Generated) public mutating func optionalData(_ left: Data?, _ right: Data?, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two JSON values.
    @inline(never)
    @_spi(Generated) public mutating func json(_ left: JSONValue, _ right: JSONValue, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two JSON values, each of which can be `nil`.
    @inline(never)
    @_spi(Generated) public mutating func optionalJSON(_ left: JSONValue?, _ right: JSONValue?, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }
}
