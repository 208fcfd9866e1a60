import Foundation
import LockstepJSON

/// Decodes one value of a sample, as `JSONDecoder` decodes it from a text.
struct SampleDecoder: Decoder {
    let value: SampleValue
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw Self.mismatch(type)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = value.elements else { throw Self.mismatch([SampleValue].self) }
        return SampleElements(elements: elements)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { SampleScalar(value: value) }

    fileprivate static func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, DecodingError.Context(codingPath: [], debugDescription: "It is of another type."))
    }
}

private struct SampleScalar: SingleValueDecodingContainer {
    let value: SampleValue
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { value.kind == nil }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .bool(let value) = value.content else { throw SampleDecoder.mismatch(type) }
        return value
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .text(let text) = value.content else { throw SampleDecoder.mismatch(type) }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double {
        switch value.content {
        case .number(.integer(let number), isWhole: _): return Double(number)
        case .number(.decimal(let number), isWhole: _): return number.nearestDouble
        case .number(.double(let number), isWhole: _): return number
        default: throw SampleDecoder.mismatch(type)
        }
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if type == Decimal.self, let number = try decimal() as? T { return number }
        return try T(from: SampleDecoder(value: value))
    }

    private func decimal() throws -> Decimal {
        switch value.content {
        case .number(.integer(let number), isWhole: _): return Decimal(number)
        case .number(.decimal(let number), isWhole: _): return number
        case .number(.double(let number), isWhole: _):
            guard let number = Decimal(string: number.description) else { throw SampleDecoder.mismatch(Decimal.self) }
            return number
        default: throw SampleDecoder.mismatch(Decimal.self)
        }
    }

    private func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        var whole: Int64?
        switch value.content {
        case .number(.integer(let number), isWhole: _): whole = number
        case .number(.decimal(let number), isWhole: _): whole = number.wholeNumber
        default: break
        }
        guard let whole, let number = Number(exactly: whole) else { throw SampleDecoder.mismatch(type) }
        return number
    }

    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
}

/// The elements of a list, of which each is only asked for its decoder.
private struct SampleElements: UnkeyedDecodingContainer {
    let elements: [SampleValue]
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    init(elements: [SampleValue]) { self.elements = elements }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, elements[currentIndex].kind == nil else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: superDecoder()) }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try superDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try superDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        guard !isAtEnd else { throw SampleDecoder.mismatch(SampleValue.self) }
        defer { currentIndex += 1 }
        return SampleDecoder(value: elements[currentIndex])
    }
}
