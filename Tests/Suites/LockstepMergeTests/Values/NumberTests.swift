import Foundation
import GRDB
import LockstepEvolution
import LockstepStore
import TestSupport
import Testing

@testable import LockstepJSON
@testable import LockstepMerge
@testable import LockstepMergeEngine

@Suite("N4 Numbers")
struct NumberTests {
    @Test("N4 Integers are exact to 64 bits and never overflow")
    func wholeNumbers() throws {
        let road = BothRoads<Int64>(type: .int64)
        try road.expect("0", 0)
        try road.expect("-0", 0)
        try road.expect("9223372036854775807", Int64.max)
        try road.expect("-9223372036854775808", Int64.min)
        try road.expect("9223372036854775808", nil)
        try road.expect("-9223372036854775809", nil)
        try road.expect("18446744073709551616", nil)
        try road.expect("1e400", nil)
        try road.expect("1.0", 1)
        try road.expect("1e3", 1000)
        try road.expect("1.5e1", 15)
        try road.expect("1200e-2", 12)
        try road.expect("1.5", nil)
        try road.expect("7561853282146665.79", nil)
        try road.expect("true", nil)
        try road.expect("null", nil)
        try road.expect("[1]", nil)
        try road.expect("{\"a\": 1}", nil)
    }

    @Test(
        "N4 `int` has the range of the device: 32 bits on some watches, otherwise 64",
        arguments: [StoredType.int, .enumeration(.int)])
    func rangeOfInt(type: StoredType) {
        #expect(ColumnReader.wholeRange(of: type, intBits: 32) == Int64(Int32.min)...Int64(Int32.max))
        #expect(ColumnReader.wholeRange(of: type, intBits: 64) == Int64.min...Int64.max)
        #expect(ColumnReader.wholeRange(of: .int64, intBits: 32) == Int64.min...Int64.max)
    }

    @Test("N4 Small types reject values that are out of range")
    func smallTypes() throws {
        try BothRoads<Int16>(type: .int16).expect("32767", 32767)
        try BothRoads<Int16>(type: .int16).expect("32768", nil)
        try BothRoads<Int16>(type: .int16).expect("\"-32769\"", nil)
        try BothRoads<Int32>(type: .int32).expect("-2147483648", -2_147_483_648)
        try BothRoads<Int32>(type: .int32).expect("2147483648", nil)
        try BothRoads<Int32>(type: .int32).expect("4294967296", nil)
    }

    @Test("N4 A numeric string is a number if the schema requires one; nothing else is guessed")
    func numericTexts() throws {
        let road = BothRoads<Int>(type: .int)
        try road.expect("\"7\"", 7)
        try road.expect("\"+7\"", 7)
        try road.expect("\"007\"", 7)
        try road.expect("\"1.0\"", 1)
        try road.expect("\"1e3\"", 1000)
        try road.expect("\"9223372036854775808\"", nil)
        for text in ["", " 7", "7 ", "0x10", "1_000", "1,5", "NaN", "seven", "1.", ".5", "1e", "+", "-", "1e+", "--1"] {
            try road.expect("\"\(text)\"", nil)
        }
        try road.expect("\"\\u0037\"", 7)
    }

    @Test(
        "N4 0 and 1 are Bools",
        arguments: [
            ("true", 1), ("false", 0), ("1", 1), ("0", 0), ("1.0", 1), ("\"true\"", 1), ("\"1\"", 1), ("\"false\"", 0),
            ("\"0\"", 0), ("2", nil), ("-1", nil), ("0.5", nil), ("\"yes\"", nil), ("\"TRUE\"", nil), ("\"\"", nil),
            ("null", nil), ("[]", nil), ("{}", nil),
        ] as [(String, Int?)])
    func bools(json: String, expected: Int?) throws { try BothRoads<Bool>(type: .bool).expect(json, expected) }

    @Test(
        "N4 Decimals are read from their digits",
        arguments: [
            ("0", "0"), ("-0", "0"), ("0.0", "0"), ("0e5", "0"), ("1", "1"), ("1.0", "1"), ("1.10", "1.1"),
            ("-12.50e3", "-12500"), ("1e20", "100000000000000000000"), ("1E-5", "0.00001"), ("100", "100"),
            ("0.1", "0.1"), ("19.99", "19.99"), ("-0.5", "-0.5"), ("123.456e1", "1234.56"),
            ("123.456e-5", "0.00123456"),
            ("12345678901234567890.123456789", "12345678901234567890.123456789"),
            ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
            ("\"1.50\"", "1.5"), ("\"+1\"", "1"), ("\"007.10\"", "7.1"), ("\"1e2\"", "100"), ("\"\"", nil),
            ("\"a\"", nil), ("\"1,5\"", nil), ("\"0.9234567890123456789012345678901234567891\"", nil), ("true", nil),
            ("1e400", nil), ("\"1e400\"", nil), ("[]", nil),
        ] as [(String, String?)])
    func decimals(json: String, expected: String?) throws {
        try BothRoads<Decimal>(type: .decimal).expect(json, expected)
    }

