import Foundation
import LockstepJSON
import LockstepSchema
@_spi(Requirements) import LockstepValues

/// Reads and writes values of an attribute, as the runtime does.
struct SampleCodec {
    private let type: ScalarType
    private let isList: Bool
    private let format: LockstepValues.DateFormat
    private let asText: Bool

    init(_ type: AttributeType, wire: AttributeWire.Format = .plain) {
        switch type {
        case .list(let element):
            isList = true
            self.type = Self.scalar(element)
        default:
            isList = false
            self.type = Self.scalar(type)
        }
        asText = wire == .text
        if case .date(let date) = wire { format = Self.format(date) } else { format = .iso8601 }
    }

    /// Samples have no enums, types of an app and attachments.
    private static func scalar(_ type: AttributeType) -> ScalarType {
        if case .scalar(let scalar) = type { scalar } else { .string }
    }

    private static func format(_ format: LockstepSchema.DateFormat) -> LockstepValues.DateFormat {
        switch format {
        case .iso8601: .iso8601
        case .secondsSince1970: .secondsSince1970
        case .millisecondsSince1970: .millisecondsSince1970
        case .microsecondsSince1970: .microsecondsSince1970
        case .fractionalSecondsSince1970: .fractionalSecondsSince1970
        case .fractionalMillisecondsSince1970: .fractionalMillisecondsSince1970
        case .pattern(let pattern): .pattern(pattern)
        }
    }

    /// The value after it was read and written.
    ///
    /// - Throws: An error if it cannot be read.
    func copy(_ value: SampleValue) throws -> JSONValue {
        // Any JSON stays what it is.
        if type == .json, !isList || value.elements != nil { return value.json }
        let encoder = JSONValueEncoder()
        let source = WireSource(SampleDecoder(value: value), format: format)
        let target = WireTarget(encoder, format: format, asText: asText)
        if isList {
            let copies = try source.list { element in
                let encoder = JSONValueEncoder()
                try copy(element, target: WireTarget(encoder, format: format, asText: asText))
                return encoder.value
            }
            return .array(copies)
        }
        try copy(source, target: target)
        return encoder.value
    }

    /// Whether two texts are the same time in UTC.
    func areSameTime(_ value: JSONValue, copy: JSONValue) -> Bool {
        guard type == .date, !isList, case .string(let text) = value, case .string(let other) = copy,
            ["Z", "z", "+00:00", "+0000", "-00:00"].contains(where: text.hasSuffix),
            let date = ISO8601.date(from: text)
        else { return false }
        return date == ISO8601.date(from: other)
    }

    private func copy(_ source: WireSource, target: WireTarget) throws {
        switch type {
        case .string: try String(wire: source).write(to: target)
        case .bool: try Bool(wire: source).write(to: target)
        case .int: try Int(wire: source).write(to: target)
        case .int16: try Int16(wire: source).write(to: target)
        case .int32: try Int32(wire: source).write(to: target)
        case .int64: try Int64(wire: source).write(to: target)
        case .float: try Float(wire: source).write(to: target)
        case .double: try Double(wire: source).write(to: target)
        case .decimal: try Decimal(wire: source).write(to: target)
        case .date: try Date(wire: source).write(to: target)
        case .day: try Day(wire: source).write(to: target)
        case .uuid: try UUID(wire: source).write(to: target)
        case .url: try URL(wire: source).write(to: target)
        case .data: try Data(wire: source).write(to: target)
        case .json: try JSONValue(wire: source).write(to: target)
        }
    }
}
