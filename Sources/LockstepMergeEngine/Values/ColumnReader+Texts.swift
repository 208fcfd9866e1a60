import Foundation
import LockstepEvolution
import LockstepTables

extension ColumnReader {
    /// A string, or the raw value of an enum. An open enum keeps unknown values.
    func string(
        _ scanner: inout JSONScanner, in arena: TextArena, problem: inout ValueProblem?
    ) throws(JSONSyntaxError) -> Cell {
        let isText = scanner.peek() == UInt8(ascii: "\"")
        guard let text = isText ? try scanner.text().unescaped(into: arena) : try converted(&scanner, in: arena) else {
            return refuse("is not a string", problem: &problem)
        }
        if let violation = limits?.violation(text: text) { return refuse(violation, problem: &problem) }
        guard let closed else { return Cell(text: text) }
        guard let known = closed.declaredText(equalTo: text, in: arena) else {
            return refuse(ClosedValues.refusal, problem: &problem)
        }
        return Cell(text: known)
    }

    /// The JSON text of a number or a Bool (Rules.md, N4). A number is written as decimals are stored, since a decoder
    /// does not return how it was written.
    private func converted(
        _ scanner: inout JSONScanner, in arena: TextArena
    ) throws(JSONSyntaxError) -> UnsafeBufferPointer<UInt8>? {
        let text: UnsafeBufferPointer<UInt8>?
        switch scanner.peek() {
        case UInt8(ascii: "t"), UInt8(ascii: "f"): text = arena.copy(try scanner.bool() ? "true" : "false")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            // A decoder rounds larger numbers.
            let digits = NumberDigits(try scanner.number().bytes)
            let isCertain = digits.map { $0.isZero || $0.exponent + $0.significantDigits <= 38 } ?? false
            text = isCertain ? digits?.storedDecimal(arena) : nil
        default:
            try scanner.skipValue()
            return nil
        }
        hasConverted = true
        return text
    }

    /// A UUID in upper or lower case.
    func uuid(
        _ scanner: inout JSONScanner, in arena: TextArena, problem: inout ValueProblem?
    ) throws(JSONSyntaxError) -> Cell {
        guard let text = try text(&scanner, in: arena), text.count == 36 else {
            return refuse("is not a UUID", problem: &problem)
        }
        if UUID(lowercaseText: text) != nil {
            if let spelling, spelling.notesAll { spelling.note(text, of: text) }
            return Cell(text: text)
        }
        let lowercase = arena.write(atMost: 36) { target in
            for (index, byte) in text.enumerated() {
                let isUpper = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "F")
                target[index] = isUpper ? byte | 0x20 : byte
            }
            return 36
        }
        guard UUID(lowercaseText: lowercase) != nil else { return refuse("is not a UUID", problem: &problem) }
        spelling?.note(text, of: lowercase)
        return Cell(text: lowercase)
    }

    /// Notes another spelling of a UUID that was read.
    func noteSpelling(_ text: UnsafeBufferPointer<UInt8>, of cell: Cell) {
        guard let spelling, cell.kind == .text, text.count == cell.bytes.count,
            zip(text, cell.bytes).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 })
        else { return }
        spelling.note(text, of: cell.bytes)
    }

    func url(
        _ scanner: inout JSONScanner, in arena: TextArena, problem: inout ValueProblem?
    ) throws(JSONSyntaxError) -> Cell {
        guard let text = try text(&scanner, in: arena) else { return refuse("is not a URL", problem: &problem) }
        if URLText.isPlain(text) { return Cell(text: text) }
        guard let url = URL(string: String(decoding: text, as: UTF8.self)) else {
            return refuse("is not a URL", problem: &problem)
        }
        return Cell(text: arena.copy(url.absoluteString))
    }

    /// Bytes, from base64.
    func data(
        _ scanner: inout JSONScanner, in arena: TextArena, problem: inout ValueProblem?
    ) throws(JSONSyntaxError) -> Cell {
        guard let text = try text(&scanner, in: arena), let bytes = Base64.bytes(text, in: arena) else {
            return refuse("is not base64", problem: &problem)
        }
        if let violation = limits?.violation(length: bytes.count) { return refuse(violation, problem: &problem) }
        return Cell(blob: bytes)
    }

    /// A reference to an attachment, whose bytes are downloaded separately.
    func attachment(
        _ scanner: inout JSONScanner, in arena: TextArena, problem: inout ValueProblem?
    ) throws(JSONSyntaxError) -> Cell {
        guard let text = try text(&scanner, in: arena),
            let reference = AttachmentReference(String(decoding: text, as: UTF8.self))
        else { return refuse(AttachmentReference.refusal, problem: &problem) }
        if let violation = limits?.violation(length: reference.byteCount) {
            return refuse(violation, problem: &problem)
        }
        return Cell(text: text)
    }

    /// A value of the app's own type, which may store another value than it was created from.
    func custom(
        _ scanner: inout JSONScanner, in arena: TextArena, problem: inout ValueProblem?
    ) throws(JSONSyntaxError) -> Cell {
        guard let inner, let custom else {
            try scanner.skipValue()
            return refuse("has an unknown type", problem: &problem)
        }
        let stored = try inner.read(&scanner, in: arena, problem: &problem)
        guard problem == nil else { return .absent }
        switch custom.keep(stored.databaseValue, in: column.limits) {
        case .success(let kept)?: return Cell(kept, arena: arena)
        case .failure(let violation)?: return refuse(violation, problem: &problem)
        case nil: return refuse("is not a valid \(custom.type)", problem: &problem)
        }
    }
}

