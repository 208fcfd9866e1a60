import LockstepStore
import Testing

@testable import LockstepJSON

@Suite("Valid and invalid JSON")
struct JSONCorpusTests {
    @Test("N7 Everything that RFC 8259 allows is read", arguments: JSONCorpus.accepted)
    func accepted(text: String) {
        let bytes = JSONCorpus.bytes(text)
        #expect(syntaxError(in: bytes) == nil)
        #expect(throws: Never.self) { try value(of: bytes) }
    }

    @Test("N7 What it does not allow is rejected with the position and the reason", arguments: JSONCorpus.refused)
    func refused(example: JSONCorpus.Refused) {
        let bytes = JSONCorpus.bytes(example.text)
        #expect(syntaxError(in: bytes) == example.error)
        #expect(throws: example.error) { try value(of: bytes) }
    }

    @Test("N7 What it leaves to the implementation is defined", arguments: JSONCorpus.either)
    func either(example: JSONCorpus.Either) {
        #expect(syntaxError(in: JSONCorpus.bytes(example.text)) == example.error)
    }

    @Test("N7 The result is the same inside an array or an object", arguments: JSONCorpus.refused)
    func nested(example: JSONCorpus.Refused) {
        let text = JSONCorpus.bytes(example.text)
        // A text that ends too early continues here, a second value may follow a comma, and a mark is one only at
        // the beginning.
        guard example.error.reason != .unexpectedEnd, example.error.reason != .trailingContent,
            !example.text.hasPrefix("<EF>"), example.text != "]"
        else { return }
        let error = syntaxError(in: Array(#"{"key":["#.utf8) + text + Array("]}".utf8))
        #expect(error == JSONSyntaxError(example.error.reason, at: example.error.offset + 8))
    }

    @Test("The corpus has enough cases, and none twice")
    func corpus() {
        let texts = JSONCorpus.accepted + JSONCorpus.refused.map(\.text)
        #expect(Set(texts.map(JSONCorpus.bytes)).count == texts.count)
        #expect(texts.count + JSONCorpus.either.count > 450)
    }

    private func value(of bytes: [UInt8]) throws -> JSONValue {
        try bytes.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            let value = try JSONValue(&scanner)
            try scanner.finish()
            return value
        }
    }
}
