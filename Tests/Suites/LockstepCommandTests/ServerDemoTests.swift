import Foundation
import ServerJournal
import ServerTestSupport
import TestSupport
import Testing

@testable import workbench

/// The demo of `make server-demo`.
@Suite("The server demo", .serialized, .enabled(if: PostgreSQLServer.isWanted))
struct ServerDemoTests {
    @Test("ends with the same journal everywhere, although a device and the server were killed")
    func story() throws {
        let demo = try ChildProcess("workbench", ["server-demo"])
        let lines = demo.lines()
        #expect(demo.finish())
        let told = lines.joined(separator: "\n")
        #expect(told.contains("the server has “Bread”, “Rain”; pending on the phone: 3\n"), "\(told)")
        #expect(told.contains("has nothing of this push: “Bread”, “Rain”\n"), "\(told)")
        #expect(told.contains("pending on the tablet: 2\n"), "\(told)")
        #expect(told.contains("have the same 3 entries, and Ben has none of them:\n"), "\(told)")
        #expect(
            lines.suffix(3).sorted() == [
                "  Bread (happy)", "  Rain, then sun (neutral): It stopped at nine.", "  Soup (happy)",
            ])
        try expectNothingIsLeft(of: lines)
    }

    @Test("leaves no process and no folder behind if it is interrupted", arguments: [1, 4, 9, 12])
    func interruption(line: Int) throws {
        let demo = try ChildProcess("workbench", ["server-demo"])
        let lines = try (1...line).map { _ in try #require(demo.line()) }
        demo.interrupt()
        _ = demo.lines()
        #expect(!demo.finish())
        try expectNothingIsLeft(of: lines)
    }

    @Test("fails if a journal differs, and says in what")
    func differences() {
        let rain = EntryRepresentation(
            id: UUID(), author: UUID(), title: "Rain", mood: .sad, timestamp: .distantPast)
        var sun = rain
        sun.mood = .happy
        func differences(_ copy: EntryRepresentation...) -> [String] {
            ServerDemoStory.differences(of: [rain], from: ["the server": copy])
        }
        #expect(differences(rain) == [])
        #expect(differences() == ["the phone and the server differ in “Rain”"])
        #expect(differences(sun).count == 2)
    }

    /// Expects that the folder is removed, and that no process uses it.
    private func expectNothingIsLeft(of lines: [String]) throws {
        let folder = try #require(lines.joined(separator: "\n").firstMatch(of: /\/tmp\/lockstep-pg-[0-9A-F-]+/)).output
        #expect(!FileManager.default.fileExists(atPath: String(folder)))
        let processes = try runProcess(
            URL(fileURLWithPath: "/bin/ps"), ["-A", "-o", "args"], in: FileManager.default.temporaryDirectory)
        #expect(!processes.output.contains(folder), "\(processes.output)")
    }
}
