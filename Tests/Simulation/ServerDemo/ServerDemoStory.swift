import Foundation
import LockstepStore
import LockstepSync
import ServerJournal
import ServerTestSupport
import TestSupport

/// Each line is printed after the step that it describes, with the actual state of the stores and the server.
@MainActor
struct ServerDemoStory {
    private let ending: DemoEnding

    init(ending: DemoEnding) { self.ending = ending }

    func tell() async throws {
        let server = try DemoServer(ending: ending)
        say("The server is a PostgreSQL in \(server.folder), with the SQL that is generated from")
        say("\(DemoServer.schemaPath). Each device has an SQLite file.")
        say("")
        var phone = try device("phone", of: .ann, at: server)
        let tablet = try device("tablet", of: .ann, at: server)
        let other = try device("other", of: .ben, at: server)
        try await begin(phone, tablet, other)
        try await editOffline(phone, tablet)
        phone = try await killPhone(phone, server)
        try await killServer(tablet, server)
        try await meet(phone, tablet, server)
        try await compare(phone, tablet, other, server)
    }

    private func begin(_ phone: DemoDevice, _ tablet: DemoDevice, _ other: DemoDevice) async throws {
        try await phone.write("Rain", .sad)
        try await phone.write("Hike", .happy)
        say("phone   Ann writes “Rain” (sad) and “Hike” (happy), and pushes: \(try await phone.sync.push())")
        say("tablet  Ann pulls: \(try await tablet.sync.pull())")
        say("other   Ben pulls: \(try await other.sync.pull())")
    }

    private func editOffline(_ phone: DemoDevice, _ tablet: DemoDevice) async throws {
        say("")
        say("Both devices of Ann are offline.")
        try await phone.edit("Rain") { entry in
            entry.mood = .neutral
            entry.bodyText = "It stopped at nine."
        }
        try await phone.delete("Hike")
        try await phone.write("Bread", .happy)
        say("phone   “Rain” is neutral and gets a text; deletes “Hike”; writes “Bread” (happy)")
        try await tablet.write("Soup", .neutral)
        try await tablet.edit("Rain") { $0.title = "Rain, then sun" }
        say("tablet  writes “Soup” (neutral); “Rain” is called “Rain, then sun”")
        say("")
    }

    /// - Returns: The phone, started again.
    private func killPhone(_ phone: DemoDevice, _ server: DemoServer) async throws -> DemoDevice {
        try phone.store.close()
        let process = try ending.start("workbench", ["server-demo", "phone", server.folder, server.feed.namespace])
        guard process.wasKilled() else { throw DemoFailure.unexpected("the phone ended by itself") }
        let phone = try device("phone", of: .ann, at: server)
        say("phone   pushes, and is killed after the server has applied the changes, before the response arrives")
        say("        the server has \(try server.titles()); pending on the phone: \(try await phone.pendingCount())")
        return phone
    }

    private func killServer(_ tablet: DemoDevice, _ server: DemoServer) async throws {
        try await server.crash(at: "Rain") {
            do { _ = try await tablet.sync.push() } catch let error as SyncError where error.isTransient { return }
            throw DemoFailure.unexpected("the tablet has pushed to a server that was killed")
        }
        say("tablet  pushes, and the server is killed while it applies the changes")
        try server.restart()
        say("server  is started again, and has nothing of this push: \(try server.titles())")
        say("        pending on the tablet: \(try await tablet.pendingCount())")
        say("")
    }

    private func meet(_ phone: DemoDevice, _ tablet: DemoDevice, _ server: DemoServer) async throws {
        let number = try server.lastNumber()
        let pushed = try await phone.sync.push()
        guard try server.lastNumber() == number else {
            throw DemoFailure.unexpected("a change was applied twice")
        }
        say("phone   is started again, and pushes: \(pushed)")
        say("        the server knows these changes, and applies none twice")
        say("tablet  pushes: \(try await tablet.sync.push())")
        try server.rows("UPDATE entry SET mood = 'happy' WHERE title = 'Soup';")
        say("psql    an administrator makes “Soup” happy: UPDATE entry SET mood = …")
        say("phone   pulls: \(try await phone.sync.pull())")
        say("tablet  pulls: \(try await tablet.sync.pull())")
        say("")
    }

    private func compare(
        _ phone: DemoDevice, _ tablet: DemoDevice, _ other: DemoDevice, _ server: DemoServer
    ) async throws {
        _ = try await other.sync.pull()
        let entries = try await phone.entries()
        let differences = Self.differences(
            of: entries,
            from: ["the tablet": try await tablet.entries(), "the server": try server.entries()])
        let foreign = try await other.entries().map { "Ben has Ann's “\($0.title)”" }
        guard differences + foreign == [] else { throw DemoFailure.differences(differences + foreign) }
        say("The phone, the tablet and the server have the same \(entries.count) entries, and Ben has none of them:")
        for entry in entries {
            say("  \(entry.title) (\(entry.mood.rawValue))" + (entry.bodyText.map { ": \($0)" } ?? ""))
        }
    }

    /// The additional, missing and different records in the copies of others, compared with the phone, a line each.
    nonisolated static func differences(
        of entries: [EntryRepresentation], from copies: [String: [EntryRepresentation]]
    ) -> [String] {
        copies.flatMap { holder, copy in
            Set(entries).symmetricDifference(copy).map { "the phone and \(holder) differ in “\($0.title)”" }
        }.sorted()
    }

    private func device(_ name: String, of user: PostgreSQLFeed.User, at server: DemoServer) throws -> DemoDevice {
        try DemoDevice(name, of: user, in: server.folder, client: server.client(of: user))
    }

    /// Writes a line at once, also to a pipe. A summary has a line for each part.
    private func say(_ text: String) {
        let line = text.replacing("\n", with: "; ")
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
