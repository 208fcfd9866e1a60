import Foundation
import GRDB
import LockstepEvolution
import LockstepStore
import TestSupport
import Testing

@testable import LockstepMerge
@testable import LockstepMergeEngine

@Suite("N3 Dates")
struct DateReadingTests {
    /// 2024-03-01T08:30:00Z
    private static let morning = 1_709_281_800.0

    @Test(
        "N3 ISO 8601 in all its notations",
        arguments: [
            ("2024-03-01T08:30:00Z", morning), ("2024-03-01t08:30:00z", morning), ("2024-03-01 08:30:00Z", morning),
            ("2024-03-01T08:30:00", morning), ("2024-03-01 08:30:00", morning), ("2024-03-01T08:30Z", morning),
            ("2024-03-01T10:30:00+02:00", morning), ("2024-03-01T10:30:00+0200", morning),
            ("2024-03-01T10:30:00+02", morning), ("2024-03-01 10:30:00 +0200", morning),
            ("2024-03-01T08:30:00.5Z", morning + 0.5), ("2024-03-01T08:30:00,5Z", morning + 0.5),
            ("2024-03-01T08:30:00.123456Z", morning + 0.123456), ("2024-03-01T08:30:00.1234567Z", morning + 0.123457),
            ("2024-03-01", 1_709_251_200), ("1969-12-31T23:59:59Z", -1), ("0001-01-01", -62_135_596_800),
            ("2024-02-30", nil), ("2024-13-01", nil), ("24-03-01", nil), ("2024-03-01T25:00:00Z", nil), ("today", nil),
            ("", nil), ("2024-03-01T08:30:00Zx", nil), ("2024-03-01T08:30:00.Z", nil), ("2024-3-1", nil),
        ] as [(String, Double?)])
    func iso8601(text: String, seconds: Double?) throws {
        try BothRoads<Date>(type: .date).expect("\"\(text)\"", seconds)
    }

    @Test(
        "N3 A day is the one that is written, also as a midnight of any time zone, and nothing else",
        arguments: [
            ("2026-11-27", true), ("2026-11-27T00:00:00Z", true), ("2026-11-27T00:00:00.000Z", true),
            ("2026-11-27T00:00:00+13:00", true), ("2026-11-27T00:00:00-1000", true), ("2026-11-27 00:00:00", true),
            ("2026-11-27T00:00", true), ("2026-11-27t00:00:00,000000z", true), ("2026-11-27 00:00:00 +0000", true),
            ("2026-11-27T11:00:00.000Z", false), ("2026-11-27T00:00:00.001Z", false), ("2026-11-27T00:00:01Z", false),
            ("2026-11-27T24:00:00Z", false), ("2026-11-26T23:59:60Z", false), ("2026-11-27T", false),
            ("2026-11-27T00", false), ("2026-11-27Z", false), ("2026-11-27+13:00", false), ("2026-11-27 ", false),
            ("2026-11-27T00:00:00Zx", false), ("2026-11-27T00:00:00+99:00", false), ("2026-11-27T::", false),
            ("2026-02-29", false), ("2026-02-29T00:00:00Z", false), ("0000-11-27", false), ("-2026-11-27", false),
            ("+02026-11-27", false), ("12026-11-27", false), ("26-11-27", false), ("11/27/2026", false), ("", false),
            ("1795737600", false), ("today", false), ("２０２６-11-27", false),
        ])
    func days(text: String, isDay: Bool) throws {
        try BothRoads<Day>(type: .day).expect("\"\(text)\"", isDay ? "2026-11-27" : nil)
        let list = isDay ? #"["2026-11-27","2026-11-27"]"# : nil
        try BothRoads<[Day]>(type: .list(of: .day)).expect("[\"\(text)\", \"2026-11-27\"]", list)
    }

