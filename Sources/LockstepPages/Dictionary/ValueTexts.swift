import Foundation
import LockstepSchema

extension DateFormat {
    /// In words.
    var text: String {
        switch self {
        case .iso8601: "ISO 8601"
        case .secondsSince1970: "seconds since 1970"
        case .millisecondsSince1970: "milliseconds since 1970"
        case .microsecondsSince1970: "microseconds since 1970"
        case .fractionalSecondsSince1970: "seconds since 1970, with a fraction"
        case .fractionalMillisecondsSince1970: "milliseconds since 1970, with a fraction"
        case .pattern(let pattern): pattern
        }
    }
}

extension DefaultValue {
    /// As a reader of the schema would write it.
    var text: String {
        switch self {
        case .string(let text): "\"\(text)\""
        case .bool(let bool): String(bool)
        case .integer(let number): String(number)
        case .double(let number): String(number)
        case .decimal(let text), .day(let text), .uuid(let text), .url(let text), .json(let text),
            .enumerationCase(let text):
            text
        case .date(let seconds): Date(timeIntervalSince1970: seconds).formatted(.iso8601)
        case .data(let bytes): Data(bytes).base64EncodedString()
        case .now: "now"
        case .newUUID: "new"
        case .list(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
        }
    }
}

extension AttributeLimits {
    /// `1 to 200 characters`, `at least 0`; `nil` if there are none.
    func text(of type: AttributeType) -> String? {
        let value = Self.range(minimum, most: maximum, unit: "")
        let length = Self.range(
            minimumLength.map(String.init), most: maximumLength.map(String.init), unit: type.lengthUnit)
        let texts = [value, length].compactMap(\.self)
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    private static func range(_ least: String?, most: String?, unit: String) -> String? {
        switch (least, most) {
        case (let least?, let most?) where least == most: least + unit
        case (let least?, let most?): "\(least) to \(most)\(unit)"
        case (let least?, nil): "at least \(least)\(unit)"
        case (nil, let most?): "at most \(most)\(unit)"
        case (nil, nil): nil
        }
    }
}

extension AttributeType {
    /// The unit in which the length of a value is counted.
    fileprivate var lengthUnit: String {
        switch self {
        case .list: " elements"
        case .scalar(.data), .attachment: " bytes"
        default: " characters"
        }
    }
}
