import Foundation
import LockstepStore
import Testing

@testable import LockstepJSON

@Suite("JSON values from bytes")
struct JSONValueReadingTests {
    @Test("N7 Every kind of value is read")
    func kinds() throws {
        let json = #"{"a":[null,true,false,-1,2.5,"é\n",{}],"b":{"c":[]}}"#
        let value = JSONValue.object([
            "a": .array([
                .null, .bool(true), .bool(false), .integer(-1), .decimal(Decimal(25) / 10), .string("é\n"),
                .object([:]),
            ]), "b": .object(["c": .array([])]),
        ])
        #expect(try JSONValue(json: Data(json.utf8)) == value)
        #expect(try JSONValue(parsing: json) == value)
        #expect(try JSONValue(json: Data([0xEF, 0xBB, 0xBF] + Array(json.utf8))) == value)
    }

    @Test("N7 The last value of a duplicate key counts")
    func duplicateKeys() throws {
        #expect(try JSONValue(parsing: #"{"a":1,"b":2,"\u0061":3}"#) == .object(["a": .integer(3), "b": .integer(2)]))
    }

    @Test("N7 Numbers are exact up to 64 bits or 38 digits; beyond that, the nearest double is used")
    func numbers() throws {
        let numbers: [(String, JSONValue)] = [
            ("0", .integer(0)), ("-0", .integer(0)), ("-0.0", .integer(0)), ("1.0", .integer(1)),
            ("1e2", .integer(100)),
            ("100e-2", .integer(1)), ("-9223372036854775808", .integer(.min)), ("9223372036854775807", .integer(.max)),
            ("9223372036854775807.0", .integer(.max)), ("922337203685477580.7e1", .integer(.max)),
            ("9223372036854775808", decimal("9223372036854775808")), ("0.1", decimal("0.1")),
            ("1.50", decimal("1.5")), ("100e-3", decimal("0.1")),
            ("0.30000000000000004", decimal("0.30000000000000004")),
            ("7561853282146665.79", decimal("7561853282146665.79")), ("-12.5e-3", decimal("-0.0125")),
            ("18446744073709551615.5", decimal("18446744073709551615.5")),
            ("1234567890123456789012345678901234567.8", decimal("1234567890123456789012345678901234567.8")),
            ("123456789012345678901234567890123456789012", .double(1.2345678901234568e41)),
            ("1e300", .double(1e300)), ("-1.5e-300", .double(-1.5e-300)), ("5e-324", .double(.leastNonzeroMagnitude)),
            ("1.7976931348623157e308", .double(1.7976931348623157e308)), ("1e-400", .integer(0)),
            ("0e999", .integer(0)),
            ("0e99999999999999999999", .integer(0)), ("1e-99999999999999999999", .integer(0)),
        ]
        for (json, value) in numbers {
            #expect(try JSONValue(parsing: json) == value, "\(json)")
        }
    }

    private func decimal(_ text: String) -> JSONValue { .decimal(Decimal(exactly: text) ?? .nan) }

    @Test("N7 The fast path for short numbers returns the same decimal, stored in the same way")
    func shortDecimals() throws {
        var random = SeededNumbers(seed: 20)
        for _ in 0..<3000 {
            let json = random.number()
            let value = try JSONValue(parsing: json)
            let expected = try #require(StoredJSON.number(json))
            #expect(value == expected, "\(json)")
            #expect(value.storedValue == expected.storedValue, "\(json)")
        }
    }

    @Test(
        "N7 A number beyond the greatest double is infinite, and is written so that it stays so; no column stores it",
        arguments: ["1e309", "-1e309", "1e400", "1e99999999999999999999", String(repeating: "9", count: 400)])
    func tooGreat(number: String) throws {
        let value = try JSONValue(parsing: #"{"a": \#(number)}"#)
        #expect(value == ["a": .double(number.hasPrefix("-") ? -.infinity : .infinity)])
        let text = try value.json()
        #expect(text == Data(#"{"a":\#(number.hasPrefix("-") ? "-" : "")1e999}"#.utf8))
        #expect(try JSONValue(json: text) == value)
        #expect(StoredJSON.value(from: "[\(number)]") == nil)
        #expect(syntaxError(in: number) == nil)
    }

    @Test("N7 A number with a million digits is read in reasonable time")
    func longNumbers() throws {
        let zeros = String(repeating: "0", count: 1_000_000)
        #expect(try JSONValue(parsing: "0.\(zeros)1") == .integer(0))
        #expect(try JSONValue(parsing: "1.\(zeros)") == .integer(1))
        #expect(try JSONValue(parsing: "1.\(zeros)1") == .double(1))
        #expect(try JSONValue(parsing: "1.5e-\(zeros)1") == .decimal(Decimal(15) / 100))
    }

    @Test("N7 A record inside a payload is read without the rest")
    func insideOfAPayload() throws {
        try scan(#"[{"id":1},{"id":2}]"#) { scanner in
            try scanner.open(UInt8(ascii: "["))
            #expect(try JSONValue(&scanner) == .object(["id": .integer(1)]))
            #expect(scanner.offset == 9)
            #expect(scanner.depth == 1)
            #expect(try !scanner.isClosed(UInt8(ascii: "]"), isFirst: false))
            #expect(try JSONValue(&scanner) == .object(["id": .integer(2)]))
        }
    }

    @Test("N7 The deepest value fits the stack of any thread")
    func stack() async {
        let limit = JSONScanner.depthLimit
        let json = String(repeating: #"[{"a":"#, count: limit / 2) + "1" + String(repeating: "}]", count: limit / 2)
        let isRead = await withCheckedContinuation { continuation in
            let thread = Thread {
                let value = try? JSONValue(parsing: json)
                let text = try? value?.json()
                continuation.resume(returning: text == Data(json.utf8))
            }
            // The stack size of secondary threads on Apple's systems.
            thread.stackSize = 512 * 1024
            thread.start()
        }
        #expect(isRead)
    }
}
