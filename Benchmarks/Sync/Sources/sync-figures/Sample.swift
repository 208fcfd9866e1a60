import Contests
import Foundation
import GRDB

/// An article of about 280 bytes as JSON, the same in every run.
struct Sample {
    let identifier: String
    let title: String
    let bodyText: String
    let mood: String
    let createdAt: Int
    let wordCount: Int
    let temperature: Double
    let isFavourite: Bool

    private static let words = Array(
        "rain garden late letter walk harbour and the quiet coffee of train window before morning a friend lake yellow book"
            .split(separator: " ").map(String.init))

    /// The article at a place; never two of one identity.
    init(_ place: Int) {
        var random = SplitMix64(state: UInt64(place) &* 0x5851_F42D_4C95_7F2D)
        let (high, low) = (random.next(), random.next())
        var bytes = [UInt8](repeating: 0, count: 16)
        for index in 0..<8 {
            bytes[index] = UInt8(truncatingIfNeeded: high >> (index * 8))
            bytes[8 + index] = UInt8(truncatingIfNeeded: low >> (index * 8))
        }
        identifier = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString.lowercased() }
        title = Self.text(4, &random)
        bodyText = Self.text(12, &random)
        mood = ["sad", "neutral", "happy"][random.next(below: 3)]
        createdAt = 1_672_531_200 + random.next(below: 63_072_000)
        wordCount = random.next(below: 3_000)
        temperature = Double(random.next(below: 400)) / 10
        isFavourite = random.next(below: 2) == 0
    }

    private static func text(_ count: Int, _ random: inout SplitMix64) -> String {
        (0..<count).map { _ in words[random.next(below: words.count)] }.joined(separator: " ")
    }

    /// As a table keeps it.
    var values: StatementArguments {
        [identifier, title, bodyText, mood, Double(createdAt), wordCount, temperature, isFavourite]
    }

    static let columns = "identifier, title, body_text, mood, created_at, word_count, temperature, is_favourite"

    static func json(_ count: Int) -> Data {
        let dates = ISO8601DateFormatter()
        var text = "["
        for place in 0..<count {
            let sample = Sample(place)
            if place > 0 { text += "," }
            text += """
                {"identifier":"\(sample.identifier)","title":"\(sample.title)","body_text":"\(sample.bodyText)",\
                "mood":"\(sample.mood)","created_at":"\(dates.string(from: Date(timeIntervalSince1970: Double(sample.createdAt))))",\
                "word_count":\(sample.wordCount),"temperature":\(sample.temperature),"is_favourite":\(sample.isFavourite)}
                """
        }
        return Data((text + "]").utf8)
    }
}
