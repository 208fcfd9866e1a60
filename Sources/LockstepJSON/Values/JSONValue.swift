public import Foundation

/// Any JSON. Numbers are exact: integers up to 64 bits, others up to 38 digits, and only beyond that the nearest
/// `Double`.
///
/// Numbers are equal if they have the same value, whatever their case: `.integer(1)` equals `.decimal(1)`. Texts and
/// keys are equal if their scalars are.
public enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case decimal(Decimal)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue: Hashable {
    public static func == (lhs: JSONValue, rhs: JSONValue) -> Bool {
        switch (lhs.canonical, rhs.canonical) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.string(let left), .string(let right)): ExactText(left) == ExactText(right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    @_spi(Requirements) public func hash(into hasher: inout Hasher) {
        switch canonical {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .string(let value): hasher.combine(ExactText(value))
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }

    /// The same number in the narrowest case that can represent it; anything else unchanged.
    package var canonical: JSONValue {
        switch self {
        case .decimal(let value):
            return value.wholeNumber.map(JSONValue.integer) ?? self
        case .double(let value):
            guard value.isFinite else { return self }
            // Beyond that, the shortest digits that stand for the double are written, so the double is equal to those.
            if abs(value) < Self.exactDoubleLimit, let whole = Int64(exactly: value) { return .integer(whole) }
            return StoredJSON.number(value.description) ?? self
        default: return self
        }
    }

    /// 2^53: beyond it, a `Double` does not distinguish consecutive integers.
    private static let exactDoubleLimit = 9_007_199_254_740_992.0
}

extension JSONValue: Codable {
    @_spi(Requirements) public init(from decoder: any Decoder) throws {
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
        self = .object(try JSONObject(from: decoder))
    }

    /// The number from its digits if a decimal can represent them. `JSONDecoder` converts 7561853282146665.79 to an
    /// `Int64`.
    private static func number(in container: any SingleValueDecodingContainer) -> JSONValue? {
        let double = try? container.decode(Double.self)
        if let value = try? container.decode(Decimal.self), !value.isNaN, value != 0 || double == 0 {
            return JSONValue.decimal(value).canonical
        }
        return double.map(JSONValue.double)
    }

    @_spi(Requirements) public func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .object(let members): try members.encode(to: encoder)
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
