public import Foundation
public import LockstepStore

extension JSONValue {
    /// The value as a JSON text (RFC 8259) in UTF-8, the keys of each object in order.
    ///
    /// It is read again as an equal value. Equal values need not be equal texts: use the stored text for that.
    ///
    /// - Parameter isPretty: Whether each member gets a line of its own, indented.
    /// - Throws: `JSONWritingError` where a number is infinite or none, or the value is nested deeper than 512.
    public func json(isPretty: Bool = false) throws(JSONWritingError) -> Data {
        var writer = JSONWriter(isPretty: isPretty)
        try writer.write(self)
        return Data(writer.bytes)
    }
}

extension JSONWriter {
    /// Writes any value, the keys of objects in order.
    mutating func write(_ value: JSONValue) throws(JSONWritingError) {
        switch value {
        case .null: writeNull()
        case .bool(let value): write(value)
        case .integer(let value): write(value)
        case .decimal(let value): try write(value)
        case .double(let value): try write(value)
        case .string(let value): write(value)
        case .array(let elements): try write(elements)
        case .object(let members): try write(members)
        }
    }

    private mutating func write(_ elements: [JSONValue]) throws(JSONWritingError) {
        try beginArray()
        for (index, element) in elements.enumerated() {
            do throws(JSONWritingError) { try write(element) } catch { throw error.inside(String(index)) }
        }
        endArray()
    }

    private mutating func write(_ members: [String: JSONValue]) throws(JSONWritingError) {
        try beginObject()
        for (key, member) in members.sorted(by: { $0.key < $1.key }) {
            self.key(key)
            do throws(JSONWritingError) { try write(member) } catch { throw error.inside(key) }
        }
        endObject()
    }
}
