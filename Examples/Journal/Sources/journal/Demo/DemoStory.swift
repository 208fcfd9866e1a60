import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting

/// Two devices that are edited while the server is not available, and have the same journal when it is back.
///
/// Each line is printed after the step that it describes, with the actual state of the stores and the server.
@MainActor
struct DemoStory {
    private let folder: URL
    private let say: (String) -> Void

    init(folder: URL, say: @escaping (String) -> Void = { print($0) }) {
        self.folder = folder
        self.say = say
    }

    func tell() async throws {
        let server = try await FakeFirebase.start()
        let phone = try Device("phone", in: folder, server: server.url)
        let tablet = try Device("tablet", in: folder, server: server.url)
        say("A phone and a tablet share a journal. Each has it in a SQLite file. The server is \(server.url).")
        say("")
        try await begin(phone, tablet)

        await server.stop()
        say("The server stops. Both devices continue to work.")
        try editOffline(phone, tablet)
        try await restart(phone, server)

        try await meet(phone, tablet)
        try await compare(phone, tablet, server)
        await server.stop()
    }

    private func begin(_ phone: Device, _ tablet: Device) async throws {
        try phone.write("Rain", .sad, at: time(9, 00))
        try phone.write("Hike", .happy, at: time(9, 01))
        say("phone   writes “Rain” (sad) and “Hike” (happy), and syncs: \(try await phone.sync.exchange().pushed)")
        say("tablet  syncs: \(try await tablet.sync.exchange().pulled)")
    }

    private func editOffline(_ phone: Device, _ tablet: Device) throws {
        try phone.edit("Rain", at: time(9, 30)) { entry in
            entry.mood = .neutral
            entry.bodyText = "It stopped at nine."
        }
        try phone.delete("Hike")
        try phone.write("Bread", .happy, at: time(9, 31))
        say("phone   9:30: “Rain” is neutral and gets a text; deletes “Hike”; writes “Bread” (happy)")
        try tablet.edit("Rain", at: time(9, 45)) { entry in
            entry.mood = .happy
            entry.title = "Rain, then sun"
        }
        try tablet.edit("Hike", at: time(9, 46)) { $0.bodyText = "To the lake and back." }
        say("tablet  9:45: “Rain” is happy and called “Rain, then sun”; “Hike” gets a text")
    }

    private func restart(_ phone: Device, _ server: FakeFirebase) async throws {
        do {
            _ = try await phone.sync.exchange()
        } catch let error as SyncError where error.isTransient {
            say("phone   fails to sync: \(error.reason); \(try await phone.store.outbox.count()) changes are pending")
        }
        try phone.restart()
        try await server.listen()
        let count = try await phone.store.outbox.count()
        say("phone   is restarted: \(count) changes are still pending. The server is back.")
    }

    private func meet(_ phone: Device, _ tablet: Device) async throws {
        say("phone   syncs: \(try await phone.sync.exchange().pushed)")
        say("tablet  syncs: \(try await tablet.sync.exchange().pushed)")
        let rain = try tablet.entry("Rain, then sun")
        say("        conflict: both changed the mood of “Rain”; the newer edit, at 9:45, wins: \(rain.mood.rawValue)")
        say("        no conflict: its title is the tablet's, its text the phone's: “\(rain.bodyText ?? "")”")
        _ = try tablet.entry("Hike")
        say("        “Hike” was deleted on the phone and edited on the tablet: the edit wins, and it is created again")
        say("phone   syncs: \(try await phone.sync.exchange().pulled)")
    }

    /// Compares the journals, entry by entry and value by value.
    ///
    /// - Throws: ``JournalError`` if they differ.
    private func compare(_ phone: Device, _ tablet: Device, _ server: FakeFirebase) async throws {
        let ours = JournalCopy(holder: "the phone", entries: try await phone.entries())
        let others = [
            JournalCopy(holder: "the tablet", entries: try await tablet.entries()),
            JournalCopy(holder: "the server", entries: try entries(of: server)),
        ]
        let differences = others.flatMap(ours.differences)
        guard differences.isEmpty else { throw JournalError.journalsDiffer(differences) }
        say("")
        say("The phone, the tablet and the server have the same \(ours.entries.count) entries:")
        let context = phone.store.mainContext
        say(try context.sections(Entry.order(\.timestamp.desc), by: \.mood, sectionOrder: Mood.isBetter).text)
    }

    private func entries(of server: FakeFirebase) throws -> [EntryRepresentation] {
        try server.records(of: "/entries").map { record in
            try JSONDecoder().decode(EntryRepresentation.self, from: JSONEncoder().encode(record))
        }
    }

    /// A time on the day of the demo.
    private func time(_ hour: Int, _ minute: Int) -> Date {
        let day = DateComponents(calendar: .current, year: 2026, month: 1, day: 5, hour: hour, minute: minute)
        return day.date ?? .distantPast
    }
}
