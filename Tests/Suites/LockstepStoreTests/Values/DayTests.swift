import Foundation
import LockstepStore
import StoreSamples
import TestSupport
import Testing

@Suite("Days")
struct DayTests {
    private static let zones = [
        "Pacific/Auckland", "Pacific/Honolulu", "America/St_Johns", "America/Sao_Paulo", "Asia/Beirut",
        "Asia/Kathmandu", "Pacific/Apia", "Europe/London", "Africa/Casablanca", "America/Scoresbysund", "GMT",
    ]

    private func day(_ text: String) throws -> Day { try #require(Day(text)) }

    private func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }

    @Test("A day is its year, month and day of the Gregorian calendar")
    func parts() throws {
        let day = try #require(Day(year: 2026, month: 11, day: 27))
        #expect(day.year == 2026 && day.month == 11 && day.day == 27 && day.description == "2026-11-27")
        #expect(try self.day("2026-11-27") == day && self.day("0001-01-01").year == 1)
        #expect(Day(year: 2000, month: 2, day: 29) != nil && Day(year: 1900, month: 2, day: 29) == nil)
        #expect(Day(year: 0, month: 1, day: 1) == nil && Day(year: 10_000, month: 1, day: 1) == nil)
        #expect(Day(year: .max, month: .max, day: .max) == nil && Day(year: 2026, month: 4, day: 31) == nil)
    }

    @Test("A text of another form, or of a day that does not exist, is no day")
    func texts() {
        for text in [
            "", "2026", "2026-11", "2026-11-27 ", "2026-11-27T00:00:00Z", "2026-1-27", "2026/11/27", "-026-11-27",
            "0000-01-01", "2026-02-29", "2026-13-01", "2026-00-10", "2026-11-00", "+2026-11-27", "12026-11-27",
            "２０２６-11-27", "2026-11-2\u{301}7", "today", "2026-11-2٧", "2026–11–27", "20261127",
        ] { #expect(Day(text) == nil, "\(text)") }
    }

    @Test("Every day of several centuries is read as it is written, and follows the one before")
    func all() throws {
        var day = try self.day("1599-12-31")
        for _ in 0..<300_000 {
            let next = day.advanced(by: 1)
            #expect(day < next && day.description < next.description && Day(next.description) == next)
            #expect(day.distance(to: next) == 1)
            day = next
        }
        #expect(day.description == "2421-05-15")
    }

    @Test("Days are counted, and end with the years 1 and 9999")
    func counting() throws {
        let (first, last) = (try day("0001-01-01"), try day("9999-12-31"))
        #expect(first.distance(to: last) == 3_652_058 && last.distance(to: first) == -3_652_058)
        #expect(first.advanced(by: 3_652_058) == last && last.advanced(by: 1) == last)
        #expect(first.advanced(by: -1) == first && first.advanced(by: .max) == last && last.advanced(by: .min) == first)
        let christmas = try day("2026-12-24")...day("2026-12-26")
        #expect(christmas.map(\.day) == [24, 25, 26])
    }

    @Test("It is another day in Auckland than in Honolulu at the same moment")
    func moments() throws {
        let (auckland, honolulu) = (try zone("Pacific/Auckland"), try zone("Pacific/Honolulu"))
        let moment = Date(timeIntervalSince1970: 1_795_770_000)  // 2026-11-27 09:00 UTC
        #expect(Day(moment, in: auckland).description == "2026-11-27")
        #expect(Day(moment, in: honolulu).description == "2026-11-26")
        let birthday = try day("2026-11-27")
        #expect(birthday.start(in: honolulu).timeIntervalSince(birthday.start(in: auckland)) == 23 * 3600)
        #expect(Day(moment.addingTimeInterval(-0.000_001), in: .gmt) == Day(moment, in: .gmt))
    }

    @Test("A day starts with its first moment, also if clocks are set at midnight", arguments: zones)
    func starts(name: String) throws {
        let zone = try zone(name)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        var day = try self.day("1969-12-25")
        while day.year < 2031 {
            let start = day.start(in: zone)
            // Samoa had no 30 December 2011.
            if name != "Pacific/Apia" || day.description != "2011-12-30" {
                #expect(Day(start, in: zone) == day, "\(day)")
                #expect(calendar.startOfDay(for: start) == start, "\(day)")
            }
            #expect(Day(start.addingTimeInterval(-1), in: zone) < day, "\(day)")
            day = day.advanced(by: 1)
        }
    }

    @Test("A moment that is far away, or none, is on the first or the last day")
    func extremes() throws {
        for zone in [TimeZone.gmt, try zone("Pacific/Auckland"), try zone("Pacific/Honolulu")] {
            for seconds in [-Double.infinity, -1e300, -1e12, .nan] {
                #expect(Day(Date(timeIntervalSince1970: seconds), in: zone).description == "0001-01-01")
            }
            for seconds in [Double.infinity, 1e300, 1e12] {
                #expect(Day(Date(timeIntervalSince1970: seconds), in: zone).description == "9999-12-31")
            }
            for text in ["0001-01-01", "9999-12-31", "1582-10-10", "1752-09-05"] {
                #expect(Day(try day(text).start(in: zone), in: zone).description == text)
            }
        }
    }

    @Test("A day is encoded as its text, and nothing else is decoded")
    func coding() throws {
        let birthday = try day("2026-11-27")
        let json = try JSONEncoder().encode([birthday])
        #expect(String(decoding: json, as: UTF8.self) == #"["2026-11-27"]"#)
        #expect(try JSONDecoder().decode([Day].self, from: json) == [birthday])
        for text in [#"["27.11.2026"]"#, "[1795737600]", "[null]", #"["2026-11-27T00:00:00Z"]"#] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode([Day].self, from: Data(text.utf8)) }
        }
    }
}

/// Days in a store.
@Suite("Days in a store") @MainActor
struct StoredDayTests {
    private let store: Store

    init() throws {
        store = try Store(AllTypesSchema.self, at: .inMemory)
        var random = SeededRandom(seed: 27)
        for (id, text) in ["2026-11-27", "0099-01-01", "2026-02-28", "9999-12-31"].enumerated() {
            var record = AllTypesRepresentation.random(id: id, using: &random)
            record.day = try #require(Day(text))
            record.optionalDay = id == 0 ? nil : record.day
            AllTypes(representation: record, context: store.mainContext)
        }
        try store.mainContext.save()
    }

    private func ids(_ request: some ModelRequest<AllTypes>) throws -> [Int] {
        try store.mainContext.fetch(request).map(\.id)
    }

    @Test("are found and sorted in the order of the calendar")
    func queries() throws {
        let day = try #require(Day("2026-11-27"))
        #expect(try ids(AllTypes.order(\.day)) == [1, 2, 0, 3])
        #expect(try ids(AllTypes.filter { $0.day == day }) == [0])
        #expect(try ids(AllTypes.filter { $0.day < day }.order(\.day.desc)) == [2, 1])
        #expect(try ids(AllTypes.filter { (day.advanced(by: -300)...day).contains($0.day) }.order(\.id)) == [0, 2])
        #expect(try ids(AllTypes.filter { (day.advanced(by: -300)..<day).contains($0.day) }) == [2])
        #expect(try ids(AllTypes.filter { $0.optionalDay == nil }) == [0])
        #expect(try store.mainContext.minimum(AllTypes.all()) { $0.day }?.year == 99)
        #expect(try store.mainContext.maximum(AllTypes.all()) { $0.optionalDay }?.description == "9999-12-31")
    }
}
