/// A decimal number in the canonical form that SQL, JSON and the store's text have in common: `-0.5`, `1200`; no
/// exponent, no sign `+`, no unnecessary zeros. Equal numbers are equal texts.
package struct DecimalDigits: Hashable, Sendable {
    /// More digits than this are not written out: `1e999999999` is a short text but a long number.
    private static let digitLimit = 1_000

    package let text: String

    /// Parses digits in the syntax of schemas: `+1.50`, `.5`, `1_000`, `1e3`.
    ///
    /// - Returns: `nil` if `written` is not a decimal number, or has more than 1,000 digits.
    package init?(_ written: String) {
        var scanner = Scanner(bytes: Array(written.utf8))
        guard let parts = scanner.parts(), let text = Self.plain(parts) else { return nil }
        self.text = text
    }

    private static func plain(_ parts: Parts) -> String? {
        guard abs(parts.exponent) <= digitLimit else { return nil }
        var digits = parts.digits
        var point = parts.pointIndex + parts.exponent
        while point > digits.count { digits.append(UInt8(ascii: "0")) }
        while point < 0 { digits.insert(UInt8(ascii: "0"), at: 0); point += 1 }
        let whole = digits[..<point].drop { $0 == UInt8(ascii: "0") }
        var fraction = digits[point...]
        while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
        if whole.isEmpty && fraction.isEmpty { return "0" }
        let sign = parts.isNegative ? "-" : ""
        let wholeText = whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self)
        return sign + wholeText + (fraction.isEmpty ? "" : "." + String(decoding: fraction, as: UTF8.self))
    }
}

extension DecimalDigits {
    /// The parts of a number: its digits without the decimal point, and the position of the point.
    private struct Parts {
        var isNegative: Bool
        var digits: [UInt8]
        var pointIndex: Int
        var exponent: Int
    }

    private struct Scanner {
        let bytes: [UInt8]
        var index = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func parts() -> Parts? {
            let isNegative = sign()
            var digits = digitRun()
            let pointIndex = digits.count
            if take(UInt8(ascii: ".")) { digits += digitRun() }
            guard !digits.isEmpty, let exponent = exponent(), index == bytes.count else { return nil }
            return Parts(isNegative: isNegative, digits: digits, pointIndex: pointIndex, exponent: exponent)
        }

        private mutating func exponent() -> Int? {
            guard take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) else { return 0 }
            let isNegative = sign()
            guard let value = Int(String(decoding: digitRun(), as: UTF8.self)) else { return nil }
            return isNegative ? -value : value
        }

        private mutating func sign() -> Bool {
            if take(UInt8(ascii: "-")) { return true }
            _ = take(UInt8(ascii: "+"))
            return false
        }

        private mutating func digitRun() -> [UInt8] {
            var digits: [UInt8] = []
            while index < bytes.count {
                let byte = bytes[index]
                if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                    digits.append(byte)
                } else if byte != UInt8(ascii: "_") {
                    break
                }
                index += 1
            }
            return digits
        }

        private mutating func take(_ byte: UInt8) -> Bool {
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
            return true
        }
    }
}
