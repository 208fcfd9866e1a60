import Foundation
import Testing

/// Two journals and a server, each in its own process.
@Suite struct SyncCommandTests {
    let shell: Shell

    init() throws { shell = try Shell() }

    @Test func twoJournalsMeetOverAServerThatComesAndGoes() throws {
        let (server, address) = try serve()
        let id = try shell.add("Rain", "--journal", "phone.sqlite")
        #expect(try sync("phone", address).output.hasPrefix("pushed: 1 created\n"))
        #expect(try sync("tablet", address).output.hasSuffix("pulled: Entry: 1 inserted\n"))
        server.end()

        try shell.journal("edit", id, "--text", "It stopped.", "--journal", "phone.sqlite")
        try shell.journal("edit", id, "--title", "Sun", "--journal", "tablet.sqlite")
        _ = try shell.add("Bread", "--journal", "tablet.sqlite")
        let failed = try sync("tablet", address)
        #expect(failed.status == 2)
        #expect(failed.errors.contains("All changes are kept; pending: 2."))
        #expect(try shell.journal("pending", "--journal", "tablet.sqlite").output.lines.count == 2)

        let (again, newAddress) = try serve()
        for journal in ["phone", "tablet", "phone"] { #expect(try sync(journal, newAddress).status == 0) }
        let list = try shell.journal("list", "--journal", "phone.sqlite").output
        #expect(list.words(at: 3) == ["Bread", "Sun"])
        #expect(list.contains("It stopped."))
        #expect(try shell.journal("list", "--journal", "tablet.sqlite").output == list)

        try shell.journal("delete", id, "--journal", "tablet.sqlite")
        for journal in ["tablet", "phone"] { try sync(journal, newAddress) }
        #expect(try shell.journal("list", "--journal", "phone.sqlite").output.words(at: 3) == ["Bread"])
        again.end()
    }

    @Test func aListFollowsOtherCommandsAndOtherDevices() throws {
        let (server, address) = try serve()
        let list = try shell.start("list", "--live", "--server", address, "--journal", "phone.sqlite")
        try list.wait(for: "No entries.\n\n")

        _ = try shell.add("Rain", "--mood", "sad", "--journal", "phone.sqlite")
        #expect(try list.wait(for: "Rain\n\n").hasPrefix("sad\n"))

        _ = try shell.add("Hike", "--mood", "happy", "--journal", "tablet.sqlite")
        try sync("tablet", address)
        #expect(try list.wait(for: "Hike\n").contains("happy\n"))
        list.end()
        server.end()
    }

    @Test func aPortThatIsTakenIsSaidAtOnce() throws {
        let (server, address) = try serve()
        let port = try #require(URL(string: address)?.port)
        let result = try shell.journal("serve", "--port", "\(port)")
        #expect(result.status == 1)
        #expect(result.errors.contains("Port \(port) is in use"))
        server.end()
    }

    /// Starts a server on a free port, with the entries of the previous one.
    private func serve() throws -> (RunningCommand, address: String) {
        let server = try shell.start("serve", "--port", "0")
        let line = try server.wait(for: "Press Ctrl-C to stop it.\n")
        return (server, String(try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/)).output))
    }

    @discardableResult
    private func sync(_ journal: String, _ address: String) throws -> Shell.Result {
        try shell.journal("sync", "--server", address, "--journal", "\(journal).sqlite")
    }
}
