import Foundation

/// How a column's values are written in the database.
enum ColumnForm: Hashable {
    /// As the schema's type is stored.
    case plain
    /// Numbers as numbers or digits.
    case digits
    /// 0 and 1, or words.
    case flag
    /// `2024-05-01 12:30:00.000` and the forms of ISO 8601.
    case dateText
    case seconds
    case milliseconds
    /// Days since noon on 24 November of the year -4713.
    case julianDay
    /// As text, or as 16 bytes.
    case uuid
}

/// Recognises the forms of texts.
enum TextForm {
    /// A date as text.
    struct DateText { let hasTime: Bool, hasZone: Bool }

    /// `2024-05-01`, `2024-05-01 12:30`, `2024-05-01T12:30:00.123+02:00`; `nil` for anything else.
    static func date(_ text: String) -> DateText? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10, bytes.count <= 40, let year = number(bytes, from: 0, count: 4), year > 0,
            bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let month = number(bytes, from: 5, count: 2), (1...12).contains(month),
            let day = number(bytes, from: 8, count: 2),
            (1...31).contains(day)
        else { return nil }
        if bytes.count == 10 { return DateText(hasTime: false, hasZone: false) }
        guard bytes[10] == UInt8(ascii: " ") || bytes[10] == UInt8(ascii: "T"),
            let hour = number(bytes, from: 11, count: 2),
            hour < 24, bytes.count >= 16, bytes[13] == UInt8(ascii: ":"),
            let minute = number(bytes, from: 14, count: 2), minute < 60
        else { return nil }
        if bytes.count == 16 { return DateText(hasTime: true, hasZone: false) }
        guard bytes.count >= 19, bytes[16] == UInt8(ascii: ":"), let second = number(bytes, from: 17, count: 2),
            second < 60
        else {
            return nil
        }
        var rest = bytes[19...]
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { isDigit($0) }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(1 + digits.count)
        }
        if rest.isEmpty { return DateText(hasTime: true, hasZone: false) }
        if rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
        if rest.elementsEqual([UInt8(ascii: "Z")]) { return DateText(hasTime: true, hasZone: true) }
        let zone = Array(rest)
        guard zone.count == 5 || zone.count == 6 && zone[3] == UInt8(ascii: ":"),
            zone[0] == UInt8(ascii: "+") || zone[0] == UInt8(ascii: "-"), let hours = number(zone, from: 1, count: 2),
            hours < 15,
            let minutes = number(zone, from: zone.count - 2, count: 2), minutes < 60
        else { return nil }
        return DateText(hasTime: true, hasZone: true)
    }

    static func isUUID(_ text: String) -> Bool { UUID(uuidString: text) != nil }

    /// `-12.50`, without an exponent.
    static func decimal(_ text: String) -> (isDecimal: Bool, hasFraction: Bool) {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        let isDecimal =
            (1...2).contains(parts.count) && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }
            && digits.utf8.count <= 38
        return (isDecimal, parts.count == 2)
    }

    private static func number(_ bytes: [UInt8], from start: Int, count: Int) -> Int? {
        guard start + count <= bytes.count else { return nil }
        var number = 0
        for byte in bytes[start..<start + count] {
            guard isDigit(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
