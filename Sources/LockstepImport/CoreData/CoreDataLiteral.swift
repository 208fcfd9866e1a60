import Foundation
import LockstepJSON
import LockstepValues

/// Reads the values that are texts in a model: defaults and limits.
enum CoreDataLiteral {
    /// A default, without losing digits; `nil` if the text is none of the type.
    static func value(_ text: String, of type: TypeSketch) -> JSONValue? {
        if type.isList {
            guard case .array(let elements)? = try? JSONValue(json: Data(text.utf8)) else { return nil }
            return .array(elements)
        }
        switch type.name {
        case "string", "uuid", "url": return .string(text)
        case "bool":
            return truth(text) ?? whole(text).flatMap { ($0 == 0 || $0 == 1) ? .bool($0 == 1) : nil }
        case "int16", "int32", "int64": return Int64(text).map(JSONValue.integer) ?? whole(text) ?? digit(text)
        case "double", "float", "decimal": return number(text) ?? digit(text)
        case "date": return text == "now" ? "now" : nil
        case "json": return try? JSONValue(json: Data(text.utf8))
        default: return nil
        }
    }

    private static func truth(_ text: String) -> JSONValue? {
        switch text.uppercased() {
        case "YES", "TRUE", "1": true
        case "NO", "FALSE", "0": false
        default: nil
        }
    }

    /// Xcode keeps the default of an attribute whose type was changed: `NO` of a number, `0.0` of a Boolean.
    private static func digit(_ text: String) -> JSONValue? { truth(text).map { $0 == true ? 1 : 0 } }

    /// A number as JSON has it, with all its digits.
    static func number(_ text: String) -> JSONValue? {
        if let number = Int64(text).map(JSONValue.integer) ?? whole(text) { return number }
        return switch try? JSONValue(json: Data(text.utf8)) {
        case .decimal(let number): .decimal(number)
        case .double(let number): .double(number)
        default: nil
        }
    }

    /// Xcode writes whole numbers with a fraction, too: `0.0`.
    private static func whole(_ text: String) -> JSONValue? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, parts[1].allSatisfy({ $0 == "0" }) else { return nil }
        return Int64(parts[0]).map(JSONValue.integer)
    }

    /// A date in whole seconds since 2001, in the years that ISO 8601 writes with four digits.
    static func date(_ text: String) -> JSONValue? {
        guard let seconds = Double(text), seconds.rounded() == seconds, (-6.0e10...2.5e11).contains(seconds) else {
            return nil
        }
        return ISO8601.text(of: Date(timeIntervalSinceReferenceDate: seconds)).map(JSONValue.string)
    }
}
