public import GRDB

// Values in SQL text, in the encoding of columns: `"SELECT * FROM entry WHERE timestamp > \(date) AND mood =
// \(Mood.happy)"`. GRDB would encode a date as text and a UUID as bytes, and find nothing.
extension SQLInterpolation {
    /// Appends a value in the encoding of columns: a UUID as text, a date as seconds, an enum as its raw value.
    public mutating func appendInterpolation<Value: AttributeValue>(_ value: Value) {
        appendInterpolation(value.storedValue.wholeExpression)
    }

    /// Appends a value in the encoding of columns, or NULL.
    public mutating func appendInterpolation<Value: AttributeValue>(_ value: Value?) {
        let stored: DatabaseValue = value.map(\.storedValue) ?? .null
        appendInterpolation(stored.wholeExpression)
    }

    /// Appends a text, including what follows a NUL in it.
    public mutating func appendInterpolation(_ value: String) {
        appendInterpolation(value.storedValue.wholeExpression)
    }

    /// Appends values in parentheses, each in the encoding of columns: `mood IN \([Mood.sad, .happy])`. To compare with
    /// a column that contains a list, use `\(list.storedValue)`.
    public mutating func appendInterpolation<Value: AttributeValue>(_ values: [Value]) { appendList(values) }

    // GRDB has one for these. Without this one, the call would be ambiguous.

    /// Appends values in parentheses, each in the encoding of columns.
    public mutating func appendInterpolation<Value: AttributeValue & SQLExpressible>(_ values: [Value]) {
        appendList(values)
    }

    private mutating func appendList(_ values: [some AttributeValue]) {
        appendInterpolation(values.map(\.storedValue.wholeExpression))
    }
}
