/// The order of paths in a record: keys are compared by name, and indexes of list elements as numbers: `lines[9]`,
/// `lines[10]`.
enum KeyPathOrder {
    static func isBefore(_ one: String.UTF8View, _ other: String.UTF8View) -> Bool {
        var (left, right) = (one[...], other[...])
        while let first = left.first, let second = right.first {
            if isDigit(first), isDigit(second) {
                let (number, another) = (digits(&left), digits(&right))
                if number.count != another.count { return number.count < another.count }
                if !number.elementsEqual(another) { return number.lexicographicallyPrecedes(another) }
            } else {
                if first != second { return first < second }
                left.removeFirst()
                right.removeFirst()
            }
        }
        return left.isEmpty && !right.isEmpty
    }

    private static func digits(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
        let digits = text.prefix(while: isDigit)
        text = text.dropFirst(digits.count)
        return digits
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
