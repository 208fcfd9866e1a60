public import Foundation

// For each type two methods, for a value and for a value or NULL.
extension RowReader {
    public func string(_ column: Int) -> String { text(column) }

    public func optionalString(_ column: Int) -> String? { isNull(column) ? nil : string(column) }

    public func bool(_ column: Int) -> Bool { integer(column) != 0 }

    public func optionalBool(_ column: Int) -> Bool? { isNull(column) ? nil : bool(column) }

    public func int(_ column: Int) -> Int { wholeNumber(column) }

    public func optionalInt(_ column: Int) -> Int? { isNull(column) ? nil : int(column) }

    public func int16(_ column: Int) -> Int16 { wholeNumber(column) }

    public func optionalInt16(_ column: Int) -> Int16? { isNull(column) ? nil : int16(column) }

    public func int32(_ column: Int) -> Int32 { wholeNumber(column) }

    public func optionalInt32(_ column: Int) -> Int32? { isNull(column) ? nil : int32(column) }

    public func int64(_ column: Int) -> Int64 { wholeNumber(column) }

    public func optionalInt64(_ column: Int) -> Int64? { isNull(column) ? nil : int64(column) }

    public func float(_ column: Int) -> Float { Float(real(column)) }

    public func optionalFloat(_ column: Int) -> Float? { isNull(column) ? nil : float(column) }

    public func double(_ column: Int) -> Double { real(column) }

    public func optionalDouble(_ column: Int) -> Double? { isNull(column) ? nil : double(column) }

    public func decimal(_ column: Int) -> Decimal { value(column) }

    public func optionalDecimal(_ column: Int) -> Decimal? { isNull(column) ? nil : decimal(column) }

    public func date(_ column: Int) -> Date { Date(timeIntervalSince1970: real(column)) }

    public func optionalDate(_ column: Int) -> Date? { isNull(column) ? nil : date(column) }

    public func uuid(_ column: Int) -> UUID { value(column) }

    public func optionalUUID(_ column: Int) -> UUID? { isNull(column) ? nil : uuid(column) }

    public func url(_ column: Int) -> URL { value(column) }

    public func optionalURL(_ column: Int) -> URL? { isNull(column) ? nil : url(column) }

    public func data(_ column: Int) -> Data { bytes(column) }

    public func optionalData(_ column: Int) -> Data? { isNull(column) ? nil : data(column) }

    public func json(_ column: Int) -> JSONValue { value(column) }

    public func optionalJSON(_ column: Int) -> JSONValue? { isNull(column) ? nil : json(column) }

    public func enumeration<Enumeration: AttributeValue>(_ column: Int) -> Enumeration { value(column) }

    public func optionalEnumeration<Enumeration: AttributeValue>(_ column: Int) -> Enumeration? {
        isNull(column) ? nil : enumeration(column)
    }

    public func custom<Custom: CustomAttribute>(_ column: Int) -> Custom { value(column) }

    public func optionalCustom<Custom: CustomAttribute>(_ column: Int) -> Custom? {
        isNull(column) ? nil : custom(column)
    }

    public func list<Element: AttributeValue>(_ column: Int) -> [Element] { value(column) }

    public func optionalList<Element: AttributeValue>(_ column: Int) -> [Element]? {
        isNull(column) ? nil : list(column)
    }
}
