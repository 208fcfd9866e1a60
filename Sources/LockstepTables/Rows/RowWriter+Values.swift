public import Foundation

// Two methods for each type: for a value, and for a value or NULL.
extension RowWriter {
    /// Writes a string.
    @_spi(Generated) public mutating func string(_ value: String) { write(text: value) }

    /// Writes a string, or NULL.
    @_spi(Generated) public mutating func optionalString(_ value: String?) {
        if let value { string(value) } else { writeNull() }
    }

    /// Writes a Bool.
    @_spi(Generated) public mutating func bool(_ value: Bool) { write(integer: value ? 1 : 0, value: value) }

    /// Writes a Bool, or NULL.
    @_spi(Generated) public mutating func optionalBool(_ value: Bool?) {
        if let value { bool(value) } else { writeNull() }
    }

    /// Writes a number of type `Int`.
    @_spi(Generated) public mutating func int(_ value: Int) { write(integer: Int64(value), value: value) }

    /// Writes a number of type `Int`, or NULL.
    @_spi(Generated) public mutating func optionalInt(_ value: Int?) {
        if let value { int(value) } else { writeNull() }
    }

    /// Writes a number of type `Int16`.
    @_spi(Generated) public mutating func int16(_ value: Int16) { write(integer: Int64(value), value: value) }

    /// Writes a number of type `Int16`, or NULL.
    @_spi(Generated) public mutating func optionalInt16(_ value: Int16?) {
        if let value { int16(value) } else { writeNull() }
    }

    /// Writes a number of type `Int32`.
    @_spi(Generated) public mutating func int32(_ value: Int32) { write(integer: Int64(value), value: value) }

    /// Writes a number of type `Int32`, or NULL.
    @_spi(Generated) public mutating func optionalInt32(_ value: Int32?) {
        if let value { int32(value) } else { writeNull() }
    }

    /// Writes a number of type `Int64`.
    @_spi(Generated) public mutating func int64(_ value: Int64) { write(integer: Int64(value), value: value) }

    /// Writes a number of type `Int64`, or NULL.
    @_spi(Generated) public mutating func optionalInt64(_ value: Int64?) {
        if let value { int64(value) } else { writeNull() }
    }

    /// Writes a number of type `Float`.
    @_spi(Generated) public mutating func float(_ value: Float) { write(real: Double(value), value: value) }

    /// Writes a number of type `Float`, or NULL.
    @_spi(Generated) public mutating func optionalFloat(_ value: Float?) {
        if let value { float(value) } else { writeNull() }
    }

    /// Writes a number of type `Double`.
    @_spi(Generated) public mutating func double(_ value: Double) { write(real: Double(value), value: value) }

    /// Writes a number of type `Double`, or NULL.
    @_spi(Generated) public mutating func optionalDouble(_ value: Double?) {
        if let value { double(value) } else { writeNull() }
    }

    /// Writes a number of type `Decimal`.
    @_spi(Generated) public mutating func decimal(_ value: Decimal) { write(value) }

    /// Writes a number of type `Decimal`, or NULL.
    @_spi(Generated) public mutating func optionalDecimal(_ value: Decimal?) {
        if let value { decimal(value) } else { writeNull() }
    }

    /// Writes a date.
    @_spi(Generated) public mutating func date(_ value: Date) {
        write(real: Date.roundedToStore(value.timeIntervalSince1970), value: value)
    }

    /// Writes a date, or NULL.
    @_spi(Generated) public mutating func optionalDate(_ value: Date?) {
        if let value { date(value) } else { writeNull() }
    }

    /// Writes a day.
    @_spi(Generated) public mutating func day(_ value: Day) { write(value) }

    /// Writes a day, or NULL.
    @_spi(Generated) public mutating func optionalDay(_ value: Day?) {
        if let value { day(value) } else { writeNull() }
    }

