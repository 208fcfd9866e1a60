import Foundation
import LockstepTables

extension ColumnReader {
    /// True and false, 0 and 1, as JSON or as text.
    func bool(
        _ scanner: inout JSONScanner, in arena: TextArena, problem: inout ValueProblem?
    ) throws(JSONSyntaxError) -> Cell {
        let value: Bool?
        switch scanner.peek() {
        case UInt8(ascii: "t"), UInt8(ascii: "f"): value = try scanner.bool()
        default:
            switch try token(&scanner, in: arena) {
            case .number(let number):
                let whole = number.integer ?? NumberDigits(number.bytes)?.wholeNumber
                value = whole == 1 ? true : whole == 0 ? false : nil
            case .text(let text):
                value =
                    text.matches("true") || text.matches("1")
                    ? true : text.matches("false") || text.matches("0") ? false : nil
            case .other: value = nil
            }
        }
        guard let value else { return refuse("is neither true nor false", problem: &problem) }
        return Cell(integer: value ? 1 : 0)
    }

    /// An integer, which must be exact.
    func whole(
        _ scanner: inout JSONScanner, in arena: TextArena, problem: inout ValueProblem?
    ) throws(JSONSyntaxError) -> Cell {
        let value: Int64?
        switch try token(&scanner, in: arena) {
        case .number(let number): value = number.integer ?? NumberDigits(number.bytes)?.wholeNumber
        case .text(let text): value = NumberDigits(text)?.wholeNumber
        case .other: return refuse("is not a number", problem: &problem)
        }
        guard let value else { return refuse("is not a whole number that fits into 64 bits", problem: &problem) }
        guard wholeRange.contains(value) else {
            return refuse(
                "is out of the range of \(wholeRange.upperBound == Int64(Int16.max) ? 16 : 32) bits", problem: &problem)
        }
        if let violation = limits?.violation(whole: value) { return refuse(violation, problem: &problem) }
        if let closed, !closed.contains(value) { return refuse(ClosedValues.refusal, problem: &problem) }
        return Cell(integer: value)
    }

    func double(
        _ scanner: inout JSONScanner, in arena: TextArena, problem: inout ValueProblem?
    ) throws(JSONSyntaxError) -> Cell {
        guard let value = try number(&scanner, in: arena)?.double(), value.isFinite else {
            return refuse("is not a number", problem: &problem)
        }
        if let violation = limits?.violation(real: value) { return refuse(violation, problem: &problem) }
        return Cell(real: value)
    }

    func float(
        _ scanner: inout JSONScanner, in arena: TextArena, problem: inout ValueProblem?
    ) throws(JSONSyntaxError) -> Cell {
        guard let value = try number(&scanner, in: arena)?.float, value.isFinite else {
            return refuse("is not a number that fits into 32 bits", problem: &problem)
        }
        if let violation = limits?.violation(real: Double(value)) { return refuse(violation, problem: &problem) }
        return Cell(real: Double(value))
    }

    /// A decimal, from its digits.
    func decimal(
        _ scanner: inout JSONScanner, in arena: TextArena, problem: inout ValueProblem?
    ) throws(JSONSyntaxError) -> Cell {
        guard let number = try number(&scanner, in: arena), let text = number.storedDecimal(arena) else {
            return refuse("is not a number with at most 38 significant digits", problem: &problem)
        }
        if let limits, limits.hasRange, let violation = limits.violation(decimal: number) {
            return refuse(violation, problem: &problem)
        }
        return Cell(text: text)
    }

    /// The digits of the next value; `nil` if it is neither a number nor the text of one.
    @inline(__always)
    private func number(_ scanner: inout JSONScanner, in arena: TextArena) throws(JSONSyntaxError) -> NumberDigits? {
        switch try token(&scanner, in: arena) {
        case .number(let number): NumberDigits(number.bytes)
        case .text(let text): NumberDigits(text)
        case .other: nil
        }
    }
}

extension NumberDigits {
    /// Every decimal can represent this many digits at this distance from the point. Near the limits, the typed value
    /// decides.
    private static let certainDigits = 38
    private static let certainDistance = 80

    /// The number as decimals are stored; `nil` if no decimal can represent it.
    func storedDecimal(_ arena: TextArena) -> UnsafeBufferPointer<UInt8>? {
        if isZero { return arena.zero }
        guard significantDigits <= Self.certainDigits, exponent > -Self.certainDistance,
            exponent + significantDigits < Self.certainDistance
        else {
            guard let value = Decimal(exactly: text), value.isReadExactly else { return nil }
            return value.storedText.map(arena.copy)
        }
        if isCanonical { return bytes }
        guard isExact else { return Decimal(exactly: text)?.storedText.map(arena.copy) }
        return plainNotation(arena)
    }

    private func plainNotation(_ arena: TextArena) -> UnsafeBufferPointer<UInt8> {
        // A sign, a zero, a point, and all digits.
        arena.write(atMost: 3 + significantDigits + abs(exponent)) { target in
            var count = 0
            func put(_ byte: UInt8) {
                target[count] = byte
                count += 1
            }
            if isNegative { put(UInt8(ascii: "-")) }
            let whole = significantDigits + min(exponent, 0)
            if whole <= 0 {
                put(UInt8(ascii: "0"))
                put(UInt8(ascii: "."))
                for _ in whole..<0 { put(UInt8(ascii: "0")) }
            }
            for index in 0..<significantDigits {
                if index == whole, index > 0 { put(UInt8(ascii: ".")) }
                let digit = significand / PowerOfTen.whole[significantDigits - 1 - index] % 10
                put(UInt8(ascii: "0") + UInt8(digit))
            }
            for _ in 0..<max(exponent, 0) { put(UInt8(ascii: "0")) }
            return count
        }
    }
}
