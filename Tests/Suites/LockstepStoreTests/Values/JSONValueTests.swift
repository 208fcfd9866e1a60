import Foundation
import LockstepStore
import Testing

@Suite("JSON values")
struct JSONValueTests {
    @Test("Numbers are equal where they are the same number, and hash alike")
    func numbers() {
        let same: [[JSONValue]] = [
            [.integer(1), .decimal(1), .double(1)], [.decimal(Decimal(string: "0.1") ?? 0), .double(0.1)],
            [.double(1e300), .double(1e300)], [.integer(0), .double(-0.0), .decimal(0)],
        ]
        for values in same {
            #expect(Set(values).count == 1, "\(values)")
        }
        #expect(Set(same.map { $0[0] }).count == same.count)
        #expect(JSONValue.integer(.max) != .double(9.223372036854775807e18))
        #expect(JSONValue.bool(true) != .integer(1))
    }

    @Test("Stored text is canonical and read exactly")
    func storedText() {
        let value = JSONValue.object([
            "b": .array([.null, .bool(true), .integer(-1), .double(1e300)]), "a": .string("\"\\\n\u{1}é"),
            "c": .decimal(Decimal(string: "12345678901234567890.5") ?? 0),
        ])
        let text = #"{"a":"\"\\\u000a\u0001é","b":[null,true,-1,1e+300],"c":12345678901234567890.5}"#
        #expect(value.storedValue == text.databaseValue)
        #expect(JSONValue(storedValue: text.databaseValue) == value)
    }

    @Test(
        "Text that others wrote is read by RFC 8259",
        arguments: [
            (#" [ 1 , "\u00e9\ud83d\ude00\/" ] "#, JSONValue.array([.integer(1), .string("é😀/")])),
            ("{\t\"a\" :\r\n{} }", .object(["a": .object([:])])), ("1e2", .integer(100)), ("-0", .integer(0)),
        ])
    func read(text: String, value: JSONValue) { #expect(JSONValue(storedValue: text.databaseValue) == value) }

    @Test(
        "What is not JSON is refused",
        arguments: [
            "", " ", "[1,]", "{\"a\"}", "{a:1}", "[1 2]", "tru", "\"", "\"\\x\"", "\"\\ud83d\"", "+1", "--1", "1.",
            ".5", "01", "1e",
            "\"\u{1}\"", "[1]x", String(repeating: "[", count: 100_000),
        ])
    func refused(text: String) { #expect(JSONValue(storedValue: text.databaseValue) == nil) }
}
