import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import Testing

@testable import ImportedModels

/// `t.date "born_on"` of a Rails schema is imported as `bornOn: day?`, as other tests check.
@MainActor
@Suite("A birthday in Auckland and in Honolulu")
struct BirthdayStory {
    /// A device with a calendar, whose screens have dates in its time zone.
    private struct Device {
        let calendar: Foundation.Calendar
        let store: Store
        let sync: Sync

        init(in timeZone: String, _ server: FakeRails) throws {
            var calendar = Foundation.Calendar(identifier: .gregorian)
            calendar.timeZone = try #require(TimeZone(identifier: timeZone))
            self.calendar = calendar
            store = try Store(LoungesSchema.self, at: .inMemory)
            sync = Sync(
                store: store, remote: RESTRemote(server.url, client: server.client),
                retries: RetrySchedule(attemptsPerPush: 1))
        }

        @MainActor func patron() throws -> Patron { try #require(try store.mainContext.fetch(Patron.all()).first) }

        /// The birthday as a screen shows it, and as a date picker gets it.
        @MainActor func shown() throws -> DateComponents {
            let start = try #require(try patron().bornOn).start(in: calendar.timeZone)
            return calendar.dateComponents([.year, .month, .day, .hour], from: start)
        }

        /// Somebody picks a moment of a day in a date picker.
        @MainActor func pick(day: Int, hour: Int) throws {
            let picked = calendar.date(from: DateComponents(year: 2026, month: 11, day: day, hour: hour))
            let patron = try patron()
            patron.bornOn = Day(try #require(picked), in: calendar.timeZone)
            try store.mainContext.save()
        }
    }

    @Test("It is the same day on both, in their stores and on the server, whoever edits it, at any time of the day")
    func sameDay() async throws {
        let server = FakeRails(RailsRules(wrapKeys: ["/patrons": "patron"]))
        server.set(["id": 1, "name": "Ada", "email": "ada@example.com", "born_on": "2026-11-27"], in: "/patrons")
        let devices = try ["Pacific/Auckland", "Pacific/Honolulu"].map { try Device(in: $0, server) }
        for device in devices { try await device.sync.pull(Patron.self) }
        for (editor, reader) in [(devices[0], devices[1]), (devices[1], devices[0])] {
            for (day, hour) in [(28, 0), (29, 12), (30, 23)] {
                try editor.pick(day: day, hour: hour)
                try await editor.sync.push()
                #expect(server.record("1", of: "/patrons")?["born_on"] == .string("2026-11-\(day)"))
                try await reader.sync.pull(Patron.self)
                for device in devices {
                    #expect(try device.shown() == DateComponents(year: 2026, month: 11, day: day, hour: 0))
                    let birthday = try #require(Day(year: 2026, month: 11, day: day))
                    #expect(try device.store.mainContext.count(Patron.filter { $0.bornOn == birthday }) == 1)
                }
            }
        }
        // A date that is read in UTC: in Honolulu, it is the day before.
        let midnight = try #require(Day("2026-11-27")).start(in: .gmt)
        #expect(Day(midnight, in: devices[1].calendar.timeZone).description == "2026-11-26")
    }

    @Test("A server that sends a midnight gets the day back, and its record does not change")
    func midnight() async throws {
        let server = FakeRails(RailsRules(wrapKeys: ["/patrons": "patron"]))
        server.set(
            ["id": 1, "name": "Ada", "email": "ada@example.com", "born_on": "2026-11-27T00:00:00.000Z"], in: "/patrons")
        let device = try Device(in: "Pacific/Honolulu", server)
        try await device.sync.pull(Patron.self)
        #expect(try device.shown() == DateComponents(year: 2026, month: 11, day: 27, hour: 0))
        try device.patron().name = "Ada King"
        try await device.store.mainContext.save()
        try await device.sync.push()
        #expect(server.record("1", of: "/patrons")?["name"] == "Ada King")
        #expect(server.record("1", of: "/patrons")?["born_on"] == "2026-11-27T00:00:00.000Z")
    }
}
