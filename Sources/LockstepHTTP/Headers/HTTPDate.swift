package import Foundation

/// Dates in the formats of HTTP (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`, and the two obsolete formats
/// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
///
/// Some servers write another zone (`+0000`, `+00:00`, `UTC`) or fractions of a second. They are read too.
package enum HTTPDate {
    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The date of a field's value; `nil` if it is not one.
    ///
    /// - Parameter now: Determines the century of a two-digit year: the latest one that is not more than 50 years
    ///   ahead.
    package static func date(from text: String, now: Date) -> Date? {
        let words = text.split(whereSeparator: { " ,".contains($0) }).map(String.init)
        guard let weekday = words.first, isDay(weekday) else { return nil }
        switch words.count {
        case 6 where text.contains(", "):
            guard let year = number(words[3], digits: 4), let day = number(words[1], digits: 2),
                let offset = zoneSeconds(words[5])
            else { return nil }
            return date(year, month: words[2], day: day, time: words[4])?.addingTimeInterval(-offset)
        case 4 where text.contains(", "):
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, let day = number(parts[0], digits: 2), let short = number(parts[2], digits: 2),
                let offset = zoneSeconds(words[3])
            else {
                return nil
            }
            return date(fullYear(short, now: now), month: parts[1], day: day, time: words[2])?.addingTimeInterval(
                -offset)
        case 5 where !text.contains(","):
            guard let year = number(words[4], digits: 4), let day = Int(words[2]), words[2].count <= 2 else {
                return nil
            }
            return date(year, month: words[1], day: day, time: words[3])
        default: return nil
        }
    }

    /// The date as `Sun, 06 Nov 1994 08:49:37 GMT`, without fractions of a second.
    package static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let days = days(until: date)
        let rest = Int(seconds - Double(days) * 86_400)
        let (year, month, day) = civil(days)
        return "\(Self.days[(days + 3).modulo(7)]), \(padded(day)) \(months[month - 1]) \(padded(year, digits: 4)) "
            + "\(padded(rest / 3600)):\(padded(rest / 60 % 60)):\(padded(rest % 60)) GMT"
    }

    /// `Sun`, or the full name of the obsolete format.
    private static func isDay(_ word: String) -> Bool {
        days.contains(String(word.prefix(3))) && (word.count == 3 || word.hasSuffix("day"))
    }

    private static func date(_ year: Int, month: String, day: Int, time: String) -> Date? {
        guard let month = months.firstIndex(of: month).map({ $0 + 1 }) else { return nil }
        let pieces = time.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = pieces[0].split(separator: ":", omittingEmptySubsequences: false).map {
            number(String($0), digits: 2)
        }
        guard let fraction = pieces.count > 1 ? fraction(pieces[1]) : 0 else { return nil }
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2], hour < 24,
            minute < 60, second <= 60
        else { return nil }
        let days = daysSince1970(year, month: month, day: day)
        guard day > 0, civil(days) == (year, month, day) else { return nil }
        let secondOfDay = Double(hour * 3600 + minute * 60 + second)
        return Date(timeIntervalSince1970: Double(days) * 86_400 + secondOfDay + fraction)
    }

    /// Digits after the point of the seconds.
    private static func fraction(_ digits: Substring) -> Double? {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Double("0.\(digits)")
    }

    /// The seconds by which a zone is ahead of UTC: `GMT`, `UTC`, `+0100`, `+01:00`; `nil` for anything else.
    private static func zoneSeconds(_ text: String) -> Double? {
        if ["GMT", "UTC", "Z"].contains(text) { return 0 }
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        var digits = String(text.dropFirst())
        if digits.utf8.count == 5, digits.utf8.dropFirst(2).first == UInt8(ascii: ":") {
            digits = String(digits.prefix(2) + digits.suffix(2))
        }
        guard digits.utf8.count == 4, let hours = number(String(digits.prefix(2)), digits: 2), hours < 24,
            let minutes = number(String(digits.suffix(2)), digits: 2), minutes < 60
        else { return nil }
        return Double(hours * 3600 + minutes * 60) * (sign == "-" ? -1 : 1)
    }

    private static func number(_ text: String, digits: Int) -> Int? {
        text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// "a timestamp that appears to be more than 50 years in the future … the most recent year in the past".
    private static func fullYear(_ short: Int, now: Date) -> Int {
        let thisYear = civil(days(until: now)).0
        let year = thisYear - thisYear % 100 + short
        return year > thisYear + 50 ? year - 100 : year
    }

    private static func padded(_ number: Int, digits: Int = 2) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    // The calendar's arithmetic, years beginning in March: http://howardhinnant.github.io/date_algorithms.html

    /// The whole days since 1970. Those of any year are less than 32 bits, unlike its seconds.
    private static func days(until date: Date) -> Int { Int((date.timeIntervalSince1970 / 86_400).rounded(.down)) }

    private static func daysSince1970(_ year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let (era, ofEra) = (year.floored(by: 400), year.modulo(400))
        let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    private static func civil(_ days: Int) -> (Int, Int, Int) {
        let shifted = days + 719_468
        let (era, ofEra) = (shifted.floored(by: 146_097), shifted.modulo(146_097))
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * ofYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Int {
    fileprivate func floored(by divisor: Int) -> Int { (self - modulo(divisor)) / divisor }
    fileprivate func modulo(_ divisor: Int) -> Int { (self % divisor + divisor) % divisor }
}
