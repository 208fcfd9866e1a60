import Foundation
import GRDB
import KitchenSink
import LockstepEvolution
import LockstepStore
import TestSupport
import Testing

@testable import LockstepJSON

@Suite("N6 JSON and lists in the notation of the store")
struct JSONColumnTests {
    @Test(
        "N6 Any JSON is kept as canonical text",
        arguments: [
            ("{}", "{}"), ("[ ]", "[]"), ("{\"b\": 1, \"a\": 2}", "{\"a\":2,\"b\":1}"), ("\"x\"", "\"x\""),
            ("[1, 2.50, 1e3, -0]", "[1,2.5,1000,0]"), ("[1,2.5,-3,0.001]", "[1,2.5,-3,0.001]"), ("true", "true"),
            ("{\"a\":{\"c\":null,\"b\":[true,false]}}", "{\"a\":{\"b\":[true,false],\"c\":null}}"),
            (#"["\u00e9\n\/"]"#, #"["é\u000a/"]"#),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("{\"a\":1}", "{\"a\":1}"), ("{ \"a\":1}", "{\"a\":1}"), ("{\"a\" :1}", "{\"a\":1}"),
            ("{\"a\": 1}", "{\"a\":1}"),
            ("{\"a\":1 }", "{\"a\":1}"), ("[1 ,2]", "[1,2]"), ("[1,2 ]", "[1,2]"), ("[ 1]", "[1]"), ("1e400", nil),
            ("{\"é\":1,\"z\":2,\"a\":3}", "{\"a\":3,\"z\":2,\"é\":1}"), ("null", "null"), ("[null]", "[null]"),
        ] as [(String, String?)])
    func json(json: String, expected: String?) throws { try BothRoads<JSONValue>(type: .json).expect(json, expected) }

    @Test("N7 The last of duplicate keys counts")
    func duplicateKeys() throws {
        #expect(try BothRoads<JSONValue>(type: .json).bulk("{\"a\":1,\"a\":2}").value == "{\"a\":2}".databaseValue)
    }

    @Test("M12 JSON that is too deep to be read again is rejected")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        let road = BothRoads<JSONValue>(type: .json)
        #expect(try road.bulk(nested(256)).value == nested(256).databaseValue)
        #expect(try road.bulk(nested(257)).value == nil)
        #expect(
            try road.bulk(" [ " + nested(300) + "]").reason
                == "its arrays and objects must not be nested more than 256 levels deep")
    }

    @Test("N6 Lists are kept as JSON text, element by element as on the typed path")
    func lists() throws {
        try BothRoads<[String]>(type: .list(of: .string)).expect("[]", "[]")
        try BothRoads<[String]>(type: .list(of: .string)).expect("[\"a\",\"b\"]", "[\"a\",\"b\"]")
        try BothRoads<[String]>(type: .list(of: .string)).expect("[ \"a\" , \"\\n\" ]", "[\"a\",\"\\u000a\"]")
        try BothRoads<[String]>(type: .list(of: .string)).expect("[\"a\", 1, true]", "[\"a\",\"1\",\"true\"]")
        try BothRoads<[String]>(type: .list(of: .string)).expect("[null]", nil)
        try BothRoads<[String]>(type: .list(of: .string)).expect("\"a\"", nil)
        try BothRoads<[Int]>(type: .list(of: .int)).expect("[1,-2,0]", "[1,-2,0]")
        try BothRoads<[Int]>(type: .list(of: .int)).expect("[1, \"2\",-0,1.0,1e2]", "[1,2,0,1,100]")
        try BothRoads<[Int]>(type: .list(of: .int)).expect("[1,\"2\"]", "[1,2]")
        try BothRoads<[Int]>(type: .list(of: .int)).expect("[1.0]", "[1]")
        try BothRoads<[Bool]>(type: .list(of: .bool)).expect("[true,0,\"1\"]", "[true,false,true]")
        try BothRoads<[Double]>(type: .list(of: .double)).expect("[1,2.5]", "[1.0,2.5]")
        try BothRoads<[Float]>(type: .list(of: .float)).expect("[0.1]", "[\(Double(Float(0.1)))]")
        try BothRoads<[Decimal]>(type: .list(of: .decimal)).expect("[1.50,2]", "[\"1.5\",\"2\"]")
        try BothRoads<[Date]>(type: .list(of: .date)).expect("[\"1970-01-02\"]", "[86400.0]")
        try BothRoads<[Date]>(type: .list(of: .date), format: .pattern("dd.MM.yyyy")).expect(
            "[\"02.01.1970\"]", "[86400.0]")
        try BothRoads<[Data]>(type: .list(of: .data)).expect("[\"aGk=\"]", "[\"aGk=\"]")
        try BothRoads<[Mood]>(type: .list(of: .enumeration(.string))).expect(
            "[\"happy\",\"odd\"]", "[\"happy\",\"odd\"]")
        try BothRoads<[JSONValue]>(type: .list(of: .json)).expect(
            "[1, null, {\"b\":1,\"a\":2}]", "[1,null,{\"a\":2,\"b\":1}]")
        let id = "8c5f2a52-0d1e-4c3b-9a7f-6e5d4c3b2a10"
        try BothRoads<[UUID]>(type: .list(of: .uuid)).expect("[\"\(id.uppercased())\"]", "[\"\(id)\"]")
    }

    @Test("M12 Lists are limited by the number of their elements")
    func listLimits() throws {
        let road = BothRoads<[Int]>(type: .list(of: .int), limits: AttributeLimits(minimumLength: 1, maximumLength: 2))
        try road.expect("[]", nil)
        try road.expect("[1,2]", "[1,2]")
        try road.expect("[1,2,3]", nil)
    }
}
