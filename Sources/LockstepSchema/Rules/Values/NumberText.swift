/// A number represented by its digits, never as a `Double`: `-12.50`, `3`, `1e6`.
struct NumberText: Comparable {
    private let isNegative: Bool
    /// The digits without zeros at either end; empty for zero.
    private let digits: [UInt8]
    /// The position of the decimal point, counted from the first of `digits`.
    private let pointOffset: Int

    /// `nil` if `text` is not a decimal number: digits, with at least one on both sides of a point, and an optional
    /// exponent.
    init?(_ text: String) {
        var rest = Substring(text).utf8
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        let whole = Self.takeDigits(&rest)
        guard !whole.isEmpty else { return nil }
        var fraction = rest.prefix(0)
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = Self.takeDigits(&rest)
            guard !fraction.isEmpty else { return nil }
        }
        guard let exponent = Self.takeExponent(&rest), rest.isEmpty else { return nil }
        let zero = UInt8(ascii: "0")
        var digits = Array(whole)
        digits.append(contentsOf: fraction)
        let leadingZeros = digits.prefix { $0 == zero }.count
        digits.removeFirst(leadingZeros)
        while digits.last == zero { digits.removeLast() }
        self.digits = digits
        self.isNegative = isNegative && !digits.isEmpty
        pointOffset = digits.isEmpty ? 0 : whole.count - leadingZeros + exponent
    }

    private static func takeDigits(_ rest: inout Substring.UTF8View) -> Substring.UTF8View {
        let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        rest = rest[digits.endIndex...]
        return digits
    }

    /// 0 if there is none. No type can represent an exponent of more than four digits.
    private static func takeExponent(_ rest: inout Substring.UTF8View) -> Int? {
        guard let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") else { return 0 }
        rest.removeFirst()
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        let digits = takeDigits(&rest)
        guard (1...4).contains(digits.count) else { return nil }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return isNegative ? -value : value
    }

    /// Whether Foundation's `Decimal` can represent it exactly: 38 digits and an exponent of one byte.
    var fitsDecimal: Bool {
        digits.count <= 38 && (-128...127).contains(pointOffset - digits.count)
    }

    static func < (lhs: NumberText, rhs: NumberText) -> Bool {
        if lhs.isNegative != rhs.isNegative { return lhs.isNegative }
        return lhs.isNegative ? isLess(rhs, lhs) : isLess(lhs, rhs)
    }

    /// Compares absolute values.
    private static func isLess(_ lhs: NumberText, _ rhs: NumberText) -> Bool {
        if lhs.digits.isEmpty || rhs.digits.isEmpty { return lhs.digits.isEmpty && !rhs.digits.isEmpty }
        if lhs.pointOffset != rhs.pointOffset { return lhs.pointOffset < rhs.pointOffset }
        return lhs.digits.lexicographicallyPrecedes(rhs.digits)
    }
}

extension String {
    /// A number's text without a leading plus sign, which SQL and Swift do not need.
    var withoutPlus: String { utf8.first == UInt8(ascii: "+") ? String(dropFirst()) : self }
}

extension String {
    /// Whether a zero precedes another digit: `010`, `-007`.
    var hasLeadingZero: Bool {
        let digits = utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        return digits.first == UInt8(ascii: "0")
            && digits.dropFirst().first.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false
    }
}
