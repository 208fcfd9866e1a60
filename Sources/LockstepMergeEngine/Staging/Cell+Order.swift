extension Cell {
    /// Compares two cells: negative if this one comes first, 0 if they are equal. Null comes before numbers, numbers
    /// before texts, texts before blobs. Texts are compared by their bytes.
    func order(against other: Cell) -> Int {
        switch (kind, other.kind) {
        case (.integer, .integer): return Self.compare(integer, other.integer)
        case (.real, .real): return Self.compare(real, other.real)
        case (.integer, .real): return Self.compare(Double(integer), other.real)
        case (.real, .integer): return Self.compare(real, Double(other.integer))
        case (.text, .text), (.blob, .blob):
            if bytes.elementsEqual(other.bytes) { return 0 }
            return bytes.lexicographicallyPrecedes(other.bytes) ? -1 : 1
        default: return Self.compare(rank, other.rank)
        }
    }

    private var rank: Int {
        switch kind {
        case .absent, .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }

    private static func compare<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : left == right ? 0 : 1
    }
}
