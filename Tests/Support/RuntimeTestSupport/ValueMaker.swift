package import Foundation
package import KitchenSink
package import LockstepStore
package import TestSupport

/// Creates values of each attribute type from a seed, with more edge cases than random values.
package struct ValueMaker {
    package var random: SeededRandom

    package init(random: SeededRandom) { self.random = random }

    package mutating func flag() -> Bool { Bool.random(using: &random) }

    package mutating func optional<Value>(_ make: (inout ValueMaker) -> Value) -> Value? {
        flag() ? make(&self) : nil
    }

    package mutating func list<Value>(_ make: (inout ValueMaker) -> Value) -> [Value] {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in make(&self) }
    }

    package mutating func element<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    package mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
        element([.min, .max, 0, 1, Number.random(in: .min ... .max, using: &random)])
    }

    package mutating func integer<Number: FixedWidthInteger>(in range: ClosedRange<Number>) -> Number {
        element([range.lowerBound, range.upperBound, Number.random(in: range, using: &random)])
    }

    package mutating func double() -> Double {
        element([0, -1.5, 0.1, 1e-300, 1e300, Double.random(in: -1e9...1e9, using: &random)])
    }

    package mutating func float() -> Float {
        element([0, -1.5, 0.1, 1e-30, 1e30, Float.random(in: -1e9...1e9, using: &random)])
    }

    package mutating func decimal() -> Decimal {
        let digits = (0..<Int.random(in: 1...30, using: &random)).map { _ in
            Character(String(Int.random(in: 0...9, using: &random)))
        }
        let text = String(digits) + "." + String(Int.random(in: 0...9999, using: &random))
        return Decimal(string: flag() ? text : "-" + text) ?? 0
    }

    package mutating func date() -> Date {
        let microseconds = Int64.random(in: -60_000_000_000_000_000...60_000_000_000_000_000, using: &random)
        return Date(timeIntervalSince1970: Double(microseconds) / 1e6).roundedToStore
    }

    /// A date that a wire format in milliseconds can represent.
    package mutating func milliseconds() -> Date {
        Date(
            timeIntervalSince1970: Double(Int.random(in: -10_000_000_000_000...10_000_000_000_000, using: &random))
                / 1000
        )
        .roundedToStore
    }

    /// A date that a wire format in seconds can represent.
    package mutating func seconds() -> Date {
        Date(timeIntervalSince1970: Double(Int.random(in: -10_000_000_000...10_000_000_000, using: &random)))
    }

    /// A date that the wire pattern yyyy-MM-dd can represent.
    package mutating func midnight() -> Date {
        Date(timeIntervalSince1970: Double(Int.random(in: -25_000...100_000, using: &random)) * 86_400)
    }

    package mutating func day() -> Day { Day(date(), in: .gmt) }

    package mutating func uuid() -> UUID {
        UUID(uuid: withUnsafeBytes(of: (random.next(), random.next())) { $0.loadUnaligned(as: uuid_t.self) })
    }

    package mutating func url() -> URL {
        element(["https://example.com", "http://example.com/a%20b?c=d&e=f#g", "file:///tmp/x", "mailto:a@example.com"])
            .asURL
    }

    package mutating func data() -> Data {
        Data((0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    package mutating func text(_ length: ClosedRange<Int>) -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "Z", " ", "\"", "\\", "\n", "\0", "é", "日", "🙂", "\u{200D}", "\u{FEFF}", "'",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: length, using: &random) { text.append(element(scalars)) }
        // A name of NULs only is as empty to SQLite's length() as an empty text.
        return length.lowerBound > 0 ? "n" + String(text.dropLast()) : String(text)
    }

    package mutating func mood() -> Mood { element([.sad, .neutral, .happy, .unknown("odd"), .unknown("")]) }

    package mutating func priority() -> Priority { element([.low, .high, .unknown(-7)]) }

    package mutating func json() -> JSONValue { json(depth: 3) }

    package mutating func nonNullJSON() -> JSONValue {
        let value = json()
        return value == .null ? .bool(true) : value
    }

    private mutating func json(depth: Int) -> JSONValue {
        switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &random) {
        case 0: return .null
        case 1: return .bool(flag())
        case 2: return .integer(integer(Int64.self))
        case 3: return .string(text(0...8))
        case 4: return .double(element([0.5, -1e300, 1e-7]))
        case 5: return .array(list { $0.json(depth: depth - 1) })
        default:
            let pairs = list { ($0.text(0...5), $0.json(depth: depth - 1)) }
            return .object(JSONObject(pairs))
        }
    }
}

extension String {
    fileprivate var asURL: URL { URL(string: self) ?? URL(fileURLWithPath: "/") }
}
