import LockstepEvolution

/// Parses dates in ISO 8601: `2024-02-29`, `2024-02-29T12:30:00.250Z`, with `+02:00`, `+0200` or no zone (UTC), a space
/// instead of `T`.
enum DateText {
    /// Seconds since 1970, or `nil` if `text` is not such a date.
    static func secondsSince1970(_ text: String) -> Double? {
        var scanner = DigitScanner(bytes: Array(text.utf8)[...])
        guard let year = scanner.number(digits: 4), scanner.take("-"), let month = scanner.number(digits: 2),
            scanner.take("-"), let day = scanner.number(digits: 2), (1...12).contains(month),
            (1...DayText.dayCount(ofMonth: month, year: year)).contains(day)
        else { return nil }
        let midnight = Double(dayNumber(year: year, month: month, day: day) * 86_400)
        if scanner.isAtEnd { return midnight }
        guard scanner.take("T") || scanner.take("t") || scanner.take(" "), let time = time(&scanner),
            let offset = zoneOffset(&scanner), scanner.isAtEnd
        else { return nil }
        return midnight + time - Double(offset)
    }

    private static func time(_ scanner: inout DigitScanner) -> Double? {
        guard let hour = scanner.number(digits: 2), hour < 24, scanner.take(":"),
            let minute = scanner.number(digits: 2), minute < 60
        else { return nil }
        var seconds = Double(hour * 3600 + minute * 60)
        guard scanner.take(":") else { return seconds }
        // 60 is a leap second, which Unix time treats as the one after it.
        guard let second = scanner.number(digits: 2), second <= 60 else { return nil }
        seconds += Double(second)
        guard scanner.take(".") || scanner.take(",") else { return seconds }
        guard let fraction = scanner.fraction() else { return nil }
        return seconds + fraction
    }

    /// Seconds east of UTC.
    private static func zoneOffset(_ scanner: inout DigitScanner) -> Int? {
        if scanner.isAtEnd || scanner.take("Z") || scanner.take("z") { return 0 }
        let isWest = scanner.take("-")
        guard isWest || scanner.take("+"), let hours = scanner.number(digits: 2), hours < 24 else { return nil }
        var minutes = 0
        if scanner.take(":") || !scanner.isAtEnd {
            guard let number = scanner.number(digits: 2), number < 60 else { return nil }
            minutes = number
        }
        return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }

    /// Days since 1970-01-01 in the Gregorian calendar; years begin in March so that the leap day is the last one
    /// (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil).
    private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

/// Scans digits and punctuation from the beginning of a text.
private struct DigitScanner {
    var bytes: ArraySlice<UInt8>

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard bytes.first == UInt8(ascii: mark) else { return false }
        bytes.removeFirst()
        return true
    }

    mutating func number(digits count: Int) -> Int? {
        guard bytes.count >= count else { return nil }
        var value = 0
        for byte in bytes.prefix(count) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        bytes = bytes.dropFirst(count)
        return value
    }

    /// The digits after a point, as a fraction.
    mutating func fraction() -> Double? {
        let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty else { return nil }
        bytes = bytes.dropFirst(digits.count)
        return Double("0." + String(decoding: digits, as: UTF8.self))
    }
}
