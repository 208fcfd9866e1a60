public import Foundation

extension JSONValue {
    /// Returns the value as a JSON text (RFC 8259) in UTF-8, with the keys of each object sorted.
    ///
    /// Parsing it returns an equal value. Equal values need not be equal texts; use the stored text for that. An
    /// infinite number, which is what a number beyond the greatest `Double` is read as, is written as such a number:
    /// `1e999`.
    ///
    /// - Parameter isPretty: Whether each member is on a separate, indented line.
    /// - Throws: `JSONWritingError` if a number is NaN, or the value is nested more than 512 levels deep.
    public func json(isPretty: Bool = false) throws(JSONWritingError) -> Data {
        var writer = JSONWriter(isPretty: isPretty)
        try writer.write(self)
        return Data(writer.bytes)
    }
}

extension JSONWriter {
    /// Writes any value, with the keys of objects sorted. It does not use recursion.
    package mutating func write(_ value: JSONValue) throws(JSONWritingError) {
        var containers: [ContainerWalk] = []
        var value = value
        while true {
            do throws(JSONWritingError) {
                if let container = try begin(value) { containers.append(container) }
            } catch {
                throw JSONWritingError(error.reason, path: containers.map(\.component))
            }
            guard let member = nextMember(of: &containers) else { return }
            value = member
        }
    }

    /// Writes a value, or the beginning of an array or object, whose members follow.
    private mutating func begin(_ value: JSONValue) throws(JSONWritingError) -> ContainerWalk? {
        switch value {
        case .null: writeNull()
        case .bool(let value): write(value)
        case .integer(let value): write(value)
        case .decimal(let value): try write(value)
        case .double(let value): try value.isInfinite ? writeInfinity(value) : write(value)
        case .string(let value): write(value)
        case .array(let elements):
            try beginArray()
            return ContainerWalk(elements)
        case .object(let members):
            try beginObject()
            return ContainerWalk(members)
        }
        return nil
    }

    /// Ends the arrays and objects without remaining members, and writes the key of the next member, if it has one.
    private mutating func nextMember(of containers: inout [ContainerWalk]) -> JSONValue? {
        while let innermost = containers.indices.last {
            if let member = containers[innermost].next() {
                if let key = containers[innermost].key { self.key(key) }
                return member
            }
            if containers.removeLast().isObject { endObject() } else { endArray() }
        }
        return nil
    }
}

/// An array or object whose members are being written.
private struct ContainerWalk {
    private let values: [JSONValue]
    /// The sorted keys of an object.
    private let keys: [String]?
    /// The number of members that were returned.
    private var count = 0

    init(_ elements: [JSONValue]) {
        values = elements
        keys = nil
    }

    init(_ object: JSONObject) {
        let members = object.sortedMembers
        values = members.map(\.value)
        keys = members.map(\.key)
    }

    var isObject: Bool { keys != nil }

    /// The key of the last returned member; `nil` in an array.
    var key: String? { keys?[count - 1] }

    /// The key or index of the last member.
    var component: String { key ?? String(count - 1) }

    mutating func next() -> JSONValue? {
        guard count < values.count else { return nil }
        defer { count += 1 }
        return values[count]
    }
}
