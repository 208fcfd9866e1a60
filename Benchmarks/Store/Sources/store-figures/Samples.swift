import Contests
import Foundation
import Synchronization

/// Entries of realistic length, the same in every run.
enum Samples {
    static let authors: [UUID] = {
        var random = SplitMix64(state: 1)
        return (0..<1_000).map { _ in uuid(&random) }
    }()

    static func entries(_ count: Int) -> [CodableEntry] {
        var random = SplitMix64(state: 2)
        return (0..<count).map { _ in entry(&random) }
    }

    /// A title of 20 to 30 bytes and a text of 100 to 140; half have a place, nine of ten an author.
    private static func entry(_ random: inout SplitMix64) -> CodableEntry {
        let moods: [CodableEntry.Mood] = [.sad, .neutral, .happy]
        return CodableEntry(
            identifier: uuid(&random),
            title: text(20 + Int(random.next() % 11), &random),
            bodyText: text(100 + Int(random.next() % 41), &random),
            mood: moods[Int(random.next() % 3)],
            timestamp: Date(
                timeIntervalSince1970: Double(1_700_000_000_000_000 + random.next() % 31_536_000_000_000) / 1e6),
            wordCount: Int(random.next() % 1_000),
            temperature: Double(random.next() % 400) / 10,
            place: random.next() % 2 == 0 ? text(8 + Int(random.next() % 16), &random) : nil,
            authorID: random.next() % 10 == 0 ? nil : authors[Int(random.next() % 1_000)])
    }

    private static let words = [
        "rain", "garden", "late", "letter", "walk", "harbour", "and", "the", "quiet", "coffee", "of", "train", "window",
        "before", "morning", "a", "friend", "lake", "yellow", "book",
    ]

    private static func text(_ length: Int, _ random: inout SplitMix64) -> String {
        var text = ""
        while text.utf8.count < length { text += words[Int(random.next() % UInt64(words.count))] + " " }
        return String(text.prefix(length))
    }

    private static func uuid(_ random: inout SplitMix64) -> UUID {
        var bytes = UUID().uuid
        withUnsafeMutableBytes(of: &bytes) {
            $0.storeBytes(of: random.next(), as: UInt64.self)
            $0.storeBytes(of: random.next(), toByteOffset: 8, as: UInt64.self)
        }
        return UUID(uuid: bytes)
    }
}

/// Titles, another one each time, so that no change is the value that is there.
enum Titles {
    private static let count = Mutex(0)

    static func next() -> String {
        count.withLock { count in
            count += 1
            return "a title of some length, \(count)"
        }
    }
}
