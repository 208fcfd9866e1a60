public import Foundation

// For each type two methods, for a value and for a value or NULL.
extension RowWriter {
    public mutating func string(_ value: String) { write(text: value) }

    public mutating func optionalString(_ value: String?) {
        if let value { string(value) } else { writeNull() }
    }

    public mutating func bool(_ value: Bool) { write(integer: value ? 1 : 0, value) }

    public mutating func optionalBool(_ value: Bool?) {
        if let value { bool(value) } else { writeNull() }
    }

    public mutating func int(_ value: Int) { write(integer: Int64(value), value) }

    public mutating func optionalInt(_ value: Int?) {
        if let value { int(value) } else { writeNull() }
    }

    public mutating func int16(_ value: Int16) { write(integer: Int64(value), value) }

    public mutating func optionalInt16(_ value: Int16?) {
        if let value { int16(value) } else { writeNull() }
    }

    public mutating func int32(_ value: Int32) { write(integer: Int64(value), value) }

    public mutating func optionalInt32(_ value: Int32?) {
        if let value { int32(value) } else { writeNull() }
    }

    public mutating func int64(_ value: Int64) { write(integer: Int64(value), value) }

    public mutating func optionalInt64(_ value: Int64?) {
        if let value { int64(value) } else { writeNull() }
    }

    public mutating func float(_ value: Float) { write(real: Double(value), value) }

    public mutating func optionalFloat(_ value: Float?) {
        if let value { float(value) } else { writeNull() }
    }

    public mutating func double(_ value: Double) { write(real: Double(value), value) }

    public mutating func optionalDouble(_ value: Double?) {
        if let value { double(value) } else { writeNull() }
    }

    public mutating func decimal(_ value: Decimal) { write(value) }

    public mutating func optionalDecimal(_ value: Decimal?) {
        if let value { decimal(value) } else { writeNull() }
    }

    public mutating func date(_ value: Date) { write(real: Date.roundedToStore(value.timeIntervalSince1970), value) }

    public mutating func optionalDate(_ value: Date?) {
        if let value { date(value) } else { writeNull() }
    }

    public mutating func uuid(_ value: UUID) { write(value) }

    public mutating func optionalUUID(_ value: UUID?) {
        if let value { uuid(value) } else { writeNull() }
    }

    public mutating func url(_ value: URL) { write(value) }

    public mutating func optionalURL(_ value: URL?) {
        if let value { url(value) } else { writeNull() }
    }

    public mutating func data(_ value: Data) { write(value) }

    public mutating func optionalData(_ value: Data?) {
        if let value { data(value) } else { writeNull() }
    }

    public mutating func json(_ value: JSONValue) { write(value) }

    public mutating func optionalJSON(_ value: JSONValue?) {
        if let value { json(value) } else { writeNull() }
    }

    public mutating func enumeration<Enumeration: AttributeValue>(_ value: Enumeration) { write(value) }

    public mutating func optionalEnumeration<Enumeration: AttributeValue>(_ value: Enumeration?) {
        if let value { enumeration(value) } else { writeNull() }
    }

    public mutating func custom<Custom: CustomAttribute>(_ value: Custom) { write(value) }

    public mutating func optionalCustom<Custom: CustomAttribute>(_ value: Custom?) {
        if let value { custom(value) } else { writeNull() }
    }

    public mutating func list<Element: AttributeValue>(_ value: [Element]) { write(value) }

    public mutating func optionalList<Element: AttributeValue>(_ value: [Element]?) {
        if let value { list(value) } else { writeNull() }
    }
}
