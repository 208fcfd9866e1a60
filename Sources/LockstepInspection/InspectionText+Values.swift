package import Foundation
import LockstepJSON
import LockstepValues

extension InspectionText {
    /// A time in UTC, to the second: `2026-11-24 08:15:00Z`.
    package static func date(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard let text = ISO8601.text(of: Date(timeIntervalSince1970: seconds)) else { return "an unreadable date" }
        return text.replacing("T", with: " ")
    }

    /// A size in bytes with a decimal unit: `812 bytes`, `1.2 MB`.
    package static func size(_ bytes: Int) -> String {
        guard bytes >= 1000 else { return bytes.of("byte") }
        var (value, unit) = (Double(bytes) / 1000, 0)
        while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10)\(tenths % 10 == 0 ? "" : ".\(tenths % 10)") \(units[unit])"
    }

    private static let units = ["KB", "MB", "GB", "TB"]

    /// A number with a comma for each thousand: `1,204`.
    package static func number(_ number: Int) -> String {
        var digits = Array(String(number.magnitude))
        var index = digits.count - 3
        while index > 0 {
            digits.insert(",", at: index)
            index -= 3
        }
        return (number < 0 ? "-" : "") + String(digits)
    }

    /// A text on one line. Of a long one, the beginning.
    package static func short(_ text: String) -> String {
        let line = line(text.prefix(textLimit))
        return text.count > textLimit ? line + "…" : line
    }

    static func line(_ text: some Sequence<Character>) -> String {
        String(text.map { $0.isNewline ? " " : $0 }).visible
    }

    /// The number of characters from which on a text is long.
    static let textLimit = 200
}
