public import Foundation
public import GRDB

/// Any JSON. Numbers are exact: whole ones to 64 bits, others to 38 digits, and only beyond that the nearest `Double`.
///
/// Numbers are equal where they are the same number, however they are held: `.integer(1)` is `.decimal(1)`. Texts are
/// equal where their scalars are.
public enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case decimal(Decimal)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue: Hashable {
    public static func == (lhs: JSONValue, rhs: JSONValue) -> Bool {
        switch (lhs.canonical, rhs.canonical) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.string(let left), .string(let right)): String.isIdentical(left, right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): areEqual(left, right)
        default: false
        }
    }

    /// Whether two objects have the same members, under keys that are spelt alike.
    private static func areEqual(_ left: [String: JSONValue], _ right: [String: JSONValue]) -> Bool {
        left.count == right.count
            && left.allSatisfy { key, value in
                guard let index = right.index(forKey: key) else { return false }
                return String.isIdentical(right[index].key, key) && right[index].value == value
            }
    }

    public func hash(into hasher: inout Hasher) {
        switch canonical {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }

    /// The same number in the narrowest case that holds it; anything else as it is.
    var canonical: JSONValue {
        switch self {
        case .decimal(let value):
            return value.wholeNumber.map(JSONValue.integer) ?? self
        case .double(let value):
            guard value.isFinite else { return self }
            // Beyond, the shortest digits that mean the double are what is written, so they are what it is equal to.
            if abs(value) < Date.exactLimit, let whole = Int64(exactly: value) { return .integer(whole) }
            return JSONText.number(value.description) ?? self
        default: return self
        }
    }
}

extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.singleValueContainer() {
            if container.decodeNil() { self = .null; return }
            if let value = try? container.decode(String.self) { self = .string(value); return }
            if let value = try? container.decode(Bool.self) { self = .bool(value); return }
            if let value = Self.number(in: container) { self = value; return }
        }
        if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
            self = .array(elements)
            return
        }
        let container = try decoder.container(keyedBy: WireKey.self)
        var members: [String: JSONValue] = [:]
        for key in container.allKeys { members[key.stringValue] = try container.decode(JSONValue.self, forKey: key) }
        self = .object(members)
    }

    /// The number, from its digits where a decimal can hold them. `JSONDecoder` makes an `Int64` of
    /// 7561853282146665.79.
    private static func number(in container: any SingleValueDecodingContainer) -> JSONValue? {
        let double = try? container.decode(Double.self)
        if let value = try? container.decode(Decimal.self), !value.isNaN, value != 0 || double == 0 {
            return JSONValue.decimal(value).canonical
        }
        return double.map(JSONValue.double)
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .object(let members):
            var container = encoder.container(keyedBy: WireKey.self)
            for (key, member) in members { try container.encode(member, forKey: WireKey(key)) }
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .decimal(let value) where value.isNaN:
                throw EncodingError.invalidValue(
                    value,
                    EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "It is not a number."))
            case .decimal(let value): try container.encode(value)
            case .double(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            default: try container.encodeNil()
            }
        }
    }
}

extension JSONValue: AttributeValue {
    /// The value as JSON text, keys in order.
    public var storedValue: DatabaseValue { JSONText.text(of: self).databaseValue }

    public init?(storedValue: DatabaseValue) {
        guard case .string(let text) = storedValue.storage, let value = JSONText.value(from: text) else { return nil }
        self = value
    }

    public var storedJSON: JSONValue { self }

    public init?(storedJSON: JSONValue) { self = storedJSON }

    public init(wire source: WireSource) throws { try self.init(from: source.decoder) }

    public func write(to target: WireTarget) throws { try encode(to: target.encoder) }

    public func violation(of limits: Limits) -> LimitViolation? { violation(depth: 0) }

    /// Numbers that are none would become null, and what is too deep could not be read again.
    private func violation(depth: Int) -> LimitViolation? {
        switch self {
        case .null, .bool, .integer, .string: return nil
        case .double(let value): return value.isFinite ? nil : .notFinite
        case .decimal(let value): return value.violation(of: .none)
        case .array(let elements):
            guard depth < JSONText.depthLimit else { return .tooDeep(JSONText.depthLimit) }
            return Self.firstViolation(in: elements, depth: depth + 1)
        case .object(let members):
            guard depth < JSONText.depthLimit else { return .tooDeep(JSONText.depthLimit) }
            return Self.firstViolation(in: members.values, depth: depth + 1)
        }
    }

    private static func firstViolation(in values: some Sequence<JSONValue>, depth: Int) -> LimitViolation? {
        for value in values {
            if let violation = value.violation(depth: depth) { return violation }
        }
        return nil
    }

    public static var placeholder: JSONValue { .null }

    /// A column's value as an element of a list's JSON text. Bytes become base64.
    package init(storedScalar: DatabaseValue) {
        switch storedScalar.storage {
        case .null: self = .null
        case .int64(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .blob(let value): self = .string(value.base64EncodedString())
        }
    }

    /// The inverse of `init(storedScalar:)`, as far as JSON tells; `nil` for arrays and objects.
    var storedScalar: DatabaseValue? {
        switch self {
        case .null: return .null
        case .bool(let value): return value.databaseValue
        case .integer(let value): return value.databaseValue
        case .decimal(let value): return value.nearestDouble.databaseValue
        case .double(let value): return value.databaseValue
        case .string(let value): return value.databaseValue
        case .array, .object: return nil
        }
    }
}
