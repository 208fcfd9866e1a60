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
        if type.name == "date" { return text == "now" ? "now" : nil }
        let value = JSONValue.string(text)
        // Xcode keeps the default of an attribute whose type was changed: `NO` of a number, `0.0` of a Boolean.
        return value.asDefault(of: type.name) ?? value.asDefault(of: "bool")?.asDefault(of: type.name)
    }

    /// A date in whole seconds since 2001, in the years that ISO 8601 writes with four digits.
    static func date(_ text: String) -> JSONValue? {
        guard let seconds = Double(text), seconds.rounded() == seconds, (-6.0e10...2.5e11).contains(seconds) else {
            return nil
        }
        return ISO8601.text(of: Date(timeIntervalSinceReferenceDate: seconds)).map(JSONValue.string)
    }
}