    @Test("N4 A decimal written as it is stored is not copied")
    func noCopies() throws {
        for json in ["19.99", "-0.5", "100", "12345678901234567890.123456789"] {
            var bytes = Array(json.utf8)
            try bytes.withUnsafeMutableBufferPointer { buffer in
                var scanner = JSONScanner(UnsafeBufferPointer(buffer))
                var problem: ValueProblem?
                let reader = ColumnReader(
                    ColumnDescription("value", content: .attribute("value"), type: .decimal))
                let cell = try reader.read(&scanner, in: TextArena(), problem: &problem)
                #expect(cell.bytes.baseAddress.map { UnsafePointer($0) } == UnsafePointer(buffer.baseAddress))
            }
        }
    }

    @Test("N4 Doubles are the nearest to their digits")
    func doubles() throws {
        let road = BothRoads<Double>(type: .double)
        for text in [
            "0", "1", "-1.5", "0.1", "1e22", "1e23", "123456789012345678", "9007199254740993", "52.520006599999997",
            "1.7976931348623157e308", "2.2250738585072014e-308", "4.9406564584124654e-324", "0.30000000000000004",
            "3.141592653589793238462643383279", "6.0221409e+23", "1e-19", "18446744073709551615", "0.5e-3",
        ] { try road.expect(text, Double(text)) }
        try road.expect("\"1.25\"", 1.25)
        try road.expect("1e309", nil)
        try road.expect("\"1e309\"", nil)
        try road.expect("\"nan\"", nil)
        try road.expect("\"infinity\"", nil)
        try road.expect("\"0x1p3\"", nil)
        try road.expect("true", nil)
    }

    @Test("N4 Floats are rounded once, and rejected if they are out of range")
    func floats() throws {
        let road = BothRoads<Float>(type: .float)
        for text in ["0", "0.1", "-1.5", "16777217", "3.4028235e38", "1.17549435e-38", "0.33333334", "1e10"] {
            try road.expect(text, Float(text).map { Double($0) })
        }
        try road.expect("\"0.1\"", Double(Float(0.1)))
        try road.expect("1e39", nil)
    }

    @Test("N4 Any digits result in the same Double as Swift's own parser", arguments: [UInt64](1...4))
    func randomDoubles(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<20_000 {
            let digits = (0..<Int.random(in: 1...21, using: &random)).map { _ in
                String(Int.random(in: 0...9, using: &random))
            }
            var text = digits.joined()
            if Bool.random(using: &random) {
                text.insert(
                    ".", at: text.index(text.startIndex, offsetBy: Int.random(in: 1...digits.count, using: &random)))
                if text.hasSuffix(".") { text += "5" }
            }
            if Bool.random(using: &random) { text += "e\(Int.random(in: -40...40, using: &random))" }
            if Bool.random(using: &random) { text = "-" + text }
            var bytes = Array(text.utf8)
            let (double, float) = bytes.withUnsafeMutableBufferPointer {
                let number = NumberDigits(UnsafeBufferPointer($0))
                return (number?.double(), number?.float)
            }
            #expect(double == Double(text), "\(text)")
            #expect(float == Float(text), "\(text)")
        }
    }

    @Test("M12 Numbers are compared with their limits, decimals by all their digits")
    func limits() throws {
        let limits = AttributeLimits(minimum: "0.5", maximum: "10")
        for (json, isFine) in [
            ("0.5", true), ("0.49999999999999999999999", false), ("10.00", true), ("10.000000001", false),
        ] {
            let (typed, bulk) = try BothRoads<Decimal>(type: .decimal, limits: limits).read(json)
            #expect((typed != nil, bulk != nil) == (isFine, isFine), "\(json)")
        }
        try BothRoads<Int>(type: .int, limits: limits).expect("0", nil)
        try BothRoads<Int>(type: .int, limits: limits).expect("10", 10)
        try BothRoads<Double>(type: .double, limits: limits).expect("10.5", nil)
        #expect(try BothRoads<Int>(type: .int, limits: limits).bulk("11").reason == "it must be at most 10")
    }

    @Test(
        "M12 A problem has a reason",
        arguments: [
            (StoredType.int, "1.5", "is not a whole number that fits into 64 bits"),
            (.int16, "40000", "is out of the range of 16 bits"),
            (.int32, "4000000000", "is out of the range of 32 bits"),
            (.bool, "2", "is neither true nor false"), (.double, "\"x\"", "is not a number"),
            (.float, "1e39", "is not a number that fits into 32 bits"), (.date, "\"today\"", "is not a date"),
            (.decimal, "\"x\"", "is not a number with at most 38 significant digits"),
            (.uuid, "\"x\"", "is not a UUID"),
            (.data, "\"x\"", "is not base64"), (.url, "\"\"", "is not a URL"), (.string, "[]", "is not a string"),
            (.list(of: .int), "[1,1.5]", "is not a whole number that fits into 64 bits"),
            (.list(of: .int), "{}", "is not a list"),
        ])
    func reasons(type: StoredType, json: String, reason: String) throws {
        #expect(try BothRoads<Int>(type: type).bulk(json).reason == reason)
    }
}
