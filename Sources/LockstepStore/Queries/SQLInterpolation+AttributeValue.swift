public import GRDB

// Values in SQL text, as columns keep them: `"SELECT * FROM entry WHERE timestamp > \(date) AND mood = \(Mood.happy)"`.
// GRDB would write a date as a text and a UUID as bytes, and find nothing.
extension SQLInterpolation {
    /// Appends a value as columns keep it: a UUID as text, a date as seconds, an enum as its raw value.
    public mutating func appendInterpolation<Value: AttributeValue>(_ value: Value) {
        appendInterpolation(value.storedValue.wholeExpression)
    }

    /// Appends a value as columns keep it, or NULL.
    public mutating func appendInterpolation<Value: AttributeValue>(_ value: Value?) {
        let stored: DatabaseValue = value.map(\.storedValue) ?? .null
        appendInterpolation(stored.wholeExpression)
    }

    /// Appends a text, what comes behind a NUL in it too.
    public mutating func appendInterpolation(_ value: String) {
        appendInterpolation(value.storedValue.wholeExpression)
    }

    /// Appends values in parentheses, each as columns keep it: `mood IN \([Mood.sad, .happy])`. A column that holds a
    /// list is compared with `\(list.storedValue)`.
    public mutating func appendInterpolation<Value: AttributeValue>(_ values: [Value]) { appendList(values) }

    // GRDB has one for these; without this, Swift could not choose.

    /// Appends values in parentheses, each as columns keep it.
    public mutating func appendInterpolation<Value: AttributeValue & SQLExpressible>(_ values: [Value]) {
        appendList(values)
    }

    private mutating func appendList(_ values: [some AttributeValue]) {
        appendInterpolation(values.map(\.storedValue.wholeExpression))
    }
}
