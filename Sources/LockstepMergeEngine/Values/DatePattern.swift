import Foundation
import LockstepTables

/// A strict parser for date patterns (UTS #35) with digits in fixed positions.
///
/// Its results are those of `DateFormatter`. In case of doubt it returns `nil`, and the formatter is used.
struct DatePattern {
    private enum Step {
        case year, month, day, hour, minute, second, millisecond
        /// `+0200`, or with a colon `+02:00`; if `Z` is allowed, also that.
        case zone(hasColon: Bool, allowsZ: Bool)
        case literal(UInt8)
    }

    private let steps: [Step]

    /// Returns `nil` if the pattern contains anything but numbers in fixed positions, literals and an offset of a time
    /// zone.
    init?(_ pattern: String) {
        var steps: [Step] = []
        var bytes = Array(pattern.utf8)[...]
        while let first = bytes.first {
            if first == UInt8(ascii: "'") {
                guard let literal = Self.quoted(&bytes) else { return nil }
                steps += literal.map(Step.literal)
            } else if (first | 0x20) &- UInt8(ascii: "a") < 26 {
                let run = bytes.prefix { $0 == first }.count
                guard let step = Self.field(first, count: run) else { return nil }
                steps.append(step)
                bytes = bytes.dropFirst(run)
            } else {
                guard first >= 0x20, first < 0x7F else { return nil }
                steps.append(.literal(first))
                bytes = bytes.dropFirst()
            }
        }
        guard Self.isComplete(steps) else { return nil }
        self.steps = steps
    }

    /// The text between two quotes. Two consecutive quotes encode one, which is left to the formatter.
    private static func quoted(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let rest = bytes.dropFirst()
        guard let end = rest.firstIndex(of: UInt8(ascii: "'")), end > rest.startIndex else { return nil }
        let content = rest[..<end]
        bytes = rest[(end + 1)...]
        guard bytes.first != UInt8(ascii: "'"), content.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
        return content
    }

    private static func field(_ letter: UInt8, count: Int) -> Step? {
        switch (Unicode.Scalar(letter), count) {
        case ("y", 4): .year
        case ("M", 2): .month
        case ("d", 2): .day
        case ("H", 2): .hour
        case ("m", 2): .minute
        case ("s", 2): .second
        case ("S", 3): .millisecond
        case ("Z", 1...3): .zone(hasColon: false, allowsZ: false)
        case ("Z", 5): .zone(hasColon: true, allowsZ: true)
        case ("X", 2): .zone(hasColon: false, allowsZ: true)
        case ("X", 3): .zone(hasColon: true, allowsZ: true)
        case ("x", 2): .zone(hasColon: false, allowsZ: false)
        case ("x", 3): .zone(hasColon: true, allowsZ: false)
        default: nil
        }
    }

    /// All parts of a date must occur, each once.
    private static func isComplete(_ steps: [Step]) -> Bool {
        var counts = [Int](repeating: 0, count: 8)
        for step in steps {
            switch step {
            case .year: counts[0] += 1
            case .month: counts[1] += 1
            case .day: counts[2] += 1
            case .hour: counts[3] += 1
            case .minute: counts[4] += 1
            case .second: counts[5] += 1
            case .millisecond: counts[6] += 1
            case .zone: counts[7] += 1
            case .literal: break
            }
        }
        return counts[..<3].allSatisfy { $0 == 1 } && counts[3...].allSatisfy { $0 < 2 }
    }

    /// The date of a text that matches the pattern exactly; otherwise `nil`.
    func date(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        var cursor = Cursor(text: text)
        var (year, month, day, offset) = (0, 0, 0, 0)
        var (hour, minute, second, millisecond) = (0, 0, 0, 0)
        for step in steps {
            switch step {
            case .year: year = cursor.number(4)
            case .month: month = cursor.number(2)
            case .day: day = cursor.number(2)
            case .hour: hour = cursor.number(2)
            case .minute: minute = cursor.number(2)
            case .second: second = cursor.number(2)
            case .millisecond: millisecond = cursor.number(3)
            case .zone(let hasColon, let allowsZ): offset = cursor.offset(hasColon: hasColon, allowsZ: allowsZ)
            case .literal(let byte): cursor.take(byte)
            }
        }
        // Before 1583 the formatter uses another calendar.
        guard cursor.isRight, cursor.index == text.count, year >= 1583, (1...12).contains(month), day >= 1,
            day <= ISO8601.daysInMonth(month, year: Int64(year)), hour < 24, minute < 60, second < 60
        else { return nil }
        let days = Int(ISO8601.days(year: Int64(year), month: month, day: day))
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds * 1000 + millisecond) / 1000).roundedToStore
    }

    private struct Cursor {
        let text: UnsafeBufferPointer<UInt8>
        var index = 0
        var isRight = true

        init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

        mutating func number(_ digits: Int) -> Int {
            guard index + digits <= text.count else { return fail() }
            var value = 0
            for byte in text[index..<index + digits] {
                let digit = byte &- UInt8(ascii: "0")
                guard digit < 10 else { return fail() }
                value = value * 10 + Int(digit)
            }
            index += digits
            return value
        }

        mutating func take(_ byte: UInt8) {
            guard index < text.count, text[index] == byte else { return _ = fail() }
            index += 1
        }

        /// The offset in seconds east of UTC.
        mutating func offset(hasColon: Bool, allowsZ: Bool) -> Int {
            guard index < text.count else { return fail() }
            let sign = text[index]
            index += 1
            if sign == UInt8(ascii: "Z") { return allowsZ ? 0 : fail() }
            guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return fail() }
            let hours = number(2)
            if hasColon { take(UInt8(ascii: ":")) }
            let minutes = number(2)
            guard hours < 15, minutes < 60 else { return fail() }
            let seconds = hours * 3600 + minutes * 60
            return sign == UInt8(ascii: "-") ? -seconds : seconds
        }

        private mutating func fail() -> Int {
            isRight = false
            return 0
        }
    }
}
