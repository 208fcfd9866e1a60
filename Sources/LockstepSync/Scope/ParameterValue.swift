import Foundation
import GRDB
import LockstepStore

/// Reads the text of a query parameter as a server's JSON would be read where it had that text as a string.
enum ParameterValue {
    /// The value as a column of this type holds it; `nil` where the text is none, or the type cannot be compared.
    static func read(
        _ text: String, as type: StoredType, format: WireDescription.Format = .plain
    ) -> DatabaseValue? {
        if case .string = type { return text.databaseValue }
        let decoder = JSONDecoder()
        decoder.userInfo = [Probe.typeKey: type, Probe.formatKey: format]
        guard let json = try? JSONEncoder().encode([text]) else { return nil }
        return (try? decoder.decode([Probe].self, from: json))?.first?.value
    }
}

/// One value, read by the schema's type.
private struct Probe: Decodable {
    static let typeKey = CodingUserInfoKey(rawValue: "lockstep.type")!
    static let formatKey = CodingUserInfoKey(rawValue: "lockstep.format")!

    let value: DatabaseValue?

    init(from decoder: any Decoder) throws {
        var source = WireSource(decoder)
        if case .date(let format) = decoder.userInfo[Self.formatKey] as? WireDescription.Format {
            source = WireSource(decoder, format: format)
        }
        guard let type = decoder.userInfo[Self.typeKey] as? StoredType else {
            value = nil
            return
        }
        value = try Self.value(of: type, from: source)
    }

    private static func value(of type: StoredType, from source: WireSource) throws -> DatabaseValue? {
        switch type {
        case .string, .enumeration(.string, closed: _): try String(wire: source).storedValue
        case .bool: try Bool(wire: source).storedValue
        case .int, .int64, .enumeration(.int, closed: _): try Int64(wire: source).storedValue
        case .int16: try Int16(wire: source).storedValue
        case .int32: try Int32(wire: source).storedValue
        case .float: try Float(wire: source).storedValue
        case .double: try Double(wire: source).storedValue
        case .decimal: try Decimal(wire: source).storedValue
        case .date: try Date(wire: source).storedValue
        case .uuid: try UUID(wire: source).storedValue
        case .url: try URL(wire: source).storedValue
        case .custom(of: let stored): try value(of: stored, from: source)
        // What a filter by these would mean, only the server knows.
        case .data, .json, .list, .attachment: nil
        }
    }
}
