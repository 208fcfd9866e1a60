public import Foundation

// Two methods for each type: for a value, and for a value or NULL.
extension RowReader {
    /// Reads a string.
    @_spi(Generated) public func string(_ column: Int) -> String { text(column) }

    /// Reads a string, or `nil` if the column is NULL.
    @_spi(Generated) public func optionalString(_ column: Int) -> String? { isNull(column) ? nil : string(column) }

    /// Reads a Bool.
    @_spi(Generated) public func bool(_ column: Int) -> Bool { integer(column) != 0 }

    /// Reads a Bool, or `nil` if the column is NULL.
    @_spi(Generated) public func optionalBool(_ column: Int) -> Bool? { isNull(column) ? nil : bool(column) }

    /// Reads a number of type `Int`.
    @_spi(Generated) public func int(_ column: Int) -> Int { wholeNumber(column) }

    /// Reads a number of type `Int`, or `nil` if the column is NULL.
    @_spi(Generated) public func optionalInt(_ column: Int) -> Int? { isNull(column) ? nil : int(column) }

    /// Reads a number of type `Int16`.
    @_spi(Generated) public func int16(_ column: Int) -> Int16 { wholeNumber(column) }

    /// Reads a number of type `Int16`, or `nil` if the column is NULL.
    @_spi(Generated) public func optionalInt16(_ column: Int) -> Int16? { isNull(column) ? nil : int16(column) }

    /// Reads a number of type `Int32`.
    @_spi(Generated) public func int32(_ column: Int) -> Int32 { wholeNumber(column) }

    /// Reads a number of type `Int32`, or `nil` if the column is NULL.
    @_spi(Generated) public func optionalInt32(_ column: Int) -> Int32? { isNull(column) ? nil : int32(column) }

    /// Reads a number of type `Int64`.
    @_spi(Generated) public func int64(_ column: Int) -> Int64 { wholeNumber(column) }

    /// Reads a number of type `Int64`, or `nil` if the column is NULL.
    @_spi(Generated) public func optionalInt64(_ column: Int) -> Int64? { isNull(column) ? nil : int64(column) }

    /// Reads a number of type `Float`.
    @_spi(Generated) public func float(_ column: Int) -> Float { Float(real(column)) }

    /// Reads a number of type `Float`, or `nil` if the column is NULL.
    @_spi(Generated) public func optionalFloat(_ column: Int) -> Float? { isNull(column) ? nil : float(column) }

    /// Reads a number of type `Double`.
    @_spi(Generated) public func double(_ column: Int) -> Double { real(column) }

    /// Reads a number of type `Double`, or `nil` if the column is NULL.
    @_spi(Generated) public func optionalDouble(_ column: Int) -> Double? { isNull(column) ? nil : double(column) }

    /// Reads a number of type `Decimal`.
    @_spi(Generated) public func decimal(_ column: Int) -> Decimal { value(column) }

    /// Reads a number of type `Decimal`, or `nil` if the column is NULL.
    @_spi(Generated) public func optionalDecimal(_ column: Int) -> Decimal? { isNull(column) ? nil : decimal(column) }

    /// Reads a date.
    @_spi(Generated) public func date(_ column: Int) -> Date { Date(timeIntervalSince1970: real(column)) }

    /// Reads a date, or `nil` if the column is NULL.
    @_spi(Generated) public func optionalDate(_ column: Int) -> Date? { isNull(column) ? nil : date(column) }

    /// Reads a day.
    @_spi(Generated) public func day(_ column: Int) -> Day { value(column) }

    /// Reads a day, or `nil` if the column is NULL.
    @_spi(Generated) public func optionalDay(_ column: Int) -> Day? { isNull(column) ? nil : day(column) }

    /// Reads a UUID.
    @_spi(Generated) public func uuid(_ column: Int) -> UUID { uuidValue(column) }

    /// Reads a UUID, or `nil` if the column is NULL.
    @_spi(Generated) public func optionalUUID(_ column: Int) -> UUID? { isNull(column) ? nil : uuid(column) }

    /// Reads a URL.
    @_spi(Generated) public func url(_ column: Int) -> URL { value(column) }

