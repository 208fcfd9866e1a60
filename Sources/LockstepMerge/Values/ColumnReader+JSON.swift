import LockstepStore

extension ColumnReader {
    /// Any JSON, as the text that the store keeps.
    func json(
        _ scanner: inout JSONScanner, _ arena: TextArena, _ problem: inout ValueProblem?
    ) throws(JSONSyntaxError) -> Cell {
        _ = scanner.peek()
        let start = scanner.cursor
        var walk = CanonicalWalk()
        try walk.value(&scanner, depth: 0)
        let text = UnsafeBufferPointer(start: start, count: scanner.cursor - start)
        if walk.depth > StoredJSON.depthLimit { return refuse(.tooDeep(StoredJSON.depthLimit), &problem) }
        if walk.isCanonical { return Cell(text: text) }
        guard let value = StoredJSON.value(from: String(decoding: text, as: UTF8.self)) else {
            return refuse("has a number that is too great", &problem)
        }
        if let violation = value.violation(of: .none) { return refuse(violation, &problem) }
        return Cell(text: arena.copy(StoredJSON.text(of: value)))
    }
}

/// Goes through JSON and tells whether it is spelt as the store spells it: keys in order, no space, plain numbers and
/// no needless escapes. Where it is in doubt, it says no.
struct CanonicalWalk {
    private(set) var isCanonical = true
    /// How many arrays and objects are in each other.
    private(set) var depth = 0

    mutating func value(_ scanner: inout JSONScanner, depth: Int) throws(JSONSyntaxError) {
        let before = scanner.cursor
        let next = scanner.peek()
        if scanner.cursor != before { isCanonical = false }
        switch next {
        case UInt8(ascii: "\""): if try scanner.text().hasEscapes { isCanonical = false }
        case UInt8(ascii: "["): try array(&scanner, depth + 1)
        case UInt8(ascii: "{"): try object(&scanner, depth + 1)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let number = try scanner.number()
            if number.integer == nil || number.integer == 0 && number.bytes.count > 1 { check(number.bytes) }
        default: try scanner.skipValue()
        }
    }

    private mutating func check(_ number: UnsafeBufferPointer<UInt8>) {
        guard let digits = NumberDigits(number), digits.isCanonical, digits.significantDigits <= 38,
            digits.exponent > -80, digits.exponent + digits.significantDigits < 80
        else { return isCanonical = false }
    }

    private mutating func array(_ scanner: inout JSONScanner, _ depth: Int) throws(JSONSyntaxError) {
        self.depth = max(self.depth, depth)
        try scanner.open(UInt8(ascii: "["))
        var isFirst = true
        while try !isClosed(&scanner, UInt8(ascii: "]"), isFirst) {
            try value(&scanner, depth: depth)
            isFirst = false
        }
    }

    private mutating func object(_ scanner: inout JSONScanner, _ depth: Int) throws(JSONSyntaxError) {
        self.depth = max(self.depth, depth)
        try scanner.open(UInt8(ascii: "{"))
        var previous: UnsafeBufferPointer<UInt8>?
        while try !isClosed(&scanner, UInt8(ascii: "}"), previous == nil) {
            let before = scanner.cursor
            if scanner.peek() == UInt8(ascii: "\""), scanner.cursor != before { isCanonical = false }
            let first = scanner.cursor
            let key = try scanner.key()
            // Nothing but the quotes and the colon may be around the key.
            if key.hasEscapes || scanner.cursor - first != key.bytes.count + 3 || !isInOrder(previous, key.bytes) {
                isCanonical = false
            }
            previous = key.bytes
            try value(&scanner, depth: depth)
        }
    }

    private mutating func isClosed(
        _ scanner: inout JSONScanner, _ byte: UInt8, _ isFirst: Bool
    ) throws(JSONSyntaxError) -> Bool {
        let before = scanner.cursor
        _ = scanner.peek()
        if scanner.cursor != before { isCanonical = false }
        return try scanner.isClosed(byte, isFirst: isFirst)
    }

    /// Whether one key comes behind another. The order of texts beyond ASCII is Swift's to tell.
    private func isInOrder(_ previous: UnsafeBufferPointer<UInt8>?, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        guard key.allSatisfy({ $0 < 0x80 }) else { return false }
        return previous.map { $0.lexicographicallyPrecedes(key) } ?? true
    }
}
