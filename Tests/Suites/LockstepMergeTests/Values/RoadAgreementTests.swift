import Foundation
import GRDB
import KitchenSink
import LockstepEvolution
import LockstepStore
import SampleTypes
import TestSupport
import Testing

@testable import LockstepJSON
@testable import LockstepMerge
@testable import LockstepSync

/// Any JSON, valid or not, means the same on both paths.
///
/// The tokens exclude values for which `JSONDecoder` itself, or the type it decodes, differs; for these the bulk path
/// uses the digits:
/// - Decimals with more than 38 significant digits, which `JSONDecoder` rounds and the bulk path rejects.
/// - Reals so near to zero that none but zero is nearest (`1e-400`), which `JSONDecoder` rejects as numbers and
///   `WireSource` accepts as text; the bulk path accepts both.
/// - Objects with duplicate keys, of which `JSONDecoder` uses the first, and texts that are not UTF-8.
@Suite("N4 N6 Both paths agree on any value")
struct RoadAgreementTests {
    @Test("N4 N6 on numbers and Bools", arguments: [UInt64](1...3))
    func numbers(seed: UInt64) throws {
        try agree(BothRoads<Int>(type: .int), seed)
        try agree(BothRoads<Int16>(type: .int16, limits: AttributeLimits(minimum: "-5", maximum: "1000")), seed)
        try agree(BothRoads<Int32>(type: .int32), seed)
        try agree(BothRoads<Int64>(type: .int64), seed)
        try agree(BothRoads<Bool>(type: .bool), seed)
        try agree(BothRoads<Float>(type: .float), seed)
        try agree(BothRoads<Double>(type: .double, limits: AttributeLimits(maximum: "100.5")), seed)
        try agree(BothRoads<Decimal>(type: .decimal), seed)
        try agree(BothRoads<Decimal>(type: .decimal, limits: AttributeLimits(minimum: "0.5", maximum: "1000")), seed)
        try agree(BothRoads<Priority>(type: .enumeration(.int)), seed)
        try agree(BothRoads<Money>(type: .custom(Money.self, of: .decimal)), seed)
    }

    @Test("N4 N6 on dates", arguments: [UInt64](1...3))
    func dates(seed: UInt64) throws {
        try agree(BothRoads<Date>(type: .date), seed)
        try agree(BothRoads<Date>(type: .date, format: .secondsSince1970), seed)
        try agree(BothRoads<Date>(type: .date, format: .millisecondsSince1970), seed)
        try agree(BothRoads<Date>(type: .date, format: .pattern("yyyy-MM-dd HH:mm:ss Z")), seed)
        try agree(BothRoads<Day>(type: .day), seed)
        try agree(BothRoads<[Day]>(type: .list(of: .day)), seed)
        try agree(BothRoads<[Date]>(type: .list(of: .date), format: .pattern("yyyy-MM-dd")), seed)
    }

    @Test("N4 N6 on texts", arguments: [UInt64](1...3))
    func texts(seed: UInt64) throws {
        try agree(BothRoads<String>(type: .string, limits: AttributeLimits(maximumLength: 6)), seed)
        try agree(BothRoads<UUID>(type: .uuid), seed)
        try agree(BothRoads<URL>(type: .url), seed)
        try agree(BothRoads<Data>(type: .data), seed)
        try agree(BothRoads<Mood>(type: .enumeration(.string)), seed)
        try agree(BothRoads<State>(type: .enumeration(.string, closed: ["D", "L", "X"])), seed)
        try agree(BothRoads<LowercaseWord>(type: .custom(LowercaseWord.self, of: .string)), seed)
    }

    @Test("N4 N6 on JSON and lists", arguments: [UInt64](1...3))
    func json(seed: UInt64) throws {
        try agree(BothRoads<JSONValue>(type: .json), seed)
        try agree(BothRoads<[JSONValue]>(type: .list(of: .json)), seed)
        try agree(BothRoads<[String]>(type: .list(of: .string)), seed)
        try agree(BothRoads<[Int]>(type: .list(of: .int)), seed)
        try agree(BothRoads<[Decimal]>(type: .list(of: .decimal)), seed)
        try agree(BothRoads<[Bool]>(type: .list(of: .bool)), seed)
        try agree(BothRoads<[Double]>(type: .list(of: .double)), seed)
    }