    @Test("N3 A day is no number, and its text may have escapes")
    func otherDays() throws {
        for json in ["1795737600", "1795737600000", "20261127", "true", "null", "[]", "{}"] {
            try BothRoads<Day>(type: .day).expect(json, nil)
        }
        try BothRoads<Day>(type: .day).expect(#""2026\u002d11-27""#, "2026-11-27")
        #expect(try BothRoads<Day>(type: .day).bulk(#""2026-11-27T11:00:00.000Z""#).reason == "is not a day")
    }

    @Test("N3 A number without a unit is read as seconds, or as milliseconds if that is more likely")
    func numbers() throws {
        let road = BothRoads<Date>(type: .date)
        for json in ["1709281800", "1709281800000", "\"1709281800\"", "\"1709281800000\"", "1.7092818e9"] {
            try road.expect(json, Self.morning)
        }
        try road.expect("1709281800.5", Self.morning + 0.5)
        try road.expect("1709281800123.4567", Self.morning + 0.123457)
        try road.expect("99999999999", 99_999_999_999.0)
        try road.expect("100000000000", 100_000_000.0)
        try road.expect("-100000000000", -100_000_000.0)
        try road.expect("0", 0.0)
        for json in ["true", "null", "[]", "{}", "\"NaN\""] { try road.expect(json, nil) }
    }

    @Test("N3 Seconds and milliseconds since 1970 as number or digits")
    func sinceEpoch() throws {
        let seconds = BothRoads<Date>(type: .date, format: .secondsSince1970)
        let milliseconds = BothRoads<Date>(type: .date, format: .millisecondsSince1970)
        try seconds.expect("\"1709281800.25\"", Self.morning + 0.25)
        try milliseconds.expect("1709281800", 1_709_281.8)
        try milliseconds.expect("\"1709281800001\"", Self.morning + 0.001)
        try milliseconds.expect("1709281800000.5", Self.morning + 0.0005)
        try seconds.expect("\"2024-03-01T08:30:00Z\"", Self.morning)
    }

    @Test("P4 R10 Dates that are the same in the format of the column are the same as what was sent")
    func sameInJSON() {
        func isSame(_ format: DateFormat, _ left: Double, _ right: Double) -> Bool {
            let wire = WireDescription(path: ["at"], format: .date(format))
            return ColumnDescription("at", content: .attribute("at"), type: .date, wire: wire)
                .isSameInJSON(left.databaseValue, right.databaseValue)
        }
        let column = ColumnDescription("at", content: .attribute("at"), type: .date)
        #expect(column.isSameInJSON(.null, .null) && !column.isSameInJSON(.null, 0.0.databaseValue))
        #expect(isSame(.secondsSince1970, 10.6, 11))
        #expect(!isSame(.secondsSince1970, 10.4, 11))
        #expect(isSame(.millisecondsSince1970, 10.0004, 10))
        #expect(!isSame(.fractionalSecondsSince1970, 10.6, 11))
        #expect(!isSame(.microsecondsSince1970, 10.000_001, 10))
        #expect(!isSame(.iso8601, 10.6, 11) && isSame(.iso8601, 11, 11))
        #expect(isSame(.pattern("yyyy-MM-dd"), 86_400, 86_500))
        #expect(!isSame(.pattern("yyyy-MM-dd"), 86_400, 86_399))
    }

    @Test("N3 A number is a date in the unit of the schema, or invalid", arguments: Seeds.some(20, of: UInt64(0)...999))
    func units(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let units: [(DateFormat, Double)] = [
            (.secondsSince1970, 1), (.millisecondsSince1970, 1_000), (.microsecondsSince1970, 1_000_000),
        ]
        let (format, scale) = units[Int.random(in: 0...2, using: &random)]
        let largest = (0..<Int.random(in: 1...17, using: &random)).reduce(1) { number, _ in number * 10 }
        let number = Int.random(in: -largest...largest, using: &random)
        let seconds = Double(number) / scale
        let isDate = (-62_167_219_200..<253_402_300_800).contains(seconds)
        let text = random.isOne(in: 2) ? "\(number)" : "\"\(number)\""
        try BothRoads<Date>(type: .date, format: format).expect(
            text, isDate ? Date(timeIntervalSince1970: seconds).storedValue : nil)
    }

    @Test("N3 A date outside of the years 0 to 9999 is invalid: its unit is another one")
    func farAway() throws {
        let seconds = BothRoads<Date>(type: .date, format: .secondsSince1970)
        let milliseconds = BothRoads<Date>(type: .date, format: .millisecondsSince1970)
        let microseconds = BothRoads<Date>(type: .date, format: .microsecondsSince1970)
        try seconds.expect("1709281800000", nil)
        try seconds.expect("253402300799", 253_402_300_799.0)
        try seconds.expect("253402300800", nil)
        try seconds.expect("-62167219201", nil)
        try milliseconds.expect("1441888808000000", nil)
        try milliseconds.expect("\"1441888808000000\"", nil)
        try BothRoads<Date>(type: .date).expect("1441888808000000", nil)
        try microseconds.expect("1441888808123456", 1_441_888_808.123456)
        try microseconds.expect("\"1441888808123456\"", 1_441_888_808.123456)
        try microseconds.expect("1441888808123456.2", 1_441_888_808.123456)
        try microseconds.expect("253402300800000000", nil)
        try BothRoads<Date>(type: .date).expect("1e60", nil)
        #expect(try milliseconds.bulk("1441888808000000").reason == "is not a date")
    }

    @Test(
        "N3 The schema's own pattern",
        arguments: [
            ("yyyy-MM-dd HH:mm:ss Z", "2024-03-01 10:30:00 +0200", morning),
            ("yyyy-MM-dd", "2024-03-01", 1_709_251_200), ("yyyyMMdd", "20240301", 1_709_251_200),
            ("dd.MM.yyyy HH:mm", "01.03.2024 08:30", morning),
            ("yyyy-MM-dd'T'HH:mm:ssZ", "2024-03-01T08:30:00+0000", morning),
            ("yyyy-MM-dd'T'HH:mm:ssXXX", "2024-03-01T10:30:00+02:00", morning),
            ("yyyy-MM-dd'T'HH:mm:ssXXX", "2024-03-01T08:30:00Z", morning),
            ("yyyy-MM-dd'T'HH:mm:ss.SSSZ", "2024-03-01T08:30:00.250+0000", morning + 0.25),
            ("EEE, dd MMM yyyy HH:mm:ss Z", "Fri, 01 Mar 2024 08:30:00 +0000", morning),
            ("MMM d, yyyy", "Mar 1, 2024", 1_709_251_200), ("dd.MM.yyyy", "2024-03-01T08:30:00Z", morning),
            ("dd.MM.yyyy", "1709281800", morning), ("yyyy-MM-dd HH:mm:ss", "2024-03-01 08:30:61", nil),
            ("yyyy-MM-dd", "tomorrow", nil),
        ] as [(String, String, Double?)])
    func patterns(pattern: String, text: String, seconds: Double?) throws {
        try BothRoads<Date>(type: .date, format: .pattern(pattern)).expect("\"\(text)\"", seconds)
    }

    private static let fastPatterns = [
        "yyyy-MM-dd HH:mm:ss Z", "yyyy-MM-dd", "yyyyMMdd", "yyyyMMddHHmmss", "yyyy-MM-dd'T'HH:mm:ssZ",
        "yyyy-MM-dd'T'HH:mm:ssZZZZZ", "yyyy-MM-dd'T'HH:mm:ssXXX", "yyyy-MM-dd'T'HH:mm:ssXX",
        "yyyy-MM-dd'T'HH:mm:ss.SSSxxx", "yyyy-MM-dd'T'HH:mm:ss.SSSxx", "dd/MM/yyyy HH:mm", "HH:mm:ss dd.MM.yyyy",
        "yyyy'year'MM'month'dd", "MM-dd-yyyy HH:mm:ss",
    ]

    @Test("N3 A pattern read from bytes results in the same date as DateFormatter", arguments: fastPatterns)
    func sameAsDateFormatter(pattern: String) throws {
        let reading = try #require(DatePattern(pattern), "\(pattern) is not read by its bytes")
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = pattern
        var random = SeededRandom(seed: 3)
        var (readCount, cases) = (0, 600)
        while cases > 0 {
            cases -= 1
            let minutes = Int.random(in: -14 * 60...14 * 60, using: &random)
            formatter.timeZone = TimeZone(secondsFromGMT: random.isOne(in: 2) ? 0 : minutes * 60)
            let seconds = Double(Int.random(in: -12_000_000_000_000...32_000_000_000_000, using: &random)) / 1000
            var text = Array(formatter.string(from: Date(timeIntervalSince1970: seconds)).utf8)
            // Some are invalid on purpose.
            if random.isOne(in: 3) {
                let replacement = random.element(of: Array("0123456789 -+:TZ.9".utf8))
                text[Int.random(in: text.indices, using: &random)] = replacement
            }
            guard let date = text.withUnsafeBufferPointer(reading.date) else { continue }
            readCount += 1
            let spelt = String(decoding: text, as: UTF8.self)
            #expect(PatternFormatters.date(from: spelt, pattern: pattern) == date, "\(pattern): \(spelt)")
        }
        #expect(readCount > 250)
    }

    @Test("N3 Patterns with names, single digits or two-digit years are read by DateFormatter")
    func otherPatterns() {
        for pattern in [
            "yy-MM-dd", "EEE, dd MMM yyyy", "d.M.yyyy", "HH:mm", "yyyy-MM", "yyyy-MM-dd hh:mm a", "''yyyyMMdd", "yyyy'",
        ] {
            #expect(DatePattern(pattern) == nil, "\(pattern)")
        }
    }
}
