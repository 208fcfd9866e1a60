import Testing

@testable import LockstepSchema

@Suite("Defaults")
struct DefaultTests {
    static let cases: [(String, DefaultValue?)] = [
        ("{ type: string, default: text }", .string("text")), ("{ type: string, default: \"\" }", .string("")),
        ("{ type: string, default: 7 }", .string("7")), ("{ type: string, default: \"null\" }", .string("null")),
        ("{ type: string?, default: null }", nil), ("{ type: bool, default: true }", .bool(true)),
        ("{ type: int, default: -9223372036854775808 }", .integer(.min)),
        ("{ type: int64, default: 9223372036854775807 }", .integer(.max)),
        ("{ type: int16, default: -32768 }", .integer(-32768)),
        ("{ type: int32, default: 2147483647 }", .integer(2_147_483_647)),
        ("{ type: double, default: -1.5e3 }", .double(-1500)),
        ("{ type: float, default: 1 }", .double(1)), ("{ type: decimal, default: 0.10 }", .decimal("0.10")),
        (
            "{ type: decimal, default: +12345678901234567890123456789012345678 }",
            .decimal("12345678901234567890123456789012345678")
        ),
        ("{ type: date, default: now }", .now), ("{ type: date, default: 1970-01-02 }", .date(86_400)),
        ("{ type: day, default: 2026-11-27 }", .day("2026-11-27")), ("{ type: day?, default: null }", nil),
        ("{ type: [day], default: [2026-11-27] }", .list([.day("2026-11-27")])),
        ("{ type: uuid, default: new }", .newUUID),
        ("{ type: url, default: \"https://a.b/c?d#e\" }", .url("https://a.b/c?d#e")),
        ("{ type: data, default: \"AQID\" }", .data([1, 2, 3])), ("{ type: data, default: \"\" }", .data([])),
        ("{ type: json, default: {} }", .json("{}")),
        (
            "{ type: json, default: { a: [1, x, \"1\", true, null, 1.50] } }",
            .json("{\"a\":[1,\"x\",\"1\",true,null,1.50]}")
        ),
        ("{ type: json, default: '\"open\"' }", .json("\"open\"")), ("{ type: json, default: null }", .json("null")),
        ("{ type: json, default: '{\"a\": [1, 2]}' }", .json("{\"a\": [1, 2]}")),
        ("{ type: [string], default: [] }", .list([])),
        ("{ type: [int], default: [1, 2] }", .list([.integer(1), .integer(2)])), ("[string]", nil),
        ("{ type: Size, default: small }", .enumerationCase("small")),
        ("{ type: Money, default: 1.00 }", .decimal("1.00")),
        ("{ type: [Size], default: [small, large] }", .list([.enumerationCase("small"), .enumerationCase("large")])),
    ]

    @Test("are parsed by the attribute's type", arguments: cases)
    func read(attribute: String, expected: DefaultValue?) throws {
        let schema = try resolved(
            "  A: { attributes: { a: \(attribute) } }",
            header: "enums: { Size: { small: S, large: L } }\ntypes: { Money: { stored: decimal } }")
        #expect(schema.entities[0].attributes[0].defaultValue == expected)
    }

