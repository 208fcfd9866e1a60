import Foundation
import LockstepTables

extension ColumnReader {
    /// A date in the column's format, as ISO 8601, or as a number.
    func date(
        _ scanner: inout JSONScanner, in arena: TextArena, problem: inout ValueProblem?
    ) throws(JSONSyntaxError) -> Cell {
        let date: Date?
        switch try token(&scanner, in: arena) {
        case .text(let text): date = dates.date(text)
        case .number(let number): date = NumberDigits(number.bytes).flatMap(dates.date(number:))
        case .other: date = nil
        }
        guard let date, date.timeIntervalSince1970.isFinite else { return refuse("is not a date", problem: &problem) }
        return Cell(real: Date.roundedToStore(date.timeIntervalSince1970))
    }
}

extension ColumnReader {
    /// A day, of which only the date is kept if it has a time.
    func day(
        _ scanner: inout JSONScanner, in arena: TextArena, problem: inout ValueProblem?
    ) throws(JSONSyntaxError) -> Cell {
        guard let text = try text(&scanner, in: arena), Day(wire: text) != nil else {
            return refuse("is not a day", problem: &problem)
        }
        return Cell(text: UnsafeBufferPointer(rebasing: text.prefix(Day.textLength)))
    }
}

/// Reads dates of one format, like `WireSource`.
struct DateReading {
    private let format: DateFormat
    private let pattern: DatePattern?

    init(_ format: DateFormat) {
        self.format = format
        if case .pattern(let text) = format { pattern = DatePattern(text) } else { pattern = nil }
    }

    /// The date of a text; `nil` if it is not one.
    func date(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        if case .pattern(let template) = format {
            if let date = pattern?.date(text) { return date }
            let text = String(decoding: text, as: UTF8.self)
            if let date = PatternFormatters.date(from: text, pattern: template) { return date }
        }
        return ISO8601.date(from: text) ?? NumberDigits(text).flatMap(date(number:))
    }

    /// The date of a number in its unit; `nil` if it has more digits than a decimal, or another unit.
    func date(number: NumberDigits) -> Date? {
        // Decimals with more digits, and those with large exponents, are computed like typed values.
        guard number.isExact, abs(number.exponent) < 60 else {
            guard let decimal = Decimal(exactly: number.text) else { return nil }
            let digits = fractionDigits { abs(decimal) >= DateFormat.leastMilliseconds }
            return date(seconds: (decimal / pow(10, digits)).nearestDouble)
        }
        return date(seconds: number.double(shiftedBy: -fractionDigits { number.isAtLeastTenToTheEleventh }))
    }

    private func date(seconds: Double) -> Date? {
        let date = Date(timeIntervalSince1970: seconds).roundedToStore
        return date.isPlausible ? date : nil
    }

    /// As seconds, 10^11 is the year 5138; as milliseconds it is 1973. If the format does not state the unit, the more
    /// likely one is used.
    private func fractionDigits(_ isLarge: () -> Bool) -> Int { format.fractionDigits ?? (isLarge() ? 3 : 0) }
}

extension NumberDigits {
    /// The position of the first digit suffices, since a power of ten has only one digit.
    fileprivate var isAtLeastTenToTheEleventh: Bool { !isZero && significantDigits + exponent > 11 }
}
