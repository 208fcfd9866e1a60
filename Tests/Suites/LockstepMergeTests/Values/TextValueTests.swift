import Foundation
import GRDB
import KitchenSink
import LockstepEvolution
import LockstepStore
import SampleTypes
import TestSupport
import Testing

@testable import LockstepMerge
@testable import LockstepMergeEngine
@testable import LockstepSync

@Suite("N4 N5 Texts, identifiers, bytes, enums")
struct TextValueTests {
    @Test(
        "N7 Strings with escapes are decoded",
        arguments: [
            ("\"\"", ""), ("\"plain\"", "plain"), ("\"né\"", "né"), (#""a\"b\\c\/d""#, "a\"b\\c/d"),
            (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"), (#""\u00e9\u20AC""#, "é€"), (#""\ud83d\ude00!""#, "😀!"),
            (#""a\u0000b""#, "a\0b"), ("null", nil), ("[\"a\"]", nil),
            ("{\"a\":\"b\"}", nil),
        ] as [(String, String?)])
    func strings(json: String, expected: String?) throws { try BothRoads<String>(type: .string).expect(json, expected) }

    @Test(
        "N4 A number or a Bool in place of a string is its JSON text",
        arguments: [
            ("1", "1"), ("-7", "-7"), ("true", "true"), ("false", "false"), ("2.50", "2.5"), ("1e3", "1000"),
            ("-0", "0"), ("9007199254740993", "9007199254740993"), ("18446744073709551616", "18446744073709551616"),
            ("0.1", "0.1"),
            ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
            ("999999999999999999999999999999999999999", nil), ("100000000000000000000000000000000000000", nil),
            ("1e99999", nil), ("[1]", nil), ("{}", nil),
        ] as [(String, String?)])
    func convertedStrings(json: String, expected: String?) throws {
        try BothRoads<String>(type: .string).expect(json, expected)
    }

    @Test("M12 Limits apply to the text of a number")
    func convertedLimits() throws {
        let road = BothRoads<String>(type: .string, limits: AttributeLimits(minimumLength: 2, maximumLength: 3))
        try road.expect("7", nil)
        try road.expect("42", "42")
        try road.expect("true", nil)
    }

    @Test("M12 Strings are limited by Unicode scalars")
    func stringLimits() throws {
        let road = BothRoads<String>(type: .string, limits: AttributeLimits(minimumLength: 2, maximumLength: 3))
        try road.expect("\"a\"", nil)
        try road.expect("\"é\"", nil)
        try road.expect("\"éé\"", "éé")
        try road.expect("\"😀😀😀\"", "😀😀😀")
        try road.expect("\"😀😀😀😀\"", nil)
        try road.expect("\"abcd\"", nil)
        #expect(try road.bulk("\"abcd\"").reason == "its length must be at most 3")
    }

    private static let uuid = "8c5f2a52-0d1e-4c3b-9a7f-6e5d4c3b2a10"

    @Test(
        "M5 UUIDs in any case are kept in lower case",
        arguments: [
            (uuid, true), (uuid.uppercased(), true), ("8C5f2a52-0d1e-4c3b-9a7F-6e5d4c3b2a10", true),
            (String(uuid.dropLast()), false), (uuid + "0", false), ("{\(uuid)}", false),
            (uuid.replacing("-", with: ""), false), (uuid.replacing("a", with: "g"), false),
            (uuid.replacing("a", with: "@"), false), (uuid.replacing("-", with: "0"), false), ("", false),
        ])
    func uuids(text: String, isFine: Bool) throws {
        try BothRoads<UUID>(type: .uuid).expect("\"\(text)\"", isFine ? text.lowercased() : nil)
    }

    @Test("M5 UUIDs that are not strings, or have escapes")
    func otherUUIDs() throws {
        try BothRoads<UUID>(type: .uuid).expect("1", nil)
        try BothRoads<UUID>(type: .uuid).expect("\"\(Self.uuid.replacing("-", with: "\\u002d"))\"", Self.uuid)
        try BothRoads<UUID>(type: .uuid).expect("\"\(Self.uuid.dropLast())\\u0010\"", nil)
    }

    @Test(
        "N4 URLs are kept as written by URL",
        arguments: [
            "https://example.com", "https://example.com/", "HTTP://Example.COM/a/b.html?c=d&e=f#g", "ftp://a.b:21/c",
            "https://example.com/a b", "https://example.com/é", "https://exämple.com/", "mailto:a@b.c",
            "/relative/path",
            "relative", "", "https://", "http://[::1]/", "https://example.com/%41", "https://example.com/%zz",
            "https://user:pass@example.com/", "https://example.com/a#b#c", "file:///a/b", "a:b",
            "https://example.com?x=1",
            "https://example.com/a|b", "https://example.com/<>", "https://1.2.3.4/", "https://-a/", "https://a..b/",
            "://",
            "https://example.com/a?b?c", "https://xn--exmple-cua.com/", "https://example.com./",
        ])
    func urls(text: String) throws {
        let (typed, bulk) = try BothRoads<URL>(type: .url).read("\"\(text)\"")
        #expect(typed == bulk, "\(text)")
    }

    @Test("N4 The URLs accepted by the fast path are those that URL keeps unchanged")
    func plainURLs() {
        var random = SeededRandom(seed: 9)
        let pieces = [
            "a", "b1", "-", ".", "_", "~", "/", "?", "=", "&", "#", "+", ",", ":", "8080", "xn--", "%20", "@", "[", "é",
        ]
        for _ in 0..<20_000 {
            let rest = (0..<Int.random(in: 0...8, using: &random)).map { _ in random.element(of: pieces) }
            var text = random.element(of: ["https://", "http://h", "s3://", "git+ssh://", "//", "x:"]) + rest.joined()
            let isPlain = text.withUTF8 { URLText.isPlain($0) }
            if isPlain { #expect(URL(string: text)?.absoluteString == text, "\(text)") }
        }
    }

    @Test(
        "N4 Bytes from base64",
        arguments: [
            "", "aGVsbG8=", "aGVsbG8", "aGVsbA==", "aGVs", "aGVsbB==", "aGVsbG9=", "a===", "====", "aGVs\\nbG8=",
            "aGVs bG8=",
            "-_-_", "+/+/", "a=Vs", "aG=s", "é", "aGVsbG8==", "QQ==", "QUI=", "QUJD", "QR==",
        ])
    func base64(text: String) throws {
        let (typed, bulk) = try BothRoads<Data>(type: .data).read("\"\(text)\"")
        #expect(typed == bulk, "\(text)")
    }

    @Test("N4 Any bytes are restored from base64, and limited by their number", arguments: 0..<20)
    func bytes(count: Int) throws {
        var random = SeededRandom(seed: UInt64(count))
        let data = Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        try BothRoads<Data>(type: .data).expect("\"\(data.base64EncodedString())\"", data)
        let limited = BothRoads<Data>(type: .data, limits: AttributeLimits(minimumLength: 3, maximumLength: 9))
        try limited.expect("\"\(data.base64EncodedString())\"", (3...9).contains(count) ? data : nil)
    }

    @Test("N5 An unknown enum value is kept")
    func openEnums() throws {
        let moods = BothRoads<Mood>(type: .enumeration(.string))
        try moods.expect("\"happy\"", "happy")
        try moods.expect("\"Elated\"", "Elated")
        try moods.expect("\"\"", "")
        try moods.expect("1", "1")
        let priorities = BothRoads<Priority>(type: .enumeration(.int))
        try priorities.expect("10", 10)
        try priorities.expect("11", 11)
        try priorities.expect("\"11\"", 11)
        try priorities.expect("\"high\"", nil)
    }

    @Test("N5 A closed enum rejects unknown values")
    func closedEnums() throws {
        let states = BothRoads<State>(type: .enumeration(.string, closed: ["D", "L", "X"]))
        try states.expect("\"L\"", "L")
        try states.expect("\"l\"", nil)
        try states.expect("\"\"", nil)
        try states.expect("1", nil)
        #expect(try states.bulk("\"l\"").reason == "is not one of the values that the schema allows")
        #expect(try BothRoads<Int>(type: .enumeration(.int, closed: [0, 10])).bulk("5").value == nil)
        #expect(try BothRoads<Int>(type: .enumeration(.int, closed: [0, 10])).bulk("\"10\"").value == 10.databaseValue)
    }

    @Test("N4 A custom type of the app converts on both paths")
    func customTypes() throws {
        try BothRoads<Money>(type: .custom(Money.self, of: .decimal)).expect("1.50", "1.5")
        try BothRoads<Money>(type: .custom(Money.self, of: .decimal)).expect("\"x\"", nil)
        let words = BothRoads<LowercaseWord>(type: .custom(LowercaseWord.self, of: .string))
        try words.expect("\"Hello\"", "hello")
        try words.expect("7", "7")
        try words.expect("[]", nil)
        let limited = BothRoads<LowercaseWord>(
            type: .custom(LowercaseWord.self, of: .string), limits: AttributeLimits(maximumLength: 3))
        try limited.expect("\"ABC\"", "abc")
        try limited.expect("\"ABCD\"", nil)
        try BothRoads<[LowercaseWord]>(type: .list(of: .custom(LowercaseWord.self, of: .string)))
            .expect("[\"A\", \"b\"]", "[\"a\",\"b\"]")
        try BothRoads<[Money]>(type: .list(of: .custom(Money.self, of: .decimal))).expect(
            "[1.0,\"2\"]", "[\"1\",\"2\"]")
    }
}

/// Keeps words in lowercase, whatever it is given.
struct LowercaseWord: CustomAttribute {
    let stored: String

    init(stored: String) { self.stored = stored.lowercased() }
}