    /// Writes a UUID.
    @_spi(Generated) public mutating func uuid(_ value: UUID) { write(uuid: value) }

    /// Writes a UUID, or NULL.
    @_spi(Generated) public mutating func optionalUUID(_ value: UUID?) {
        if let value { uuid(value) } else { writeNull() }
    }

    /// Writes a URL.
    @_spi(Generated) public mutating func url(_ value: URL) { write(value) }

    /// Writes a URL, or NULL.
    @_spi(Generated) public mutating func optionalURL(_ value: URL?) {
        if let value { url(value) } else { writeNull() }
    }

    /// Writes the reference of an attachment.
    @_spi(Generated) public mutating func attachment(_ value: FileAttachment) {
        capture(value)
        write(value)
    }

    /// Writes the reference of an attachment, or NULL.
    @_spi(Generated) public mutating func optionalAttachment(_ value: FileAttachment?) {
        if let value { attachment(value) } else { writeNull() }
    }

    /// Writes bytes.
    @_spi(Generated) public mutating func data(_ value: Data) { write(value) }

    /// Writes bytes, or NULL.
    @_spi(Generated) public mutating func optionalData(_ value: Data?) {
        if let value { data(value) } else { writeNull() }
    }

    /// Writes any JSON.
    @_spi(Generated) public mutating func json(_ value: JSONValue) { write(value) }

    /// Writes any JSON, or NULL.
    @_spi(Generated) public mutating func optionalJSON(_ value: JSONValue?) {
        if let value { json(value) } else { writeNull() }
    }

    /// Writes an enum's value.
    @_disfavoredOverload
    @_spi(Generated) public mutating func enumeration<Enumeration: AttributeValue>(_ value: Enumeration) {
        write(value)
    }

    /// Writes an enum's value, or NULL.
    @_disfavoredOverload
    @_spi(Generated) public mutating func optionalEnumeration<Enumeration: AttributeValue>(_ value: Enumeration?) {
        if let value { enumeration(value) } else { writeNull() }
    }

    /// Writes an enum's value, as the general method does, if the compiler knows that it is encoded as text.
    @inlinable
    @_spi(Generated) public mutating func enumeration<Enumeration: OpenEnum>(_ value: Enumeration)
    where Enumeration.RawValue == String { write(rawText: value.rawValue, value: value) }

    /// Writes an enum's value, as the general method does, if the compiler knows that it is encoded as text.
    @inlinable
    @_spi(Generated) public mutating func enumeration<Enumeration: ClosedEnum>(_ value: Enumeration)
    where Enumeration.RawValue == String { write(rawText: value.rawValue, value: value) }

    /// Writes an enum's value, or NULL.
    @inlinable
    @_spi(Generated) public mutating func optionalEnumeration<Enumeration: OpenEnum>(_ value: Enumeration?)
    where Enumeration.RawValue == String {
        if let value { enumeration(value) } else { writeNull() }
    }

    /// Writes an enum's value, or NULL.
    @inlinable
    @_spi(Generated) public mutating func optionalEnumeration<Enumeration: ClosedEnum>(_ value: Enumeration?)
    where Enumeration.RawValue == String {
        if let value { enumeration(value) } else { writeNull() }
    }

    /// Writes a value of a type of the app.
    @_spi(Generated) public mutating func custom<Custom: CustomAttribute>(_ value: Custom) { write(value) }

    /// Writes a value of a type of the app, or NULL.
    @_spi(Generated) public mutating func optionalCustom<Custom: CustomAttribute>(_ value: Custom?) {
        if let value { custom(value) } else { writeNull() }
    }

    /// Writes a list.
    @_spi(Generated) public mutating func list<Element: AttributeValue>(_ value: [Element]) { write(value) }

    /// Writes a list, or NULL.
    @_spi(Generated) public mutating func optionalList<Element: AttributeValue>(_ value: [Element]?) {
        if let value { list(value) } else { writeNull() }
    }
}
