package import Foundation

/// Dates as ISO 8601 text, in the proleptic Gregorian calendar.
///
/// It reads what servers send: with or without a fraction, with `Z`, `+02:00`, `+0200`, `+02` or no zone (UTC), a space
/// instead of the `T`, without seconds, or the date only. Years with more than four digits have a sign.
package enum ISO8601 {
    /// The greatest distance from 1970 that is supported, in seconds: about 31 million years.
    private static let secondsLimit = 1e15

    /// Encodes a date in UTC. The fraction has three digits, or six if three are not exact, and is omitted if zero.
    /// `nil` if the date is not finite or out of range.
    package static func text(of date: Date) -> String? {
        let seconds = Date.roundedToStore(date.timeIntervalSince1970)
        guard abs(seconds) < secondsLimit else { return nil }
        let (whole, microseconds) = split(seconds)
        let days = floorDivide(whole, divisor: 86_400)
        let secondOfDay = Int(whole - days * 86_400)
        let (year, month, day) = civil(fromDays: days)

        var bytes: [UInt8] = []
        bytes.reserveCapacity(28)
        appendYear(year, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(month, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(day, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        append(secondOfDay / 3600, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(secondOfDay / 60 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(secondOfDay % 60, digits: 2, to: &bytes)
        if microseconds != 0 {
            bytes.append(UInt8(ascii: "."))
            if microseconds % 1000 == 0 {
                append(microseconds / 1000, digits: 3, to: &bytes)
            } else {
                append(microseconds, digits: 6, to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "Z"))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Parses a date; `nil` if the text is not one.
    package static func date(from text: String) -> Date? {
        var text = text
        return text.withUTF8(date(from:))
    }

    /// Parses a date from a text's bytes; `nil` if it is not one.
    package static func date(from text: UnsafeBufferPointer<UInt8>) -> Date? {
        if let date = utcDate(from: text) { return date }
        var scanner = Scanner(bytes: text)
        return scanner.date()
    }

    /// Parses `2024-03-01T08:30:00Z`, with three digits of a fraction or none, which most servers send. `nil` for any
    /// other format, and if a number is out of its usual range.
    private static func utcDate(from text: UnsafeBufferPointer<UInt8>) -> Date? {
        guard text.count == 20 || text.count == 24, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            text[text.count - 1] == UInt8(ascii: "Z")
        else { return nil }
        var isRight = true
        func number(_ positions: Range<Int>) -> Int {
            var value = 0
            for position in positions {
                let digit = text[position] &- UInt8(ascii: "0")
                if digit > 9 { isRight = false }
                value = value &* 10 &+ Int(digit)
            }
            return value
        }
        let (year, month, day) = (Int64(number(0..<4)), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        var milliseconds = 0
        if text.count == 24 {
            guard text[19] == UInt8(ascii: ".") else { return nil }
            milliseconds = number(20..<23)
        }
        guard isRight, (1...12).contains(month), day > 0, day <= daysInMonth(month, year: year), hour < 24,
            minute < 60, second < 60
        else { return nil }
        let seconds = days(year: year, month: month, day: day) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
        return Date(timeIntervalSince1970: Double(seconds * 1000 + Int64(milliseconds)) / 1000).roundedToStore
    }

    // MARK: Arithmetic

    /// Integer seconds and the remaining microseconds.
    private static func split(_ seconds: Double) -> (whole: Int64, microseconds: Int) {
        switch Date.grid(of: seconds) {
        case .microseconds:
            let count = Int64((seconds * 1_000_000).rounded())
            let whole = floorDivide(count, divisor: 1_000_000)
            return (whole, Int(count - whole * 1_000_000))
        case .milliseconds:
            let count = Int64((seconds * 1_000).rounded())
            let whole = floorDivide(count, divisor: 1_000)
            return (whole, Int(count - whole * 1_000) * 1_000)
        case .seconds, .coarser:
            return (Int64(seconds), 0)
        }
    }

    static func floorDivide(_ value: Int64, divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }

    /// The date of a day counted from 1970-01-01. Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
    static func civil(fromDays days: Int64) -> (year: Int64, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, divisor: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
        let month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// The inverse of `civil(fromDays:)`.
    package static func days(year: Int64, month: Int, day: Int) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = floorDivide(shiftedYear, divisor: 400)
        let yearOfEra = shiftedYear - era * 400
        let shiftedMonth = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    package static func daysInMonth(_ month: Int, year: Int64) -> Int {
        switch month {
        case 4, 6, 9, 11: return 30
        case 2: return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        default: return 31
        }
    }

    // MARK: Digits

    private static func append(_ value: Int, digits: Int, to bytes: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
            divisor /= 10
        }
    }

    private static func appendYear(_ year: Int64, to bytes: inout [UInt8]) {
        if (0...9999).contains(year) { return append(Int(year), digits: 4, to: &bytes) }
        bytes.append(UInt8(ascii: year < 0 ? "-" : "+"))
        let digits = Array(String(year.magnitude).utf8)
        for _ in 0..<max(0, 4 - digits.count) { bytes.append(UInt8(ascii: "0")) }
        bytes.append(contentsOf: digits)
    }
}

extension ISO8601 {
    /// Walks over the bytes of a date.
    private struct Scanner {
        let bytes: UnsafeBufferPointer<UInt8>
        var position = 0

        var current: UInt8? { position < bytes.count ? bytes[position] : nil }

        mutating func date() -> Date? {
            guard let (year, month, day) = calendarDate() else { return nil }
            var seconds = ISO8601.days(year: year, month: month, day: day) * 86_400
            var microseconds = 0.0
            if current != nil {
                guard take("T") || take("t") || take(" "), let time = timeOfDay() else { return nil }
                _ = take(" ")
                guard let offset = zone(), current == nil else { return nil }
                seconds += Int64(time.seconds - offset)
                microseconds = time.microseconds
            }
            // Computed completely before it is divided, so that it is rounded only once.
            let total = Double(seconds) * 1_000_000 + microseconds
            let since1970 =
                abs(total) <= Date.exactLimit ? total / 1_000_000 : Double(seconds) + microseconds / 1_000_000
            return Date(timeIntervalSince1970: since1970).roundedToStore
        }

        private mutating func calendarDate() -> (Int64, Int, Int)? {
            var isNegative = false
            let year: Int64
            if let sign = current, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
                isNegative = sign == UInt8(ascii: "-")
                position += 1
                guard let digits = number(atLeast: 4, atMost: 9) else { return nil }
                year = Int64(isNegative ? -digits : digits)
            } else {
                guard let digits = number(atLeast: 4, atMost: 4) else { return nil }
                year = Int64(digits)
            }
            guard take("-"), let month = number(atLeast: 2, atMost: 2), (1...12).contains(month), take("-"),
                let day = number(atLeast: 2, atMost: 2), day >= 1, day <= ISO8601.daysInMonth(month, year: year)
            else { return nil }
            return (year, month, day)
        }

        private mutating func timeOfDay() -> (seconds: Int, microseconds: Double)? {
            guard let hour = number(atLeast: 2, atMost: 2), hour <= 24, take(":"),
                let minute = number(atLeast: 2, atMost: 2), minute <= 59
            else { return nil }
            var second = 0
            var microseconds = 0.0
            if take(":") {
                // 60 is a leap second, which counts as the first second of the next minute, as in POSIX time.
                guard let value = number(atLeast: 2, atMost: 2), value <= 60 else { return nil }
                second = value
                if take(".") || take(",") {
                    guard let fraction = fraction() else { return nil }
                    microseconds = fraction
                }
            }
            if hour == 24 && (minute != 0 || second != 0 || microseconds != 0) { return nil }
            return (hour * 3600 + minute * 60 + second, microseconds)
        }

        /// Microseconds. Digits beyond the ninth are ignored.
        private mutating func fraction() -> Double? {
            var value = 0
            var count = 0
            while let byte = current, let digit = Self.digit(byte) {
                if count < 9 { value = value * 10 + digit }
                count += 1
                position += 1
            }
            guard count > 0 else { return nil }
            for _ in min(count, 9)..<9 { value *= 10 }
            return (Double(value) / 1_000).rounded()
        }

        /// Seconds east of UTC; UTC if there is none.
        private mutating func zone() -> Int? {
            guard let byte = current else { return 0 }
            if take("Z") || take("z") { return 0 }
            guard byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") else { return nil }
            position += 1
            guard let hours = number(atLeast: 2, atMost: 2), hours <= 23 else { return nil }
            var minutes = 0
            if current != nil {
                _ = take(":")
                guard let value = number(atLeast: 2, atMost: 2), value <= 59 else { return nil }
                minutes = value
            }
            let offset = hours * 3600 + minutes * 60
            return byte == UInt8(ascii: "-") ? -offset : offset
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard current == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        private mutating func number(atLeast least: Int, atMost most: Int) -> Int? {
            var value = 0
            var count = 0
            while count < most, let byte = current, let digit = Self.digit(byte) {
                value = value * 10 + digit
                count += 1
                position += 1
            }
            return count >= least ? value : nil
        }

        private static func digit(_ byte: UInt8) -> Int? {
            byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? Int(byte - UInt8(ascii: "0")) : nil
        }
    }
}
