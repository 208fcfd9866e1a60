import Testing

@testable import LockstepSchema

@Suite("A history that is not as it was written")
struct HistoryReaderTests {
    private static func findings(_ text: String) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        let source = SchemaSource(path: "Journal.history.yaml", bytes: Array(text.utf8))
        let history = readHistory(source, diagnostics: &diagnostics)
        #expect((history == nil) == !diagnostics.isEmpty)
        return diagnostics
    }

    private static func edited(_ text: String, _ new: String) throws -> [String] {
        let history = try Samples.history().yaml
        try #require(history.contains(text))
        return findings(history.replacing(text, with: new)).map {
            "\($0.location.start.line):\($0.location.start.column) \($0.code.rawValue): \($0.message)"
        }
    }

    private static let prefix = "history-edited: The history is not as it was written: "

    @Test("An edited value is found by the hash of its version")
    func hash() throws {
        #expect(
            try Self.edited("id: { type: int }\n          mood", "id: { type: int64 }\n          mood") == [
                "8:9 \(Self.prefix)version 1.is: its changes result in another structure than when it was written"
            ])
        #expect(
            try Self.edited("        to: text", "        to: words") == [
                "41:17 \(Self.prefix)version 3.Entry.text: it is changed, but does not exist"
            ])
    }

    @Test("A removed line, and one that there should not be")
    func lines() throws {
        #expect(
            try Self.edited("    name: text\n", "    title: text\n") == [
                "33:12 \(Self.prefix)versions.3.title: there is no such key"
            ])
        #expect(
            try Self.edited("        to: text\n", "") == ["36:9 \(Self.prefix)version 3.change 1.to: it is missing"])
        #expect(try Self.edited("history: 1\n", "") == ["3:1 \(Self.prefix)history: it is missing"])
        #expect(
            try Self.edited("history: 1\n", "history: 2\n") == [
                "3:10 \(Self.prefix)history: format 2 is newer than this version of lockstep"
            ])
    }

    @Test("Two versions of one number, and a head that is not the last version, are forks")
    func forks() throws {
        #expect(
            try Self.edited("  - version: 3", "  - version: 2") == [
                "32:14 history-forked: There are two versions 2: two branches have continued the history"
            ])
        let head = try Self.edited("head: 3", "head: 4")
        #expect(head.count == 1 && head[0].hasPrefix("5:7 history-forked: The head is not the last version: "))
    }

    @Test("The conflicts of a merge are a fork, too")
    func conflicts() throws {
        #expect(
            try Self.edited("  - version: 3", "<<<<<<< HEAD\n  - version: 3") == [
                "32:1 history-forked: The history has the conflicts of a merge"
            ])
    }

    @Test("A file that is not YAML, is empty or repeats a key has the diagnostic of that")
    func syntax() throws {
        #expect(Self.findings("").map(\.code.rawValue) == ["empty-file"])
        #expect(try Self.edited("schema: Journal", "schema: [").count == 1)
        #expect(try Self.edited("schema: Journal", "schema: Journal\nschema: Other").count == 1)
        #expect(Self.findings("- 1\n").map(\.code.rawValue) == ["history-edited"])
    }
}
