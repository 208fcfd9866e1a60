import Foundation
import LockstepEvolution
import LockstepStore
import TestSupport

/// Generates values of a column by seed, and writes them as servers do.
struct ValueSpeller {
    var random: SeededRandom

    // MARK: Values, as the store keeps them

    /// A valid value of a column; never null.
    mutating func value(of column: ColumnDescription) -> DatabaseValue {
        value(of: column.type, column.limits, isDayOnly: Self.isDayOnly(column))
    }

    private static func isDayOnly(_ column: ColumnDescription) -> Bool {
        column.wire?.format == .date(.pattern("yyyy-MM-dd"))
    }

    private mutating func value(of type: StoredType, _ limits: Limits, isDayOnly: Bool) -> DatabaseValue {
        switch type {
        case .string: return text(limits).databaseValue
        case .bool: return Bool.random(using: &random).databaseValue
        case .int, .int64:
            if limits.hasRange { return Int64(Int.random(in: 0...1000, using: &random)).databaseValue }
            return random.element(of: [Int64.min, .max, 0, 1, 42, 9_007_199_254_740_993, -7]).databaseValue
        case .int16: return random.element(of: [Int64(Int16.min), Int64(Int16.max), 0, 5]).databaseValue
        case .int32: return random.element(of: [Int64(Int32.min), Int64(Int32.max), 0, 5]).databaseValue
        case .float: return Double(random.element(of: [Float(0), -1.5, 0.1, 1e30, 3])).databaseValue
        case .double:
            return random.element(
                of: [0, -1.5, 0.1, 1e-300, 1e300, 3, Double.leastNonzeroMagnitude].filter { $0 >= -100 }
            ).databaseValue
        case .decimal: return random.element(of: ["12345678901234567890.123456789", "0.5", "7", "12.25"]).databaseValue
        case .date: return date(isDayOnly: isDayOnly).databaseValue
        case .day: return random.element(of: ["0001-01-01", "2024-02-29", "2026-11-27", "9999-12-31"]).databaseValue
        case .uuid: return uuid().databaseValue
        case .url:
            return random.element(of: ["https://example.com", "http://example.com/a%20b?c=d&e=f#g"]).databaseValue
        case .attachment:
            let digits = (0..<64).map { _ in random.element(of: Array("0123456789abcdef")) }
            return "sha256-\(String(digits))-\(Int.random(in: 0...1000, using: &random))".databaseValue
        case .data:
            return Data((0..<Int.random(in: 0...10, using: &random)).map { _ in UInt8(random.next() & 255) })
                .databaseValue
        case .json: return json().databaseValue
        case .enumeration(_, closed: let closed?):
            switch random.element(of: closed) {
            case .string(let raw): return raw.databaseValue
            case .int(let raw): return raw.databaseValue
            }
        case .enumeration(.string, closed: nil): return random.element(of: ["sad", "happy", "", "odd"]).databaseValue
        case .enumeration(.int, closed: nil): return Int64(random.element(of: [0, 10, -7])).databaseValue
        case .list(of: .string): return random.element(of: ["[]", #"["a"]"#, #"["é","b\"c"]"#]).databaseValue
        case .list: return random.element(of: ["[]", "[1]", "[9007199254740993,-2]"]).databaseValue
        case .custom: return .null
        }
    }

    private mutating func text(_ limits: Limits) -> String {
        let scalars: [Unicode.Scalar] = ["a", "Z", " ", "\"", "\\", "\n", "é", "日", "🙂", "/", "'", "0"]
        let length = Int.random(in: max(limits.minimumLength ?? 0, 0)...(limits.maximumLength ?? 9), using: &random)
        var text = String.UnicodeScalarView()
        for _ in 0..<length { text.append(random.element(of: scalars)) }
        return String(text)
    }

    private mutating func date(isDayOnly: Bool) -> Double {
        if isDayOnly { return Double(Int.random(in: 0...20_000, using: &random) * 86_400) }
        return Double(Int.random(in: 200_000_000...1_700_000_000, using: &random))
    }

    mutating func uuid() -> String {
        let digits = (0..<2).map { _ in
            let text = String(random.next(), radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text += "-" }
            text.append(digit)
        }
        return text
    }

    private mutating func json() -> String {
        random.element(of: ["null", "true", "1", "[]", #"{"a":[1,true,null],"b":{"c":"é"}}"#, #""text""#, "[1.5,{}]"])
    }

    // MARK: Notations

    /// A stored value as a server may write it.
    mutating func spell(_ value: DatabaseValue, of column: ColumnDescription) -> PayloadNode {
        // If no value is allowed, null is written as none.
        if value.isNull || column.type == .json && column.isOptional && value == "null".databaseValue { return .null }
        return .value(json: json(value, column.type, column.wire?.format ?? .plain), stored: value)
    }

    private mutating func json(_ value: DatabaseValue, _ type: StoredType, _ format: WireDescription.Format) -> String {
        switch (value.storage, type) {
        case (.int64(let number), .bool):
            let word = number == 0 ? "false" : "true"
            return random.element(of: [word, word, "\(number)", "\"\(word)\"", "\"\(number)\""])
        case (.int64(let number), .enumeration): return "\(number)"
        case (.int64(let number), _):
            return random.element(of: ["\(number)", "\(number)", "\"\(number)\"", "\(number).0"])
        case (.double(let seconds), .date): return date(Int64(seconds), format)
        case (.double(let number), .float): return number_(Float(number).description)
        case (.double(let number), _): return number_(number.description)
        case (.string(let text), .decimal):
            return random.element(of: [text, "\"\(text)\"", text + (text.contains(".") ? "0" : ".0")])
        case (.string(let text), .day):
            let midnights = ["", "T00:00:00Z", "T00:00:00.000Z", " 00:00", "T00:00:00+13:00"]
            return "\"\(text)\(random.element(of: midnights))\""
        case (.string(let text), .uuid): return "\"\(random.element(of: [text, text.uppercased()]))\""
        case (.string(let text), .json), (.string(let text), .list): return text
        case (.string(let text), _): return spelling(of: text, &random)
        case (.blob(let data), _): return "\"\(data.base64EncodedString())\""
        default: return "null"
        }
    }

    private mutating func number_(_ text: String) -> String { random.element(of: [text, "\"\(text)\""]) }

    /// Seconds in one of the notations that the format accepts (N3).
    private mutating func date(_ seconds: Int64, _ format: WireDescription.Format) -> String {
        let day = Self.civil(seconds / 86_400)
        let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let dayText = "\(day.year)-\(two(day.month))-\(two(day.day))"
        let time = "\(two(hour)):\(two(minute)):\(two(second))"
        let texts = [
            "\(dayText)T\(time)Z", "\(dayText)T\(time)", "\(dayText) \(time)", "\(dayText)T\(time).000Z",
            "\(dayText)T\(time)+00:00", "\(dayText)T\(time)-0000",
        ].map { "\"\($0)\"" }
        switch format {
        case .plain, .text, .uppercase, .date(.iso8601): return random.element(of: texts)
        case .date(.secondsSince1970), .date(.fractionalSecondsSince1970):
            return random.element(of: ["\(seconds)", "\"\(seconds)\"", texts[0]])
        case .date(.millisecondsSince1970), .date(.fractionalMillisecondsSince1970):
            return random.element(of: ["\(seconds * 1000)", "\"\(seconds * 1000)\"", texts[0]])
        case .date(.microsecondsSince1970):
            return random.element(of: ["\(seconds)000001", "\"\(seconds)000000\"", "\(seconds)000000.4", texts[0]])
        case .date(.pattern("yyyy-MM-dd")): return random.element(of: ["\"\(dayText)\"", texts[0]])
        case .date(.pattern): return random.element(of: ["\"\(dayText) \(time) +0000\"", texts[0]])
        }
    }

    /// Howard Hinnant's `civil_from_days`.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9, day)
    }

    /// An invalid value for this column: of the wrong type, out of range or too large (M12).
    mutating func invalid(_ column: ColumnDescription) -> PayloadNode {
        var texts: [String]
        switch column.type {
        case .string, .enumeration(.string, _): texts = ["[]", "{}"]
        case .bool: texts = ["2", "\"yes\"", "[]", "1.5"]
        case .int, .int64, .int16, .int32: texts = ["1.5", "99999999999999999999", "\"x\"", "true", "[1]"]
        case .enumeration(.int, _): texts = ["1.5", "\"x\"", "{}"]
        case .float, .double, .decimal: texts = ["\"x\"", "true", "{}", "\"\""]
        case .date: texts = ["\"yesterday\"", "[]", "true", "\"2024-13-45T00:00:00Z\""]
        case .day: texts = ["\"2026-02-29\"", "\"\"", "\"2026-11-27T10:00:00Z\"", "7", "[]"]
        case .uuid: texts = ["\"not-a-uuid\"", "7"]
        case .url: texts = ["7", "[]"]
        case .data: texts = ["\"***\"", "7"]
        case .attachment: texts = ["\"sha256-00-1\"", "7", "\"\""]
        case .list: texts = ["7", "{}", "[{}]", "[null]"]
        case .json, .custom: return .invalid(json: "null")
        }
        if let maximum = column.limits.maximumLength, case .string = column.type {
            texts.append("\"\(String(repeating: "x", count: maximum + 1))\"")
        }
        if column.limits.minimum != nil, column.type != .decimal { texts.append("-2000") }
        if case .enumeration(_, closed: .some) = column.type { texts.append("5") }
        return .invalid(json: random.element(of: texts))
    }
}
