import Contests
import Foundation

/// What a server might send, the same bytes in every run.
enum Payloads {
    /// Which articles differ from the first payload: those whose place is a multiple of `every`, by a title of their
    /// own for each `edition`.
    struct Change {
        let every: Int
        let edition: Int
    }

    /// - Parameter numbered: whether a number is the identity, instead of a UUID.
    static func articles(_ count: Int, every step: Int = 1, numbered: Bool = false, change: Change? = nil) -> Data {
        array(count) { place, json in
            article(place * step, numbered: numbered, change: change, &json)
        }
    }

    /// About 280 bytes.
    static func article(_ place: Int, numbered: Bool, change: Change?, _ json: inout JSONText) {
        var random = SplitMix64(state: UInt64(place) &* 0x5851_F42D_4C95_7F2D)
        if numbered {
            json.append("{\"id\":")
            json.append(place * 3 + 7)
        } else {
            json.append("{\"identifier\":")
            json.appendUUID(&random)
        }
        json.append(",\"title\":\"")
        if let change, place.isMultiple(of: change.every) {
            json.append("Edition ")
            json.append(change.edition)
            json.append(": ")
        }
        json.appendWords(20 + random.next(below: 11), &random)
        json.append("\",\"body_text\":")
        json.appendText(51 + random.next(below: 31), &random)
        json.append(",\"mood\":")
        json.append([#""sad""#, #""neutral""#, #""happy""#][random.next(below: 3)])
        json.append(",\"created_at\":")
        json.appendDate(&random)
        json.append(",\"word_count\":")
        json.append(random.next(below: 3_000))
        json.append(",\"temperature\":")
        json.append(random.next(below: 40))
        json.append(".")
        json.append(1 + random.next(below: 9))
        json.append(random.next(below: 2) == 0 ? ",\"is_favourite\":true}" : ",\"is_favourite\":false}")
    }

    /// Each with one of 1,000 authors embedded and with up to five of 200 tags.
    static func posts(_ count: Int) -> Data {
        array(count) { place, json in
            var random = SplitMix64(state: UInt64(place) &* 0x5851_F42D_4C95_7F2D)
            json.append("{\"id\":")
            json.append(place + 1)
            json.append(",\"title\":")
            json.appendText(20 + random.next(below: 11), &random)
            json.append(",\"body_text\":")
            json.appendText(60 + random.next(below: 60), &random)
            json.append(",\"created_at\":")
            json.appendDate(&random)
            let author = 1 + random.next(below: 1_000)
            json.append(",\"author\":{\"id\":")
            json.append(author)
            json.append(",\"name\":\"Author number ")
            json.append(author)
            json.append("\"},\"tag_ids\":[")
            // Far enough from each other that none comes twice.
            let first = 1 + random.next(below: 40)
            for tag in 0..<random.next(below: 6) {
                if tag > 0 { json.append(",") }
                json.append(first + tag * 40)
            }
            json.append("]}")
        }
    }

    static let sheetsPerProject = 4
    static let componentsPerSheet = 10

    /// Each with four sheets of ten components.
    static func projects(_ count: Int) -> Data {
        array(count) { place, json in
            var random = SplitMix64(state: UInt64(place) &* 0x5851_F42D_4C95_7F2D)
            json.append("{\"id\":")
            json.append(place + 1)
            json.append(",\"name\":")
            json.appendText(20, &random)
            json.append(place.isMultiple(of: 2) ? ",\"client\":null" : ",\"client\":\"Harbour & Lake\"")
            json.append(",\"sheets\":[")
            for sheet in 0..<sheetsPerProject {
                if sheet > 0 { json.append(",") }
                self.sheet(place * sheetsPerProject + sheet, &json, &random)
            }
            json.append("]}")
        }
    }

    private static func sheet(_ place: Int, _ json: inout JSONText, _ random: inout SplitMix64) {
        json.append("{\"id\":")
        json.append(place + 1)
        json.append(",\"name\":")
        json.appendText(16, &random)
        json.append(",\"status\":\"incomplete\",\"components\":[")
        for component in 0..<componentsPerSheet {
            if component > 0 { json.append(",") }
            json.append("{\"id\":")
            json.append(place * componentsPerSheet + component + 1)
            json.append(",\"name\":")
            json.appendText(12 + random.next(below: 12), &random)
            json.append(random.next(below: 3) == 0 ? ",\"manufacturer\":null" : ",\"manufacturer\":\"Lovelace & Co.\"")
            json.append(",\"part_number\":\"LX-")
            json.append(random.next(below: 1_000_000))
            json.append("\",\"quantity\":")
            json.append(random.next(below: 50))
            json.append("}")
        }
        json.append("]}")
    }

    private static func array(_ count: Int, _ record: (Int, inout JSONText) -> Void) -> Data {
        var json = JSONText()
        json.reserve(count * 300)
        json.append("[")
        for place in 0..<count {
            if place > 0 { json.append(",") }
            record(place, &json)
        }
        json.append("]")
        return Data(json.bytes)
    }
}

/// An array of articles in pieces of 64 kB, each made when it is asked for.
struct ArticlePieces: AsyncSequence, Sendable {
    static let pieceSize = 65_536
    let count: Int

    func makeAsyncIterator() -> Iterator { Iterator(count: count) }

    struct Iterator: AsyncIteratorProtocol {
        let count: Int
        private var place = 0
        private var isOver = false
        private var json = JSONText()

        init(count: Int) { self.count = count }

        mutating func next() async -> Data? {
            if isOver { return nil }
            while json.bytes.count < ArticlePieces.pieceSize {
                json.append(place == 0 ? "[" : ",")
                Payloads.article(place, numbered: false, change: nil, &json)
                place += 1
                guard place == count else { continue }
                json.append("]")
                isOver = true
                return Data(json.bytes)
            }
            let piece = Data(json.bytes[..<ArticlePieces.pieceSize])
            json.removeFirst(ArticlePieces.pieceSize)
            return piece
        }
    }
}