    private func agree<Value: AttributeValue>(
        _ road: BothRoads<Value>, _ seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var tokens = JSONTokens(random: SeededRandom(seed: seed))
        for _ in 0..<300 {
            let json = tokens.value(depth: 0)
            let (typed, bulk) = try road.read(json)
            #expect(typed == bulk, "\(road.type): \(json)", sourceLocation: sourceLocation)
        }
    }
}

/// Generates JSON: often what some type requires, often nearly so.
private struct JSONTokens {
    var random: SeededRandom

    mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 2 ? 8 : 11), using: &random) {
        case 0: return random.element(of: ["true", "false", "null", "0", "1", "\"true\"", "\"0\"", "\"1\""])
        case 1, 2: return number()
        case 3: return "\"\(number())\""
        case 4: return "\"\(date())\""
        case 5, 6: return "\"\(text())\""
        case 7: return random.element(of: Self.special)
        case 8, 9:
            let elements = (0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth + 1) }
            return "[\(space())\(elements.joined(separator: "\(space()),\(space())"))\(space())]"
        default:
            let keys = ["a", "b", "c", "A", "é", "", "a b"].shuffled(using: &random).prefix(
                Int.random(in: 0...4, using: &random))
            let members = keys.map { "\"\($0)\"\(space()):\(space())\(value(depth: depth + 1))" }
            return "{\(members.joined(separator: ","))}"
        }
    }

    private static let special = [
        "\"8c5f2a52-0d1e-4c3b-9a7f-6e5d4c3b2a10\"", "\"8C5F2A52-0D1E-4C3B-9A7F-6E5D4C3B2A10\"",
        "\"8C5F2A52-0D1E-4C3B-9A7F-6E5D4C3B2A1\"", "\"https://example.com/a?b=c#d\"", "\"http://a b\"", "\"aGVsbG8=\"",
        "\"aGVsbG8\"", "\"happy\"", "\"D\"", "\"L\"", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "\"9223372036854775808\"", "32767", "32768", "-32769", "2147483648", "1e3", "1.0", "-0",
        "-0.0", "0.1", "16777217", "1e38", "4e38", "1.7976931348623157e308", "0.5", "0.49999999999999", "1000",
        "1000.001",
        "100.5", "100.50001", "1709281800", "1709281800123", "99999999999", "100000000000", "1e11",
        "123456789012.345678",
    ]

    private mutating func space() -> String {
        random.element(of: ["", "", "", " ", "\\n"]).replacing("\\n", with: "\n")
    }

    private mutating func number() -> String {
        var text = String(Int.random(in: 0...random.element(of: [9, 100, 100_000, 1 << 40, .max]), using: &random))
        if random.isOne(in: 2) {
            text +=
                "."
                + (0..<Int.random(in: 1...8, using: &random)).map { _ in String(Int.random(in: 0...9, using: &random)) }
                .joined()
        }
        if random.isOne(in: 4) {
            text +=
                random.element(of: ["e", "E"]) + random.element(of: ["", "+", "-"])
                + String(Int.random(in: 0...12, using: &random))
        }
        return (random.isOne(in: 3) ? "-" : "") + text
    }

    private mutating func date() -> String {
        var text = Array(
            random.element(of: [
                "2024-03-01T08:30:00Z", "2024-02-29", "2023-02-29", "1969-12-31T23:59:59.999999Z",
                "2024-03-01 08:30:00 +0200",
                "2024-03-01T08:30:00.123+02:00", "2024-03-01 08:30:00", "1500-01-01", "+12345-01-01",
                "2024-12-31T24:00:00Z", "2026-11-27T00:00:00Z", "2026-11-27 00:00",
            ]))
        if random.isOne(in: 3) {
            text[Int.random(in: text.indices, using: &random)] = random.element(of: Array("0123456789-+:TZ. "))
        }
        return String(text)
    }

    private mutating func text() -> String {
        let pieces = [
            "a", "B", "é", "e\u{301}", "😀", "\\n", "\\\"", "\\\\", "\\u00e9", "\\ud83d\\ude00", "\\/", " ", "7", "-",
            "\u{7F}", "\\u0001",
        ]
        return (0..<Int.random(in: 0...7, using: &random)).map { _ in random.element(of: pieces) }.joined()
    }
}
