import LockstepTables

extension ColumnReader {
    /// Any JSON, as the text that is stored.
    func json(
        _ scanner: inout JSONScanner, in arena: TextArena, problem: inout ValueProblem?
    ) throws(JSONSyntaxError) -> Cell {
        _ = scanner.peek()
        let start = scanner.cursor
        var walk = CanonicalWalk()
        try walk.value(&scanner, depth: 0)
        let text = UnsafeBufferPointer(start: start, count: scanner.cursor - start)
        if walk.depth > StoredJSON.depthLimit { return refuse(.tooDeep(StoredJSON.depthLimit), problem: &problem) }
        if walk.isCanonical { return Cell(text: text) }
        guard let value = StoredJSON.value(from: String(decoding: text, as: UTF8.self)) else {
            return refuse("has a number that is too large", problem: &problem)
        }
        if let violation = value.violation(of: .none) { return refuse(violation, problem: &problem) }
        return Cell(text: arena.copy(StoredJSON.text(of: value)))
    }
}

/// Scans JSON and determines whether it is encoded like in the store: sorted keys, no whitespace, plain numbers and no
/// unnecessary escapes. In case of doubt, it is not.
struct CanonicalWalk {
    private(set) var isCanonical = true
    /// The nesting depth of arrays and objects.
    private(set) var depth = 0

    mutating func value(_ scanner: inout JSONScanner, depth: Int) throws(JSONSyntaxError) {
        let before = scanner.cursor
        let next = scanner.peek()
        if scanner.cursor != before { isCanonical = false }
        switch next {
        case UInt8(ascii: "\""): if try scanner.text().hasEscapes { isCanonical = false }
        case UInt8(ascii: "["): try array(&scanner, depth: depth + 1)
        case UInt8(ascii: "{"): try object(&scanner, depth: depth + 1)
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

    private mutating func array(_ scanner: inout JSONScanner, depth: Int) throws(JSONSyntaxError) {
        self.depth = max(self.depth, depth)
        try scanner.open(UInt8(ascii: "["))
        var isFirst = true
        while try !isClosed(&scanner, byte: UInt8(ascii: "]"), isFirst: isFirst) {
            try value(&scanner, depth: depth)
            isFirst = false
        }
    }

    private mutating func object(_ scanner: inout JSONScanner, depth: Int) throws(JSONSyntaxError) {
        self.depth = max(self.depth, depth)
        try scanner.open(UInt8(ascii: "{"))
        var previous: UnsafeBufferPointer<UInt8>?
        while try !isClosed(&scanner, byte: UInt8(ascii: "}"), isFirst: previous == nil) {
            let before = scanner.cursor
            if scanner.peek() == UInt8(ascii: "\""), scanner.cursor != before { isCanonical = false }
            let first = scanner.cursor
            let key = try scanner.key()
            // The key may be surrounded only by quotes and the colon.
            if key.hasEscapes || scanner.cursor - first != key.bytes.count + 3 || !isInOrder(previous, key: key.bytes) {
                isCanonical = false
            }
            previous = key.bytes
            try value(&scanner, depth: depth)
        }
    }

    private mutating func isClosed(
        _ scanner: inout JSONScanner, byte: UInt8, isFirst: Bool
    ) throws(JSONSyntaxError) -> Bool {
        let before = scanner.cursor
        _ = scanner.peek()
        if scanner.cursor != before { isCanonical = false }
        return try scanner.isClosed(byte, isFirst: isFirst)
    }

    /// Whether a key comes after another. Texts beyond ASCII are ordered by Swift.
    private func isInOrder(_ previous: UnsafeBufferPointer<UInt8>?, key: UnsafeBufferPointer<UInt8>) -> Bool {
        guard key.allSatisfy({ $0 < 0x80 }) else { return false }
        return previous.map { $0.lexicographicallyPrecedes(key) } ?? true
    }
}
