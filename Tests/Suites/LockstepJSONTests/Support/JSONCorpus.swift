@testable import LockstepJSON

/// Texts that RFC 8259 accepts, rejects, or leaves to each implementation; section by section of its grammar.
///
/// A byte that Swift's strings cannot hold, or that cannot be seen, is written `<C3>`.
enum JSONCorpus {
    /// A text that is not JSON, with its error and position.
    struct Refused: CustomStringConvertible, Sendable {
        let text: String
        let error: JSONSyntaxError

        init(_ text: String, _ offset: Int, _ reason: JSONSyntaxError.Reason) {
            self.text = text
            error = JSONSyntaxError(reason, at: offset)
        }

        var description: String { text }
    }

    /// A text that the RFC leaves to the implementation, and the result of this one.
    struct Either: CustomStringConvertible, Sendable {
        let text: String
        let error: JSONSyntaxError?

        static func taken(_ text: String) -> Either { Either(text: text, error: nil) }

        static func refused(_ text: String, _ offset: Int, _ reason: JSONSyntaxError.Reason) -> Either {
            Either(text: text, error: JSONSyntaxError(reason, at: offset))
        }

        var description: String { text }
    }

    /// The bytes of a text of the corpus.
    static func bytes(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Substring(text)
        while let first = rest.first {
            if first == "<", let byte = UInt8(rest.dropFirst().prefix(2), radix: 16) {
                bytes.append(byte)
                rest = rest.dropFirst(4)
            } else {
                bytes.append(contentsOf: String(first).utf8)
                rest = rest.dropFirst()
            }
        }
        return bytes
    }
}

extension JSONSyntaxError.Reason {
    /// This character is not allowed here.
    static func byte(_ character: Unicode.Scalar) -> JSONSyntaxError.Reason { .unexpectedByte(UInt8(ascii: character)) }
}
