package import Foundation
import LockstepJSON

/// The source of one value of a server's JSON.
public struct WireSource {
    package let decoder: any Decoder
    package let format: DateFormat

    package init(_ decoder: any Decoder, format: DateFormat = .iso8601) {
        self.decoder = decoder
        self.format = format
    }

    /// The error for a value that has the right JSON type but does not match the schema.
    package func invalid(_ reason: String) -> DecodingError {
        let path = decoder.codingPath.map(\.stringValue).joined(separator: ".")
        return .dataCorrupted(
            DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "The value of “\(path)” \(reason).")
        )
    }

    /// A text, as it is.
    package func text() throws -> String { try decoder.singleValueContainer().decode(String.self) }

    /// A text. A number or a Bool is taken as its JSON text (Rules.md, N4).
    package func string() throws -> String {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) { return text }
        if let value = try? container.decode(Bool.self) { return value ? "true" : "false" }
        // A decoder rounds larger numbers, so that different identities would become the same.
        if let number = try? container.decode(Decimal.self), abs(number) < Self.leastRounded,
            let text = number.storedText
        {
            return text
        }
        throw invalid("is not a string")
    }

    /// 10^38: a decimal has 38 certain digits.
    private static let leastRounded = Decimal(sign: .plus, exponent: 38, significand: 1)

    package func bool() throws -> Bool {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) { return value }
        if let number = try? container.decode(Int64.self) {
            if number == 0 || number == 1 { return number == 1 }
        } else if let text = try? container.decode(String.self) {
            if text == "true" || text == "1" { return true }
            if text == "false" || text == "0" { return false }
        }
        throw invalid("is neither true nor false")
    }

    /// An exact integer, from a number or a text; otherwise an error.
    package func wholeNumber<Number: FixedWidthInteger>() throws -> Number {
        let container = try decoder.singleValueContainer()
        let number: Int64
        if let value = try? container.decode(Int64.self) {
            // `JSONDecoder` decodes 7561853282146665.79 as an integer, because it converts it to a `Double`, which
            // cannot represent it.
            let mayBeRounded = value.magnitude >= 1 << 31
            if mayBeRounded, let exact = try? container.decode(Decimal.self), exact != Decimal(value) {
                throw invalid("is not a whole number")
            }
            number = value
        } else if let text = try? container.decode(String.self) {
            guard let value = Int64(text) ?? Decimal(exactly: text)?.wholeNumber else {
                throw invalid("is not a whole number that fits into 64 bits")
            }
            number = value
        } else {
            guard let value = try container.decode(Decimal.self).wholeNumber else {
                throw invalid("is not a whole number that fits into 64 bits")
            }
            number = value
        }
        guard let exact = Number(exactly: number) else {
            throw invalid("is out of the range of \(Number.bitWidth) bits")
        }
        return exact
    }

    package func double() throws -> Double {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Double.self) { return value }
        guard let text = try? container.decode(String.self), NumberShape(text.utf8) != nil, let value = Double(text),
            value.isFinite
        else { throw invalid("is not a number") }
        return value
    }

    package func float() throws -> Float {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Float.self), value.isFinite { return value }
        guard let text = try? container.decode(String.self), NumberShape(text.utf8) != nil, let value = Float(text),
            value.isFinite
        else { throw invalid("is not a number that fits into 32 bits") }
        return value
    }

    package func decimal() throws -> Decimal {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            guard let value = Decimal(exactly: text) else {
                throw invalid("is not a number with at most 38 significant digits")
            }
            return value
        }
        let value = try container.decode(Decimal.self)
        guard !value.isNaN else { throw invalid("is not a number") }
        return value
    }

    /// A list whose elements are all in the same format.
    package func list<Element>(of read: (WireSource) throws -> Element) throws -> [Element] {
        var container = try decoder.unkeyedContainer()
        var elements: [Element] = []
        while !container.isAtEnd { elements.append(try read(WireSource(try container.superDecoder(), format: format))) }
        return elements
    }

    package func date() throws -> Date {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            guard let date = format.date(from: text) else { throw invalid("is not a date") }
            return date
        }
        guard let number = try? container.decode(Decimal.self), let date = format.date(number: number) else {
            throw invalid("is not a date")
        }
        return date
    }
}

extension DateFormat {
    /// The date that a text in JSON means; `nil` if it means none.
    package func date(from text: String) -> Date? {
        if case .pattern(let pattern) = self, let date = PatternFormatters.date(from: text, pattern: pattern) {
            return date
        }
        return ISO8601.date(from: text) ?? Decimal(exactly: text).flatMap(date(number:))
    }

    /// A larger number of seconds is after the year 5138; as milliseconds it is after 1973. A format that does not
    /// specify the unit of a number uses the more likely one.
    package static let leastMilliseconds = Decimal(sign: .plus, exponent: 11, significand: 1)

    /// The date that a number in JSON means; `nil` if it means none.
    package func date(number: Decimal) -> Date? {
        if number.isNaN { return nil }
        let digits = fractionDigits ?? (abs(number) >= Self.leastMilliseconds ? 3 : 0)
        // Divided as a decimal, so that the only rounding is that to a `Double`.
        let seconds = number / pow(10, digits)
        let date = Date(timeIntervalSince1970: seconds.nearestDouble).roundedToStore
        return date.isPlausible ? date : nil
    }
}

/// How a date is encoded in JSON.
public enum DateFormat: Sendable, Hashable {
    /// `2024-03-01T08:30:00Z`, with a fraction if there is one.
    case iso8601
    /// A whole number of seconds. A fraction is read, and rounded when it is written.
    case secondsSince1970
    /// A whole number of milliseconds. A fraction is read, and rounded when it is written.
    case millisecondsSince1970
    /// A whole number of microseconds, the precision of the store.
    case microsecondsSince1970
    /// A number of seconds, with a fraction if there is one.
    case fractionalSecondsSince1970
    /// A number of milliseconds, with a fraction if there is one.
    case fractionalMillisecondsSince1970
    /// A Unicode date pattern (UTS #35), read and written in the locale `en_US_POSIX` and in UTC.
    case pattern(String)
}

extension DateFormat {
    /// How many digits of a number in this format are fractions of a second: 3 for milliseconds. `nil` if the format is
    /// a text, and a number has no unit.
    package var fractionDigits: Int? {
        switch self {
        case .secondsSince1970, .fractionalSecondsSince1970: 0
        case .millisecondsSince1970, .fractionalMillisecondsSince1970: 3
        case .microsecondsSince1970: 6
        case .iso8601, .pattern: nil
        }
    }
}
