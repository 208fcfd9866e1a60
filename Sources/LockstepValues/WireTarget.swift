package import Foundation

/// The destination of one value of a server's JSON.
public struct WireTarget {
    package let encoder: any Encoder
    package let format: DateFormat
    package let asText: Bool

    package init(_ encoder: any Encoder, format: DateFormat = .iso8601, asText: Bool = false) {
        self.encoder = encoder
        self.format = format
        self.asText = asText
    }

    package func invalid(_ value: Any, reason: String) -> EncodingError {
        let path = encoder.codingPath.map(\.stringValue).joined(separator: ".")
        return .invalidValue(
            value,
            EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "The value of “\(path)” \(reason).")
        )
    }

    package func write<Value: Encodable>(_ value: Value) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    package func write<Number: Encodable & LosslessStringConvertible>(number: Number) throws {
        try asText ? write(number.description) : write(number)
    }

    package func write<Element>(list: [Element], _ write: (Element, WireTarget) throws -> Void) throws {
        var container = encoder.unkeyedContainer()
        for element in list { try write(element, WireTarget(container.superEncoder(), format: format, asText: asText)) }
    }

    package func write(_ date: Date) throws {
        switch format {
        case .iso8601:
            guard let text = ISO8601.text(of: date) else {
                // The seconds instead of the date, because Foundation crashes when describing a date so far away.
                throw invalid(date.timeIntervalSince1970, reason: "is out of range for ISO 8601")
            }
            try write(text)
        case .pattern(let pattern):
            try write(PatternFormatters.text(of: date, pattern: pattern))
        // Servers with whole numbers reject fractions.
        case .secondsSince1970: try writeNumber(date.timeIntervalSince1970.rounded())
        case .millisecondsSince1970: try writeNumber((date.timeIntervalSince1970 * 1000).rounded())
        case .microsecondsSince1970: try writeMicroseconds(Date.roundedToStore(date.timeIntervalSince1970))
        case .fractionalSecondsSince1970:
            try writeNumber(Date.roundedToStore(date.timeIntervalSince1970))
        case .fractionalMillisecondsSince1970:
            try writeMilliseconds(Date.roundedToStore(date.timeIntervalSince1970))
        }
    }

    private func writeNumber(_ value: Double) throws {
        if let whole = Int64(exactly: value) { try write(whole) } else { try write(value) }
    }

    /// A date outside of the years that have microseconds is a whole number of milliseconds.
    private func writeMicroseconds(_ seconds: Double) throws {
        if Date.grid(of: seconds) == .microseconds { return try writeNumber((seconds * 1_000_000).rounded()) }
        guard let milliseconds = Int64(exactly: (seconds * 1_000).rounded()), abs(milliseconds) < Int64.max / 1000
        else { throw invalid(seconds, reason: "is out of range for microseconds") }
        try write(milliseconds * 1000)
    }

    private func writeMilliseconds(_ seconds: Double) throws {
        guard Date.grid(of: seconds) == .microseconds else { return try writeNumber((seconds * 1_000).rounded()) }
        let count = Int64((seconds * 1_000_000).rounded())
        if count % 1000 == 0 { try write(count / 1000) } else { try write(Decimal(count) / 1000) }
    }
}
