package import Foundation

/// Writes a JSON text (RFC 8259) piece by piece, for requests.
///
/// Commas, colons and, if requested, indentation are added automatically. Text is unchanged except for quotes,
/// backslashes and control characters; numbers are written as briefly as they can be parsed again.
///
/// ```swift
/// var writer = JSONWriter()
/// try writer.beginObject()
/// writer.key("name")
/// writer.write("Léa")
/// writer.endObject()
/// writer.bytes    // {"name":"Léa"}
/// ```
///
/// JSON text in columns is written by ``StoredJSON``, whose encoding never changes: equal values must be equal texts
/// there. This one can be brief.
package struct JSONWriter {
    /// The bytes that were written.
    package private(set) var bytes: [UInt8] = []
    private let isPretty: Bool
    /// The number of open arrays and objects.
    private var depth = 0
    /// Whether the next member is the first one of the innermost array or object.
    private var isFirst = true
    /// Whether a key has been written that has no value yet.
    private var isBehindKey = false

    package init(isPretty: Bool = false) { self.isPretty = isPretty }

    // MARK: Structure

    /// Begins an object, which `endObject` ends.
    ///
    /// - Throws: `JSONWritingError` if it would be nested more deeply than readers allow.
    package mutating func beginObject() throws(JSONWritingError) { try begin(UInt8(ascii: "{")) }

    package mutating func endObject() { end(UInt8(ascii: "}")) }

    /// Begins an array, which `endArray` ends.
    ///
    /// - Throws: `JSONWritingError` if it would be nested more deeply than readers allow.
    package mutating func beginArray() throws(JSONWritingError) { try begin(UInt8(ascii: "[")) }

    package mutating func endArray() { end(UInt8(ascii: "]")) }

    /// Writes the key of the next member.
    package mutating func key(_ key: String) {
        precondition(depth > 0 && !isBehindKey, "A key was written where a value belongs.")
        separate()
        JSONString.append(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        if isPretty { bytes.append(UInt8(ascii: " ")) }
        isBehindKey = true
    }

    private mutating func begin(_ byte: UInt8) throws(JSONWritingError) {
        guard depth < JSONScanner.depthLimit else { throw JSONWritingError(.tooDeep(limit: JSONScanner.depthLimit)) }
        prepareValue()
        bytes.append(byte)
        depth += 1
        isFirst = true
    }

    private mutating func end(_ byte: UInt8) {
        precondition(depth > 0 && !isBehindKey, "An array or object was ended that is not open, or after a key.")
        depth -= 1
        if !isFirst { breakLine() }
        bytes.append(byte)
        isFirst = false
    }

    /// Writes what precedes a value, unless it follows its key.
    private mutating func prepareValue() {
        if isBehindKey { isBehindKey = false } else { separate() }
    }

    private mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        if depth > 0 { breakLine() }
        isFirst = false
    }

    private mutating func breakLine() {
        guard isPretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    // MARK: Values

    package mutating func writeNull() { append("null") }

    package mutating func write(_ value: Bool) { append(value ? "true" : "false") }

    package mutating func write(_ value: Int64) { append(String(value)) }

    /// Writes a number with the fewest digits that are parsed as the same one: `1` for 1.0.
    ///
    /// - Throws: `JSONWritingError` if it is infinite or not a number.
    package mutating func write(_ value: Double) throws(JSONWritingError) {
        guard value.isFinite else { throw JSONWritingError(.notFinite) }
        let text = value.description
        append(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    /// Writes a number beyond the greatest `Double`, which every reader finds infinite, too.
    mutating func writeInfinity(_ value: Double) { append(value < 0 ? "-1e999" : "1e999") }

    /// Writes a number with all its digits, without an exponent.
    ///
    /// - Throws: `JSONWritingError` if it is not a number.
    package mutating func write(_ value: Decimal) throws(JSONWritingError) {
        guard let text = value.storedText else { throw JSONWritingError(.notFinite) }
        append(text)
    }

    package mutating func write(_ value: String) {
        prepareValue()
        JSONString.append(value, to: &bytes)
    }

    private mutating func append(_ text: String) {
        prepareValue()
        bytes.append(contentsOf: text.utf8)
    }
}
