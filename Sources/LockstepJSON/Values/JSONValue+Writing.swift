public import Foundation

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
    /// Writes any value, the keys of objects in order. However deep it is, it takes little of the stack.
    package mutating func write(_ value: JSONValue) throws(JSONWritingError) {
        var containers: [ContainerWalk] = []
        var value = value
        while true {
            do throws(JSONWritingError) {
                if let container = try begin(value) { containers.append(container) }
            } catch {
                throw JSONWritingError(error.reason, path: containers.map(\.place))
            }
            guard let member = nextMember(of: &containers) else { return }
            value = member
        }
    }

    /// Writes a value, or the beginning of an array or object, whose members come next.
    private mutating func begin(_ value: JSONValue) throws(JSONWritingError) -> ContainerWalk? {
        switch value {
        case .null: writeNull()
        case .bool(let value): write(value)
        case .integer(let value): write(value)
        case .decimal(let value): try write(value)
        case .double(let value): try write(value)
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

    /// Ends the arrays and objects that have no more members, and writes the key of the next member, if it has one.
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
    /// The keys of an object, in order.
    private let keys: [String]?
    /// How many members have been given.
    private var count = 0

    init(_ elements: [JSONValue]) {
        values = elements
        keys = nil
    }

    init(_ members: [String: JSONValue]) {
        let members = members.sorted { $0.key < $1.key }
        values = members.map(\.value)
        keys = members.map(\.key)
    }

    var isObject: Bool { keys != nil }

    /// The key of the last member that was given; `nil` in an array.
    var key: String? { keys?[count - 1] }

    /// Where the last member is.
    var place: String { key ?? String(count - 1) }

    mutating func next() -> JSONValue? {
        guard count < values.count else { return nil }
        defer { count += 1 }
        return values[count]
    }
}