    @Test(
        "of dates are ISO 8601 in its common forms",
        arguments: [
            ("1970-01-01", 0), ("1970-01-01T00:00:00Z", 0), ("1970-01-01 00:00:01", 1), ("2000-02-29", 951_782_400),
            ("2001-09-09T01:46:40Z", 1_000_000_000), ("2001-09-09T03:46:40+02:00", 1_000_000_000),
            ("2001-09-08T20:16:40-0530", 1_000_000_000), ("1969-12-31T23:59:59.250Z", -0.75),
            ("2024-02-29T12:30Z", 1_709_209_800),
            ("0001-01-01", -62_135_596_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
            ("2016-12-31T23:59:60Z", 1_483_228_800),
            ("1970-01-01T01:00+01", 0),
        ])
    func dates(text: String, seconds: Double) {
        #expect(DateText.secondsSince1970(text) == seconds)
    }

    @Test(
        "of dates have no other form",
        arguments: [
            "", "2024", "2024-1-1", "2023-02-29", "1900-02-29", "2024-13-01", "2024-04-31", "2024-01-01T",
            "2024-01-01T24:00",
            "2024-01-01T12:60", "2024-01-01T12", "2024-01-01T12:00:00.Z", "2024-01-01T12:00+2", "2024-01-01T12:00Zx",
            "x2024-01-01",
            "today", "2024-01-01T12:00:61Z", "２０２４-01-01",
        ])
    func wrongDates(text: String) {
        #expect(DateText.secondsSince1970(text) == nil)
    }

    @Test(
        "of URLs are plausible",
        arguments: [
            ("https://example.org", true), ("https://u:p@example.org:8080/a/b?c=d&e#f", true),
            ("/images/none.png", true),
            ("mailto:a@b.c", true), ("file:///tmp/a", true), ("http://[::1]:80/", true), ("a%20b", true),
            ("#top", true),
            ("", false), ("a b", false), ("https://exa mple", false), ("http://[::1", false), ("http://a:port/", false),
            ("a%2", false), ("a%zz", false), ("1http://a", false), ("ü", false), ("http:", false), ("a#b#c", false),
            ("a[b]", false),
        ])
    func urls(text: String, isPlausible: Bool) {
        #expect(URLText.isPlausible(text) == isPlausible)
    }

    @Test(
        "of JSON are well formed",
        arguments: [
            ("{}", true), (" [1, -0.5e+3, \"a\\u00e9\\n\", true, null] ", true), ("\"\"", true), ("0", true),
            ("{\"a\":{\"b\":[]}}", true),
            ("", false), ("{", false), ("[1,]", false), ("{a:1}", false), ("01", false), ("-", false), ("+1", false),
            ("\"\\x\"", false),
            ("\"a", false), ("[1] 2", false), ("nul", false), ("{\"a\" 1}", false), ("\"\n\"", false), ("1.", false),
            ("'a'", false),
            (String(repeating: "[", count: 100_000), false),
        ])
    func json(text: String, isWellFormed: Bool) {
        #expect(JSONDefault.isWellFormed(text) == isWellFormed)
    }

    @Test(
        "of bytes are base64 with its padding",
        arguments: [
            ("", [UInt8]()), ("AA==", [0]), ("AAE=", [0, 1]), ("AAEC", [0, 1, 2]), ("/+8=", [255, 239]), ("A", nil),
            ("AAA", nil),
            ("AB==", nil), ("A===", nil), ("AA=A", nil), ("A-_A", nil), ("AA==AA==", nil),
        ])
    func base64(text: String, bytes: [UInt8]?) {
        #expect(Base64Text.bytes(text) == bytes)
    }

    @Test(
        "numbers are compared by their digits",
        arguments: [
            ("0.1", "0.10", false, false), ("9007199254740992", "9007199254740993", true, false),
            ("-2", "1", true, false),
            ("-1", "-2", false, true), ("0", "-0", false, false), ("1e3", "999", false, true),
            ("1e-3", "0.001", false, false),
            ("0", "0.0001", true, false), ("-0.1", "0", true, false), ("10", "9", false, true),
            ("0.09", "0.1", true, false),
        ])
    func numbers(left: String, right: String, isLess: Bool, isMore: Bool) throws {
        let one = try #require(NumberText(left))
        let other = try #require(NumberText(right))
        #expect((one < other) == isLess)
        #expect((one > other) == isMore)
    }

    @Test(
        "a text that is not a number has no value",
        arguments: ["", "-", ".5", "5.", "1e", "1e+", "0x10", "1_000", "1,5", "NaN", "١", "1e99999", "--1"])
    func noNumbers(text: String) {
        #expect(NumberText(text) == nil)
    }
}
