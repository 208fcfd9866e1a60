import Foundation
import LockstepStore

extension Entry {
    /// The beginning of the identifier, for users to read and enter.
    var shortID: String { String(identifier.uuidString.lowercased().prefix(8)) }

    /// `5a4f0c9e  2026-01-05 09:30:00  Monday`, followed by the text.
    var lines: String {
        let format = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .current)
            .year().month().day().time(includingFractionalSeconds: false)
        let head = "  \(shortID)  \(timestamp.formatted(format))  \(title)"
        guard let bodyText else { return head }
        return head + "\n            " + bodyText
    }
}

extension [ResultsSection<Mood, Entry>] {
    /// A list by mood, as `journal list` prints it.
    var text: String {
        if isEmpty { return "No entries." }
        return map { section in ([section.key.rawValue] + section.map(\.lines)).joined(separator: "\n") }
            .joined(separator: "\n")
    }
}
