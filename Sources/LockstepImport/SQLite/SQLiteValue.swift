/// A value as SQLite stores it.
enum SQLiteValue: Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    var text: String? { if case .text(let text) = self { text } else { nil } }

    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// A number of either kind.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }
}

enum SQLText {
    /// A name in quotes.
    static func name(_ name: String) -> String { quoted(name, mark: "\"") }

    /// A text in quotes.
    static func literal(_ text: String) -> String { quoted(text, mark: "'") }

    private static func quoted(_ text: String, mark: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(scalar)
            if mark.unicodeScalars.first == scalar { result.append(scalar) }
        }
        return mark + String(result) + mark
    }
}
