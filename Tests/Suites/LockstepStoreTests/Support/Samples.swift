import Foundation
import LockstepStore
import SampleTypes
import StoreSamples
import TestSupport

/// Random values of each type, with its edges among them.
enum Samples {
    private static func pick<Value>(
        _ random: inout SeededRandom, _ edges: [Value], _ other: (inout SeededRandom) -> Value
    )
        -> Value
    {
        let index = Int.random(in: 0..<(edges.count * 2), using: &random)
        return index < edges.count ? edges[index] : other(&random)
    }

    static func optional<Value>(_ random: inout SeededRandom, _ make: (inout SeededRandom) -> Value) -> Value? {
        Int.random(in: 0..<4, using: &random) == 0 ? nil : make(&random)
    }

    static func list<Value>(_ random: inout SeededRandom, _ make: (inout SeededRandom) -> Value) -> [Value] {
        (0..<Int.random(in: 0..<5, using: &random)).map { _ in make(&random) }
    }

    static func string(_ random: inout SeededRandom) -> String {
        let edges = [
            "", " ", "\u{0}", "a\u{0}b", "👩‍👩‍👧‍👦", "e\u{301}", "\"\\/\u{8}\u{1f}\u{7f}",
            "\u{2028}\u{feff}", "null", "NO",
            "1e5",
            "'; DROP TABLE all_types; --", "\u{10ffff}", "ﷺ", "\r\n", String(repeating: "långt 🙂", count: 2_000),
        ]
        return pick(&random, edges) { random in
            var text = ""
            for _ in 0..<Int.random(in: 0..<30, using: &random) {
                if let scalar = Unicode.Scalar(UInt32.random(in: 0..<0x11_0000, using: &random)) {
                    text.unicodeScalars.append(scalar)
                }
            }
            return text
        }
    }

    static func bool(_ random: inout SeededRandom) -> Bool { Bool.random(using: &random) }

    static func int(_ random: inout SeededRandom) -> Int {
        pick(&random, [0, 1, -1, .max, .min]) { Int.random(in: .min ... .max, using: &$0) }
    }

    static func int16(_ random: inout SeededRandom) -> Int16 {
        pick(&random, [0, .max, .min]) { Int16.random(in: .min ... .max, using: &$0) }
    }

    static func int32(_ random: inout SeededRandom) -> Int32 {
        pick(&random, [0, .max, .min]) { Int32.random(in: .min ... .max, using: &$0) }
    }

    static func int64(_ random: inout SeededRandom) -> Int64 {
        let edges: [Int64] = [0, .max, .min, .max - 1, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1]
        return pick(&random, edges) { Int64.random(in: .min ... .max, using: &$0) }
    }

    static func float(_ random: inout SeededRandom) -> Float {
        let edges: [Float] = [
            0, 0.1, 1 / 3, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNormalMagnitude,
        ]
        return pick(&random, edges) { random in
            let value = Float(bitPattern: UInt32.random(in: .min ... .max, using: &random))
            return value.isFinite ? value : 1
        }
    }

    static func double(_ random: inout SeededRandom) -> Double {
        let edges: [Double] = [
            0, 0.1, 0.1 + 0.2, 1 / 3, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNormalMagnitude,
            .leastNonzeroMagnitude, .pi, 9_007_199_254_740_992, 1e23, -1e-7,
        ]
        return pick(&random, edges) { random in
            let value = Double(bitPattern: UInt64.random(in: .min ... .max, using: &random))
            return value.isFinite ? value : 1
        }
    }

    static func decimal(_ random: inout SeededRandom) -> Decimal {
        let edges = [
            "0", "0.1", "-0.01", "12.50", "99999999999999999999999999999999999999",
            "-99999999999999999999999999999999999999", "0.00000000000000000000000000000000000001",
            "1234567890123456789.0123456789012345678", "18446744073709551616", "100000", "9223372036854775807",
        ]
        let text = pick(&random, edges) { random in
            var digits = (0..<Int.random(in: 1...38, using: &random)).map { _ in
                String(Int.random(in: 0...9, using: &random))
            }
            digits.insert(".", at: Int.random(in: 1...digits.count, using: &random))
            if digits.last == "." { digits.removeLast() }
            return (Bool.random(using: &random) ? "-" : "") + digits.joined()
        }
        return Decimal(string: text) ?? 0
    }

    static func date(_ random: inout SeededRandom) -> Date {
        let edges = [
            .distantPast, .distantFuture, Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: -0.000_001),
            Date(timeIntervalSince1970: 1_700_000_000.123_456), Date(timeIntervalSinceReferenceDate: 0.1),
            Date(timeIntervalSince1970: 253_402_300_799), Date(timeIntervalSince1970: -62_167_219_199.5),
            Date(timeIntervalSince1970: 9_007_199_254.740_993), Date(timeIntervalSince1970: -9_007_199_254.75),
        ]
        return pick(&random, edges) { random in
            let range = [1e3, 1e9, 1e10, 1e11][Int.random(in: 0..<4, using: &random)]
            return Date(timeIntervalSince1970: Double.random(in: max(-range, -6e10)...range, using: &random))
        }.roundedToStore
    }

    static func wholeSecond(_ random: inout SeededRandom) -> Date {
        Date(timeIntervalSince1970: Double(Int.random(in: -2_000_000_000...4_000_000_000, using: &random)))
    }

    static func day(_ random: inout SeededRandom) -> Day { Day(date(&random), in: .gmt) }

    static func uuid(_ random: inout SeededRandom) -> UUID {
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        return bytes.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)) }
    }

    static func url(_ random: inout SeededRandom) -> URL {
        let texts = [
            "https://example.com", "https://example.com/a%20b?q=1&r=%C3%A9#x", "file:///tmp/a", "mailto:a@b.c",
            "relative/path",
            "https://user:pass@example.com:8080/", "data:text/plain;base64,SGVsbG8=",
        ]
        return URL(string: texts[Int.random(in: 0..<texts.count, using: &random)]) ?? URL(fileURLWithPath: "/")
    }

    static func data(_ random: inout SeededRandom) -> Data {
        pick(&random, [Data(), Data([0]), Data(0...255), Data(count: 10_000)]) { random in
            Data(
                (0..<Int.random(in: 0..<50, using: &random)).map { _ in UInt8.random(in: .min ... .max, using: &random)
                })
        }
    }

    static func json(_ random: inout SeededRandom) -> JSONValue { json(&random, depth: 0) }

    private static func json(_ random: inout SeededRandom, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth < 4 ? 8 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(bool(&random))
        case 2: return .integer(int64(&random))
        case 3: return .decimal(decimal(&random))
        case 4: return .double(double(&random))
        case 5: return .string(string(&random))
        case 6: return .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in json(&random, depth: depth + 1) })
        default:
            var members: JSONObject = [:]
            for index in 0..<Int.random(in: 0..<4, using: &random) {
                members["key \(index) é\n"] = json(&random, depth: depth + 1)
            }
            return .object(members)
        }
    }

    static func feeling(_ random: inout SeededRandom) -> Feeling {
        pick(&random, [.sad, .neutral, .happy, .unknown("")]) { Feeling(rawValue: string(&$0)) }
    }

    static func level(_ random: inout SeededRandom) -> Level { bool(&random) ? .low : .high }

    static func money(_ random: inout SeededRandom) -> Money { Money(stored: decimal(&random)) }
}
