import Contests

/// JSON that grows at its end, and the random texts, dates and numbers that samples are made of.
struct JSONText {
    private(set) var bytes: [UInt8] = []

    /// Words enough that no two slices of them are the same for long.
    private static let words: [UInt8] = {
        let words = [
            "rain", "garden", "late", "letter", "walk", "harbour", "and", "the", "quiet", "coffee", "of", "train",
            "window", "before", "morning", "a", "friend", "lake", "yellow", "book",
        ]
        var random = SplitMix64(state: 3)
        var text = ""
        while text.utf8.count < 8_192 { text += words[random.next(below: words.count)] + " " }
        return Array(text.utf8)
    }()

    mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

    mutating func removeFirst(_ count: Int) { bytes.removeFirst(count) }

    mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ number: Int) {
        var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
        withUnsafeMutableBytes(of: &digits) { digits in
            var place = digits.count
            var rest = number
            repeat {
                place -= 1
                digits[place] = UInt8(48 + rest % 10)
                rest /= 10
            } while rest > 0
            bytes.append(contentsOf: digits[place...])
        }
    }

    /// Two digits.
    private mutating func appendPair(_ number: Int) {
        bytes.append(UInt8(48 + number / 10))
        bytes.append(UInt8(48 + number % 10))
    }

    /// Words without quotes.
    mutating func appendWords(_ length: Int, _ random: inout SplitMix64) {
        let start = random.next(below: Self.words.count - length)
        bytes.append(contentsOf: Self.words[start..<start + length])
    }

    /// Words; one text in ten has a letter that is no ASCII, one in twenty has escapes.
    mutating func appendText(_ length: Int, _ random: inout SplitMix64) {
        append("\"")
        appendWords(length, &random)
        switch random.next(below: 20) {
        case 0: append(#" \"so\"\n"#)
        case 1, 2: append("caf\u{E9}")
        default: break
        }
        append("\"")
    }

    /// A UUID in lower case, with quotes.
    mutating func appendUUID(_ random: inout SplitMix64) {
        append("\"")
        var number = random.next()
        for place in 0..<32 {
            if place == 16 { number = random.next() }
            if place == 8 || place == 12 || place == 16 || place == 20 { append("-") }
            let digit = UInt8(truncatingIfNeeded: number & 15)
            bytes.append(digit < 10 ? 48 + digit : 87 + digit)
            number >>= 4
        }
        append("\"")
    }

    /// A second of 2023 or 2024, as servers write it.
    mutating func appendDate(_ random: inout SplitMix64) {
        append(random.next(below: 2) == 0 ? "\"2023-" : "\"2024-")
        appendPair(1 + random.next(below: 12))
        append("-")
        appendPair(1 + random.next(below: 28))
        append("T")
        appendPair(random.next(below: 24))
        append(":")
        appendPair(random.next(below: 60))
        append(":")
        appendPair(random.next(below: 60))
        append("Z\"")
    }
}
