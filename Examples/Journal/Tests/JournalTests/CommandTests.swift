import Foundation
import Testing

/// What a user does with one journal.
@Suite struct CommandTests {
    let shell: Shell

    init() throws { shell = try Shell() }

    @Test func entriesAreListedByMood() throws {
        try shell.journal("add", "Rain", "--mood", "sad")
        try shell.journal("add", "Hike", "--mood", "happy", "--text", "To the lake.")
        try shell.journal("add", "Sun", "--mood", "happy")

        let list = try shell.journal("list").output
        #expect(list.words(at: 3) == ["Sun", "Hike", "Rain"])
        #expect(list.lines.filter { !$0.hasPrefix(" ") } == ["happy", "sad"])
        #expect(list.contains("\n            To the lake.\n"))

        #expect(try shell.journal("list", "--mood", "sad").output.words(at: 3) == ["Rain"])
        #expect(try shell.journal("list", "--mood", "neutral").output == "No entries.\n")
    }

    @Test func anEntryIsChangedAndDeletedByTheBeginningOfItsID() throws {
        let id = try shell.add("Rain")
        try shell.journal("edit", String(id.prefix(7)), "--title", "Snow", "--mood", "happy", "--text", "At last.")
        let changed = try shell.journal("list").output
        #expect(changed.lines.first == "happy")
        #expect(changed.words(at: 3) == ["Snow"])
        #expect(changed.contains("At last."))

        try shell.journal("edit", id.uppercased(), "--text", "")
        #expect(try !shell.journal("list").output.contains("At last."))

        #expect(try shell.journal("delete", id).status == 0)
        #expect(try shell.journal("list").output == "No entries.\n")
    }

    @Test func journalsAreKeptApartByTheirFiles() throws {
        try shell.journal("add", "Here", "--journal", "here.sqlite")
        #expect(try shell.journal("list", "--journal", "there.sqlite").output == "No entries.\n")
        #expect(try shell.journal("list", "--journal", "here.sqlite").output.words(at: 3) == ["Here"])
    }

    @Test func whatWaitsForTheServerIsShown() throws {
        #expect(try shell.journal("pending").output == "Nothing is pending.\n")
        let id = try shell.add("Rain")
        #expect(try shell.journal("pending").output == "  \(id)  create\n")
        try shell.journal("delete", id)
        #expect(try shell.journal("pending").output == "Nothing is pending.\n")
    }

    @Test(arguments: [
        (["add", "Rain", "--mood", "angry"], 64, "one of 'sad', 'neutral' or 'happy'"),
        (["add", ""], 1, "its length must be at least 1"),
        (["edit", "0000", "--title", "Snow"], 1, "There is no entry '0000'."),
        (["delete", ""], 1, "There is no entry ''."),
        (["edit", "0000"], 64, "--title, --mood or --text"),
        (["list", "--server", "http://127.0.0.1:1"], 64, "--server requires --live"),
        (["list", "--journal", "nowhere/journal.sqlite"], 1, "its folder does not exist"),
        (["sync", "--server", "nonsense"], 64, "'nonsense' is not an address"),
        (["sync", "--server", "http://example.com"], 1, "Use https"),
        (["serve", "--port", "0", "--data", "nowhere/server.json"], 1, "'nowhere/server.json' cannot be written"),
    ])
    func whatCannotBeDoneIsRefused(arguments: [String], status: Int32, message: String) throws {
        try shell.journal("add", "Rain")
        let result = try shell.journal(arguments)
        #expect(result.status == status)
        #expect(result.errors.contains(message))
        #expect(try shell.journal("list").output.words(at: 3) == ["Rain"])
    }

    @Test func anIDThatSeveralEntriesHaveIsRefused() throws {
        // Of 17 ids, two begin with the same digit.
        let ids = try (1...17).map { try shell.add("Entry \($0)") }
        let digits = Dictionary(grouping: ids, by: { $0.prefix(1) })
        let (digit, several) = try #require(digits.first { $0.value.count > 1 })
        let result = try shell.journal("delete", String(digit))
        #expect(result.status == 1)
        #expect(result.errors.contains("\(several.count) entries begin with '\(digit)'."))
        #expect(try shell.journal("list").output.words(at: 0).count == 17 + 1)
    }
}

extension Shell {
    /// Adds an entry and returns its id.
    func add(_ title: String, _ options: String...) throws -> String {
        let output = try journal(["add", title] + options).output
        return String(try #require(output.split(whereSeparator: { " .\n".contains($0) }).last))
    }
}

extension String {
    var lines: [String] { split(separator: "\n").map(String.init) }

    /// The word at this index of each line that is long enough.
    func words(at place: Int) -> [String] {
        lines.compactMap { line in
            let words = line.split(separator: " ")
            return words.indices.contains(place) && !line.hasPrefix("      ") ? String(words[place]) : nil
        }
    }
}
