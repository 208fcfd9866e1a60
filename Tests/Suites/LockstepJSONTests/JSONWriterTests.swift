import Foundation
import LockstepStore
import TestSupport
import Testing

@testable import LockstepJSON

@Suite("Writing JSON")
struct JSONWriterTests {
    @Test("A record is written member by member")
    func members() throws {
        var writer = JSONWriter()
        try writer.beginObject()
        writer.key("name")
        writer.write("Léa")
        writer.key("tags")
        try writer.beginArray()
        writer.write(Int64(1))
        try writer.write(2.5)
        try writer.beginObject()
        writer.endObject()
        writer.writeNull()
        writer.endArray()
        writer.key("isDone")
        writer.write(false)
        writer.endObject()
        #expect(
            String(decoding: writer.bytes, as: UTF8.self) == #"{"name":"Léa","tags":[1,2.5,{},null],"isDone":false}"#)
    }

    @Test("Values are written in compact form, with sorted keys")
    func brief() throws {
        let value = try JSONValue(parsing: #"{"b":[1,{"d":null,"c":true}],"a":{},"c":[]}"#)
        #expect(try text(of: value) == #"{"a":{},"b":[1,{"c":true,"d":null}],"c":[]}"#)
    }

    @Test("On request, each member is written on its own line")
    func pretty() throws {
        let value = try JSONValue(parsing: #"{"b":[1,{"d":null}],"a":{},"c":[]}"#)
        let expected = """
            {
              "a": {},
              "b": [
                1,
                {
                  "d": null
                }
              ],
              "c": []
            }
            """
        #expect(try String(decoding: value.json(isPretty: true), as: UTF8.self) == expected)
        #expect(try String(decoding: JSONValue.integer(1).json(isPretty: true), as: UTF8.self) == "1")
    }

    @Test(
        "Of a text, only quotes, backslashes and control characters are escaped",
        arguments: [
            ("", #""""#), ("a\"b\\c/d", #""a\"b\\c/d""#), ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
            ("\0\u{1}\u{B}\u{F}\u{10}\u{1F}", #""\u0000\u0001\u000b\u000f\u0010\u001f""#), ("\u{7F}", "\"\u{7F}\""),
            ("é€😀\u{2028}\u{2029}\u{FFFF}", "\"é€😀\u{2028}\u{2029}\u{FFFF}\""), ("\r\n", #""\r\n""#),
        ])
    func texts(string: String, json: String) throws {
        #expect(try text(of: .string(string)) == json)
        #expect(try text(of: .object([string: .null])) == "{\(json):null}")
    }

    @Test("Numbers have the fewest digits that represent them")
    func numbers() throws {
        let numbers: [(JSONValue, String)] = [
            (.integer(0), "0"), (.integer(.min), "-9223372036854775808"), (.integer(.max), "9223372036854775807"),
            (.double(1), "1"), (.double(-0.0), "-0"), (.double(0.1), "0.1"), (.double(100), "100"),
            (.double(1e16), "1e+16"), (.double(1e300), "1e+300"), (.double(.leastNonzeroMagnitude), "5e-324"),
            (.double(1.7976931348623157e308), "1.7976931348623157e+308"), (.double(0.1 + 0.2), "0.30000000000000004"),
            (.decimal(Decimal(exactly: "9.950") ?? .nan), "9.95"), (.decimal(Decimal(100)), "100"),
            (.decimal(Decimal(exactly: "-0.00000000000000000001") ?? .nan), "-0.00000000000000000001"),
            (
                .decimal(Decimal(exactly: "12345678901234567890123456789012345678") ?? .nan),
                "12345678901234567890123456789012345678"
            ),
        ]
        for (value, json) in numbers {
            #expect(try text(of: value) == json)
            #expect(try JSONValue(parsing: json) == value)
        }
    }

    @Test("A number that JSON cannot represent is rejected with its position")
    func notFinite() throws {
        for value in [JSONValue.double(.nan), .double(-.nan), .decimal(.nan)] {
            let error = try #require(throws: JSONWritingError.self) {
                try JSONValue.object(["lines": .array([.null, .object(["price": value])])]).json()
            }
            #expect(error.reason == .notFinite)
            #expect(error.path == ["lines", "1", "price"])
            #expect(
                error.description
                    == "lines.1.price: JSON has no infinite numbers, and nothing that is no number; use null instead")
        }
        #expect(throws: JSONWritingError(.notFinite)) { try JSONValue.double(.nan).json() }
    }

    @Test("A value too deep to be read is rejected")
    func depth() throws {
        func nested(_ depth: Int) -> JSONValue { (0..<depth).reduce(.null) { value, _ in .array([value]) } }
        let limit = JSONScanner.depthLimit
        let deepest = nested(limit)
        #expect(try JSONValue(json: deepest.json()) == deepest)
        let error = try #require(throws: JSONWritingError.self) { try nested(limit + 1).json() }
        #expect(error.reason == .tooDeep(limit: limit))
        #expect(error.path.count == limit)
        #expect(error.description.hasPrefix("0.0.0.0.0.0.0.0…: arrays and objects are nested more than 512 deep"))
    }

    @Test("A written value is read as the same value", arguments: 0..<40)
    func roundTrip(seed: UInt64) throws {
        var random = SeededJSON(seed: seed)
        for _ in 0..<25 {
            let value = random.value()
            let json = try value.json()
            #expect(try JSONValue(json: json) == value, "\(String(decoding: json, as: UTF8.self))")
            #expect(try JSONValue(json: value.json(isPretty: true)) == value)
            // The output depends on nothing but the value, whatever the order of its dictionaries.
            #expect(try JSONValue(json: json).json() == JSONValue(json: JSONValue(json: json).json()).json())
        }
    }

    private func text(of value: JSONValue) throws -> String { try String(decoding: value.json(), as: UTF8.self) }
}