/// The values of a closed enum.
struct ClosedValues {
    static let refusal = "is not one of the values that the schema allows"

    private var numbers: Set<Int64> = []
    private var texts: [String] = []

    init(_ values: [CaseValue]) {
        for value in values {
            switch value {
            case .int(let number): numbers.insert(number)
            case .string(let text): texts.append(text)
            }
        }
    }

    func contains(_ number: Int64) -> Bool { numbers.contains(number) }

    /// The value as it is in the schema: Swift treats a letter with a combining accent as equal to the composed letter.
    func declaredText(equalTo text: UnsafeBufferPointer<UInt8>, in arena: TextArena) -> UnsafeBufferPointer<UInt8>? {
        for known in texts where known.utf8.count == text.count && known.utf8.elementsEqual(text) { return text }
        let value = String(decoding: text, as: UTF8.self)
        return texts.first { $0 == value }.map(arena.copy)
    }
}

/// Detects URLs that `URL` stores unchanged, without creating one.
enum URLText {
    /// Whether the text is a scheme, a host and optionally a path, query and fragment, of characters without a special
    /// meaning.
    static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > 0, colon + 3 < text.count,
            text[colon + 1] == UInt8(ascii: "/"), text[colon + 2] == UInt8(ascii: "/"), isLetter(text[0])
        else { return false }
        for byte in text[..<colon] where !isLetter(byte) { return false }
        var index = colon + 3
        let host = index
        while index < text.count, isLetter(text[index]) || isDigit(text[index]) || isHostMark(text[index]) {
            index += 1
        }
        guard index > host, index < text.count else { return index > host }
        guard text[index] == UInt8(ascii: "/") else { return false }
        var fragments = 0
        for byte in text[index...] {
            if byte == UInt8(ascii: "#") { fragments += 1 }
            guard isLetter(byte) || isDigit(byte) || isPathMark(byte) else { return false }
        }
        return fragments < 2
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    private static func isHostMark(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") }

    private static func isPathMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"),
            UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: "+"),
            UInt8(ascii: ","):
            true
        default: false
        }
    }
}

/// Decodes base64 (RFC 4648), with padding and without whitespace.
enum Base64 {
    static func bytes(_ text: UnsafeBufferPointer<UInt8>, in arena: TextArena) -> UnsafeBufferPointer<UInt8>? {
        var isStrict = text.count % 4 == 0
        let result = arena.write(atMost: text.count / 4 * 3 + 3) { target in
            guard isStrict else { return 0 }
            var (bits, count) = (0, 0)
            var digits = text.count
            while digits > 0, text.count - digits < 2, text[digits - 1] == UInt8(ascii: "=") { digits -= 1 }
            for index in 0..<digits {
                let value = values[Int(text[index])]
                guard value < 64 else {
                    isStrict = false
                    return 0
                }
                bits = (bits << 6 | Int(value)) & 0xFF_FFFF
                guard index & 3 == 3 else { continue }
                target[count] = UInt8(truncatingIfNeeded: bits >> 16)
                target[count + 1] = UInt8(truncatingIfNeeded: bits >> 8)
                target[count + 2] = UInt8(truncatingIfNeeded: bits)
                count += 3
            }
            return count + tail(bits, digits: digits & 3, target: target, count: count, isStrict: &isStrict)
        }
        if isStrict { return result }
        // Foundation decides about unusual texts, as for typed values.
        guard let data = Data(base64Encoded: String(decoding: text, as: UTF8.self)) else { return nil }
        return data.withUnsafeBytes { arena.copy($0.bindMemory(to: UInt8.self)) }
    }

    /// The last one or two bytes, from two or three digits.
    private static func tail(
        _ bits: Int, digits: Int, target: UnsafeMutableBufferPointer<UInt8>, count: Int, isStrict: inout Bool
    ) -> Int {
        switch digits {
        case 2 where bits & 0xF == 0:
            target[count] = UInt8(truncatingIfNeeded: bits >> 4)
            return 1
        case 3 where bits & 3 == 0:
            target[count] = UInt8(truncatingIfNeeded: bits >> 10)
            target[count + 1] = UInt8(truncatingIfNeeded: bits >> 2)
            return 2
        case 0: return 0
        default:
            isStrict = false
            return 0
        }
    }

    /// The value of each byte; 255 for bytes that are not digits.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, digit) in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8.enumerated() {
            values[Int(digit)] = UInt8(value)
        }
        return values
    }()
}
