import LockstepTables

extension ColumnReader {
    /// A list, as the JSON text that is stored.
    func list(
        _ scanner: inout JSONScanner, in arena: TextArena, problem: inout ValueProblem?
    ) throws(JSONSyntaxError) -> Cell {
        guard let element = inner, scanner.peek() == UInt8(ascii: "[") else {
            try scanner.skipValue()
            return refuse("is not a list", problem: &problem)
        }
        let start = scanner.cursor
        var text = ListText(element.column.type)
        var elementProblem: ValueProblem?
        try scanner.open(UInt8(ascii: "["))
        while try !text.isClosed(&scanner) {
            let cell = try element.read(&scanner, in: arena, problem: &elementProblem)
            if elementProblem == nil { text.append(cell, endingAt: scanner.cursor) }
        }
        if let elementProblem {
            problem = elementProblem
            return .absent
        }
        if let violation = limits?.violation(length: text.count) { return refuse(violation, problem: &problem) }
        if text.isEncodedAsStored {
            return Cell(text: UnsafeBufferPointer(start: start, count: scanner.cursor - start))
        }
        return Cell(text: text.bytes(arena))
    }
}

/// The JSON text of a list, composed of its elements' cells.
private struct ListText {
    private(set) var count = 0
    /// Whether the payload encodes the list like the store, so that it need not be written: texts and integers,
    /// separated only by commas.
    private(set) var isEncodedAsStored: Bool

    private let type: StoredType
    private var cells: [Cell] = []
    private var start: UnsafePointer<UInt8>?
    private var isFirst = true

    init(_ type: StoredType) {
        self.type = type
        switch type {
        case .string, .enumeration(.string, closed: _), .int, .int16, .int32, .int64, .enumeration(.int, closed: _):
            isEncodedAsStored = true
        default: isEncodedAsStored = false
        }
    }

    mutating func isClosed(_ scanner: inout JSONScanner) throws(JSONSyntaxError) -> Bool {
        let before = scanner.cursor
        let isClosed = try scanner.isClosed(UInt8(ascii: "]"), isFirst: isFirst)
        _ = isClosed ? 0 : scanner.peek()
        // Before the cursor is a comma or the bracket, and nothing before the first element.
        if scanner.cursor - before != (isFirst && !isClosed ? 0 : 1) { isEncodedAsStored = false }
        start = scanner.cursor
        isFirst = false
        return isClosed
    }

    /// Appends an element, which ends before `end`.
    mutating func append(_ cell: Cell, endingAt end: UnsafePointer<UInt8>) {
        if isEncodedAsStored, let start { isEncodedAsStored = isElementEncodedAsStored(cell, from: start, end: end) }
        cells.append(cell)
        count += 1
    }

    /// Whether the bytes from `start` on encode the element like the store.
    private func isElementEncodedAsStored(_ cell: Cell, from start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>)
        -> Bool
    {
        if cell.kind == .text { return cell.bytes.baseAddress == start + 1 && end - start == Int(cell.count) + 2 }
        let isPlain = start.pointee != UInt8(ascii: "\"") && (cell.integer != 0 || end - start == 1)
        guard isPlain else { return false }
        for offset in 0..<(end - start) where start[offset] != UInt8(ascii: "-") && start[offset] &- 0x30 > 9 {
            return false
        }
        return true
    }

    func bytes(_ arena: TextArena) -> UnsafeBufferPointer<UInt8> {
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            cell.appendJSON(type, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes.withUnsafeBufferPointer(arena.copy)
    }
}

extension Cell {
    /// Writes the cell as an element of a list's text, like `storedJSON` does for values.
    fileprivate func appendJSON(_ type: StoredType, to text: inout [UInt8]) {
        switch (type, kind) {
        case (.custom(let custom), _): appendJSON(custom.stored, to: &text)
        case (.json, .text), (.list, .text): text.append(contentsOf: bytes)
        case (.bool, .integer): text.append(contentsOf: (integer == 0 ? "false" : "true").utf8)
        default: text.append(contentsOf: StoredJSON.text(of: JSONValue(storedScalar: databaseValue)).utf8)
        }
    }
}
