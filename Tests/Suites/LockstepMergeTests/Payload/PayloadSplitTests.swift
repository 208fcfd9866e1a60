import Testing
import TestSupport

@testable import LockstepJSON
@testable import LockstepMerge

@Suite("Payloads in pieces")
struct PayloadSplitTests {
    /// Payloads with every token that a piece can end inside of; some are not JSON.
    static let payloads: [(String, PayloadShape)] = [
        (
            "\u{FEFF}[{\"id\": 1, \"t\": \"a\\\"b\\\\\"}, {\"id\": -2.5e+10}, true, false, null, 12345, \"x\"]\n ",
            .records
        ),
        (#"[{"e": "\ud83d\ude00\u00e4\n", "u": "ä€😀"}, [[], {}, [1, [2]]], -0.125E-3 ]"#, .records),
        (#"{"id": "😀", "list": [1, 22, 333]}   "#, .records),
        ("  null  ", .records), ("null", .map), ("123456", .records), ("[123456]", .records),
        (
            #"{"page": {"n": [1, 2.50, {"p": "\u0041"}], "s": "ä"}, "p": [{"id": 10}, 20, 30], "z": tru}"#,
            .wrapped(key: "p")
        ),
        (#"{"a": 1.5, "p": {"id": 1}, "b": [[[]]], "c": "\ud83d\ude00"}"#, .wrapped(key: "p")),
        (#"{"a": 1, "b": 2}"#, .wrapped(key: "p")), (#"{"p": 12, "b": 2}"#, .wrapped(key: "p")),
        (#"{"p1": {"a": "ä"}, "p\u0032": null, "3": 44}"#, .map), (#"[null, {"a": 1}, null, 22]"#, .map),
        (#"[{"a": 1}, {"a": 01}, {"a": 3}]"#, .records),
        (#"[{"a": "\ud83d\u0041"}, {"b": "a longer text"}]"#, .records),
        (#"[{"a": "\uZZZZ and more"}]"#, .records), ("[1, 2, 3] and more", .records), ("[1, 2.5.5, 3.33]", .records),
        ("[1-1, {\"a\": 2}]", .records), ("[\"a\u{1}b\", 1, 2, 3]", .records), ("[nulL, 1]", .records),
        ("{\"a\" 1}", .records), ("{\"a\": 1,}", .map), ("[1] \u{FEFF}", .records),
    ]

    /// Bytes that are not UTF-8, alone and as a truncated sequence.
    static let brokenTexts: [[UInt8]] = [
        Array("[\"a".utf8) + [0xFF] + Array("b\", 1]".utf8),
        Array("[\"a".utf8) + [0xE2, 0x82] + Array("\", 1, 2, 3]".utf8),
        Array("[\"".utf8) + [0xF0, 0x9F, 0x98], [0xEF, 0xBB], [0xEF, 0xBB, 0x5B, 0x5D],
    ]

    static var all: [([UInt8], PayloadShape)] {
        payloads.map { (Array($0.utf8), $1) } + brokenTexts.map { ($0, .records) }
    }

    @Test("N7 Single bytes result in the same records, or the same error at the same offset")
    func byteByByte() throws {
        for (bytes, shape) in Self.all {
            let whole = try ReadingOutcome(bytes, shape)
            #expect(try ReadingOutcome(bytes, shape, splitAt: Array(0...bytes.count)) == whole)
        }
    }

    @Test("N7 A piece can end anywhere")
    func twoPieces() throws {
        for (bytes, shape) in Self.all {
            let whole = try ReadingOutcome(bytes, shape)
            for end in 0...bytes.count { #expect(try ReadingOutcome(bytes, shape, splitAt: [end]) == whole) }
        }
    }

    @Test("N7 Any split results in the same records", arguments: 0..<20 as Range<UInt64>)
    func anySplit(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for (bytes, shape) in Self.all {
            let whole = try ReadingOutcome(bytes, shape)
            let ends = bytes.indices.filter { _ in random.isOne(in: 5) }
            #expect(try ReadingOutcome(bytes, shape, splitAt: ends) == whole, "seed \(seed), split at \(ends)")
        }
    }

    @Test(
        "N7 A changed byte results in the same error, or the same records, however the payload is split",
        arguments: 0..<40 as Range<UInt64>)
    func changedByte(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for (original, shape) in Self.all {
            var bytes = original
            bytes[Int.random(in: bytes.indices, using: &random)] = random.element(
                of: Array(#"[]{},:"\0e-.n"#.utf8) + [0xE4, 0])
            let whole = try ReadingOutcome(bytes, shape)
            let ends = bytes.indices.filter { _ in random.isOne(in: 4) }
            #expect(
                try ReadingOutcome(bytes, shape, splitAt: ends) == whole,
                "seed \(seed), \(String(decoding: bytes, as: UTF8.self)) split at \(ends)")
        }
    }

    @Test("M7.2 A body truncated anywhere is an error, never a success")
    func truncated() throws {
        for (bytes, shape) in Self.all where try ReadingOutcome(bytes, shape).records != nil {
            let end = bytes.count - bytes.reversed().prefix { $0 == 0x20 || $0 == 0x0A }.count
            for count in 0..<end {
                let outcome = try ReadingOutcome(Array(bytes[..<count]), shape)
                #expect(outcome == .notJSON(JSONSyntaxError(.unexpectedEnd, at: count)), "\(bytes[..<count])")
            }
        }
    }
}