    /// Reads a URL, or `nil` if the column is NULL.
    @_spi(Generated) public func optionalURL(_ column: Int) -> URL? { isNull(column) ? nil : url(column) }

    /// Reads an attachment, which uses the files of the row's store.
    @_spi(Generated) public func attachment(_ column: Int) -> FileAttachment {
        let value: FileAttachment = value(column)
        return attachmentFiles?.known(value) ?? value
    }

    /// Reads an attachment, or `nil` if the column is NULL.
    @_spi(Generated) public func optionalAttachment(_ column: Int) -> FileAttachment? {
        isNull(column) ? nil : attachment(column)
    }

    /// Reads bytes.
    @_spi(Generated) public func data(_ column: Int) -> Data { bytes(column) }

    /// Reads bytes, or `nil` if the column is NULL.
    @_spi(Generated) public func optionalData(_ column: Int) -> Data? { isNull(column) ? nil : data(column) }

    /// Reads any JSON.
    @_spi(Generated) public func json(_ column: Int) -> JSONValue { value(column) }

    /// Reads any JSON, or `nil` if the column is NULL.
    @_spi(Generated) public func optionalJSON(_ column: Int) -> JSONValue? { isNull(column) ? nil : json(column) }

    /// Reads an enum's value.
    @_disfavoredOverload
    @_spi(Generated) public func enumeration<Enumeration: AttributeValue>(_ column: Int) -> Enumeration {
        value(column)
    }

    /// Reads an enum's value, or `nil` if the column is NULL.
    @_disfavoredOverload
    @_spi(Generated) public func optionalEnumeration<Enumeration: AttributeValue>(_ column: Int) -> Enumeration? {
        isNull(column) ? nil : enumeration(column)
    }

    /// Reads an enum's value, as the general method does, if the compiler knows that it is encoded as text.
    @inlinable
    @_spi(Generated) public func enumeration<Enumeration: OpenEnum>(_ column: Int) -> Enumeration
    where Enumeration.RawValue == String {
        guard let raw = rawText(column) else { return .placeholder }
        // Selects the initializer that cannot fail, of the two that the protocols require.
        let make: (String) -> Enumeration = Enumeration.init(rawValue:)
        return make(raw)
    }

    /// Reads an enum's value, as the general method does, if the compiler knows that it is encoded as text.
    @inlinable
    @_spi(Generated) public func enumeration<Enumeration: ClosedEnum>(
        _ column: Int
    ) -> Enumeration where Enumeration.RawValue == String {
        guard let raw = rawText(column) else { return .placeholder }
        guard let value = Enumeration(rawValue: raw) else {
            noteUnreadable(column)
            return .placeholder
        }
        return value
    }

    /// Reads an enum's value, or `nil` if the column is NULL.
    @inlinable
    @_spi(Generated) public func optionalEnumeration<Enumeration: OpenEnum>(
        _ column: Int
    ) -> Enumeration? where Enumeration.RawValue == String {
        if isNull(column) { return nil }
        let value: Enumeration = enumeration(column)
        return value
    }

    /// Reads an enum's value, or `nil` if the column is NULL.
    @inlinable
    @_spi(Generated) public func optionalEnumeration<Enumeration: ClosedEnum>(
        _ column: Int
    ) -> Enumeration? where Enumeration.RawValue == String {
        if isNull(column) { return nil }
        let value: Enumeration = enumeration(column)
        return value
    }

    /// Reads a value of a type of the app.
    @_spi(Generated) public func custom<Custom: CustomAttribute>(_ column: Int) -> Custom { value(column) }

    /// Reads a value of a type of the app, or `nil` if the column is NULL.
    @_spi(Generated) public func optionalCustom<Custom: CustomAttribute>(_ column: Int) -> Custom? {
        isNull(column) ? nil : custom(column)
    }

    /// Reads a list.
    @_spi(Generated) public func list<Element: AttributeValue>(_ column: Int) -> [Element] { value(column) }

    /// Reads a list, or `nil` if the column is NULL.
    @_spi(Generated) public func optionalList<Element: AttributeValue>(_ column: Int) -> [Element]? {
        isNull(column) ? nil : list(column)
    }
}
