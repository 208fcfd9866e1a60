import Foundation
import Journal
import LockstepStore
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import TestSupport
import Testing

/// A user's phone or tablet: a journal, and the sync that keeps it up to date with Firebase.
@MainActor
private struct Device {
    let store: Store
    let sync: Sync

    init(_ server: FakeFirebase, at location: StoreLocation = .inMemory) throws {
        store = try Store(JournalSchema.self, at: location)
        sync = Sync(
            store: store, remote: FirebaseRemote(server.url, client: URLSessionClient()), clock: ManualClock(),
            random: { 0.5 })
    }

    var context: ManagedObjectContext { store.mainContext }

    func entry(_ id: UUID) throws -> Entry { try #require(try Entry.find(id, in: context)) }

    func values() async throws -> [EntryRepresentation] {
        try await store.representations(Entry.order(\.identifier))
    }

    /// The list: a section for each mood.
    func sections() throws -> [String] {
        try context.sections(Entry.order(\.title), by: \.mood).map { section in
            "\(section.key): " + section.map(\.title).joined(separator: ", ")
        }
    }
}

@Suite("Journal, day 3: two journals and a Firebase database", .unhurried)
@MainActor
struct JournalStory {
    private let monday = UUID(uuidString: "5A4F0C9E-98F1-4C0B-8F0E-3C1D2B1A0F11") ?? UUID()
    private let path = "/entries/5a4f0c9e-98f1-4c0b-8f0e-3c1d2b1a0f11"
    private let morning = Date(timeIntervalSince1970: 1_767_607_200)

    @Test("Entries are put to the server, fetched from it, and deleted from it")
    func partOne() async throws {
        try await withServer(FakeFirebase()) { server in
            let (phone, tablet) = (try Device(server), try Device(server))
            let entry = Entry(identifier: monday, title: "Monday", timestamp: morning, context: phone.context)
            try await phone.context.save()
            try await phone.sync.put(entry)
            let sent = server.newChanges()
            #expect(sent.map(\.request) == ["PUT \(path).json"])
            #expect(sent[0].body?["title"] == "Monday" && sent[0].body?["mood"] == "neutral")
            #expect(sent[0].body?["timestamp"] == "2026-01-05T10:00:00Z")

            #expect(try await tablet.sync.pull(Entry.self).inserted == 1)
            #expect(try await tablet.sync.pull(Entry.self).inserted == 0, "the second launch duplicates nothing")
            #expect(try await tablet.values() == phone.values())

            try await phone.sync.delete(Entry.self, id: monday)
            #expect(server.newChanges().map(\.request) == ["DELETE \(path).json"])
            #expect(server.value(at: "/entries") == .null)
            try await tablet.sync.pull(Entry.self, options: MergeOptions(records: .all))
            #expect(try await tablet.values().isEmpty)
        }
    }

    @Test("A mood changed in the Firebase console moves the entry to another section")
    func partTwo() async throws {
        try await withServer(FakeFirebase()) { server in
            let phone = try Device(server)
            Entry(identifier: monday, title: "Monday", mood: .sad, context: phone.context)
            Entry(title: "Tuesday", mood: .happy, context: phone.context)
            try await phone.context.save()
            try await phone.sync.push()
            let table = phone.store.results(Entry.order(\.title), sectionedBy: \.mood)
            #expect(try phone.sections() == ["sad: Monday", "happy: Tuesday"])

            server.set("happy", at: path + "/mood")
            #expect(try await phone.sync.pull(Entry.self).updated == 1)
            await wait(for: table) { $0.allSatisfy { $0.mood == .happy } }
            #expect(try phone.sections() == ["happy: Monday, Tuesday"])
            #expect(table.sections.map(\.key) == [.happy])
            #expect(try await phone.store.outbox.count() == 0, "what the server says is not sent back")
        }
    }

    @Test("Both write offline, one entry in both: the last write of each field wins, and both devices agree")
    func tunnel() async throws {
        try await withServer(FakeFirebase()) { server in
            let (phone, tablet) = (try Device(server), try Device(server))
            Entry(identifier: monday, title: "Monday", timestamp: morning, context: phone.context)
            try await phone.context.save()
            try await phone.sync.push()
            try await tablet.sync.pull()

            let (onPhone, onTablet) = (try phone.entry(monday), try tablet.entry(monday))
            (onPhone.title, onPhone.mood) = ("Monday, on the phone", .happy)
            (onTablet.title, onTablet.bodyText) = ("Monday, on the tablet", "Rain")
            Entry(title: "Of the tablet", context: tablet.context)
            try await phone.context.save()
            try await tablet.context.save()
            #expect(!onPhone.isSynced && !onTablet.isSynced)
            server.clearLog()

            try await phone.sync.push()
            try await tablet.sync.push()
            try await phone.sync.pull()
            try await tablet.sync.pull()
            #expect(onPhone.isSynced && onTablet.isSynced)
            #expect(try await phone.values() == tablet.values())
            #expect(try await phone.values().count == 2)
            let kept = server.value(at: path)
            #expect(kept["title"] == "Monday, on the tablet")
            #expect(kept["mood"] == "happy", "the tablet has not touched it")
            #expect(kept["bodyText"] == "Rain")
            #expect(server.newChanges().count { $0.request == "PUT \(path).json" } >= 2)
        }
    }

    @Test("Changes on one device appear on the other, even after the app was terminated and launched again")
    func liveStream() async throws {
        try await withTemporaryFolder { folder in
            let file = StoreLocation.file(folder.appendingPathComponent("journal.sqlite"))
            try await withServer(FakeFirebase()) { server in
                let (phone, first) = (try Device(server), try Device(server, at: file))
                try await whileRunning([phone, first]) {
                    Entry(identifier: monday, title: "Monday", timestamp: morning, context: phone.context)
                    try await phone.context.save()
                    await wait(for: first.store.results(Entry.all())) { $0.map(\.title) == ["Monday"] }
                }
                // The app is terminated while offline, with a change that is only stored locally.
                try first.entry(monday).bodyText = "Written before the battery went"
                try await first.context.save()
                try first.store.close()

                let second = try Device(server, at: file)
                #expect(try await second.store.outbox.pending().map(\.kind) == [.update])
                try await whileRunning([phone, second]) {
                    await wait(for: phone.store.results(Entry.all())) { $0.first?.bodyText != nil }
                    try phone.entry(monday).mood = .happy
                    try await phone.context.save()
                    await wait(for: second.store.results(Entry.all())) { $0.first?.mood == .happy }
                }
                #expect(try await second.values() == phone.values())
                #expect(server.value(at: path + "/bodyText") == "Written before the battery went")
                #expect(server.value(at: path + "/mood") == "happy")
            }
        }
    }

    /// Keeps the devices in sync while something happens.
    private func whileRunning(_ devices: [Device], _ body: () async throws -> Void) async throws {
        let tasks = devices.map { device in Task { try await device.sync.run() } }
        for device in devices {
            for await status in device.sync.status {
                if case .upToDate = status { break }
            }
        }
        try await body()
        tasks.forEach { $0.cancel() }
        for task in tasks { try await task.value }
    }
}
