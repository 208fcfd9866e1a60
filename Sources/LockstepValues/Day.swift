public import Foundation

/// A day of the calendar without a time and a time zone, such as a birthday: `2026-11-27`.
///
/// A `Date` is a moment, which is on different days in Auckland and in Honolulu. A `Day` is the same everywhere. Days
/// are those of the Gregorian calendar, also before its introduction, from the first day of the year 1 to the last of
/// 9999.
///
/// ```swift
/// let birthday = Day(year: 2026, month: 11, day: 27)
/// let today = Day(.now, in: .current)
/// let inAWeek = today.advanced(by: 7)
/// let text = today.start(in: .current).formatted(date: .long, time: .omitted)
/// ```
public struct Day: Hashable, Sendable {
    /// Days since 1970-01-01.
    let number: Int32

    private static let first = ISO8601.days(year: 1, month: 1, day: 1)
    private static let last = ISO8601.days(year: 9999, month: 12, day: 31)
    private static let secondsPerDay: Int64 = 86_400

    /// The nearest day that can be represented.
    private init(clamping number: Int64) { self.number = Int32(min(max(number, Self.first), Self.last)) }

    /// Creates a day of the Gregorian calendar; `nil` if there is no such day, or its year is not from 1 to 9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= ISO8601.daysInMonth(month, year: Int64(year))
        else { return nil }
        number = Int32(ISO8601.days(year: Int64(year), month: month, day: day))
    }

    /// Creates the day on which a moment is in a time zone: `Day(.now, in: .current)` is today.
    ///
    /// A moment before the year 1 is on the first day, one after 9999 on the last.
    public init(_ date: Date, in timeZone: TimeZone) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        // Time zones are not defined so far away, and neither is a number that is none.
        guard seconds > Double((Self.first - 1) * Self.secondsPerDay) else {
            self.init(clamping: Self.first)
            return
        }
        guard seconds < Double((Self.last + 2) * Self.secondsPerDay) else {
            self.init(clamping: Self.last)
            return
        }
        let local = Int64(seconds) + Int64(timeZone.secondsFromGMT(for: date))
        self.init(clamping: ISO8601.floorDivide(local, divisor: Self.secondsPerDay))
    }

    public var year: Int { Int(ISO8601.civil(fromDays: Int64(number)).year) }

    /// The month of the year, from 1 to 12.
    public var month: Int { ISO8601.civil(fromDays: Int64(number)).month }

    /// The day of the month, from 1 to 31.
    public var day: Int { ISO8601.civil(fromDays: Int64(number)).day }

    /// The first moment of the day in a time zone: midnight, or what follows it if clocks are set forward then.
    ///
    /// Use it to format a day, to count in months, and wherever a `Date` is required. In the same time zone,
    /// `Day(_:in:)` is the inverse.
    public func start(in timeZone: TimeZone) -> Date {
        let midnight = Double(Int64(number) * Self.secondsPerDay)
        // In every time zone, it is an earlier day at the one, and this day or a later one at the other.
        var (earlier, later) = (midnight - 86_400, midnight + 86_400)
        let usual = midnight - Double(timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: earlier)))
        if has(begun: usual, in: timeZone), !has(begun: usual - 1, in: timeZone) {
            return Date(timeIntervalSince1970: usual)
        }
        while later - earlier > 1 {
            let middle = ((earlier + later) / 2).rounded(.down)
            if has(begun: middle, in: timeZone) { later = middle } else { earlier = middle }
        }
        return Date(timeIntervalSince1970: later)
    }

    /// Whether it is this day or a later one.
    private func has(begun seconds: Double, in timeZone: TimeZone) -> Bool {
        let offset = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
        return Int64(seconds) + Int64(offset) >= Int64(number) * Self.secondsPerDay
    }
}

/// Days are in the order of the calendar, and can be counted: `distance(to:)`, `advanced(by:)`, and `for day in
/// start...end`.
extension Day: Strideable {
    @_spi(Requirements) public static func < (left: Day, right: Day) -> Bool { left.number < right.number }

    /// The number of days until another one, which is negative if that is earlier.
    public func distance(to other: Day) -> Int { Int(other.number) - Int(number) }

    /// The day so many days later. Beyond the years 1 to 9999, it is the first or the last day.
    public func advanced(by count: Int) -> Day {
        let (sum, isOverflow) = Int64(number).addingReportingOverflow(Int64(count))
        return Day(clamping: isOverflow ? (count < 0 ? .min : .max) : sum)
    }
}

extension Day: LosslessStringConvertible, Codable {
    /// Parses `2026-11-27`; `nil` for any other text, and if there is no such day.
    public init?(_ description: String) {
        var text = description
        guard let day = text.withUTF8(Day.init(text:)) else { return nil }
        self = day
    }

    /// The day as ISO 8601: `2026-11-27`.
    public var description: String {
        let (year, month, day) = ISO8601.civil(fromDays: Int64(number))
        return String(unsafeUninitializedCapacity: 10) { target in
            func put(_ value: Int, at range: Range<Int>) {
                var value = value
                for index in range.reversed() {
                    target[index] = UInt8(ascii: "0") + UInt8(value % 10)
                    value /= 10
                }
            }
            put(Int(year), at: 0..<4)
            target[4] = UInt8(ascii: "-")
            put(month, at: 5..<7)
            target[7] = UInt8(ascii: "-")
            put(day, at: 8..<10)
            return 10
        }
    }

    /// Decodes a text such as `2026-11-27`.
    ///
    /// - Throws: `DecodingError` if it is not a day.
    @_spi(Requirements) public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let day = Day(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "The value is not a day.")
        }
        self = day
    }

    @_spi(Requirements) public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

// MARK: Texts

extension Day {
    /// The length of a text in bytes.
    package static let textLength = 10

    /// Parses the ten bytes of `2026-11-27`; `nil` for anything else.
    package init?(text: UnsafeBufferPointer<UInt8>) {
        guard text.count == Self.textLength, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else {
            return nil
        }
        var areDigits = true
        func number(_ range: Range<Int>) -> Int {
            range.reduce(0) { value, index in
                let digit = text[index] &- UInt8(ascii: "0")
                if digit > 9 { areDigits = false }
                return value * 10 + Int(digit)
            }
        }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        guard areDigits else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Parses a day as servers send it: `2026-11-27`, or the midnight with which it begins in some time zone, such as
    /// `2026-11-27T00:00:00Z` (Rules.md, N3).
    ///
    /// The day is the one that is written. At another time than midnight, it could be another day for the server, so
    /// such a text is none.
    package init?(wire text: UnsafeBufferPointer<UInt8>) {
        guard text.count > Self.textLength else {
            self.init(text: text)
            return
        }
        let time = text[(Self.textLength + 1)...].prefix { byte in
            byte != UInt8(ascii: "Z") && byte != UInt8(ascii: "z") && byte != UInt8(ascii: "+")
                && byte != UInt8(ascii: "-") && byte != UInt8(ascii: " ")
        }
        let isMidnight = time.allSatisfy { !(UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
        guard isMidnight, ISO8601.date(from: text) != nil else { return nil }
        self.init(text: UnsafeBufferPointer(rebasing: text.prefix(Self.textLength)))
    }
}
