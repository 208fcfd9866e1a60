/// The value of one column of a record that is being merged, as the store keeps it.
///
/// Sixteen bytes, so that a record is a few cache lines: texts and bytes are kept elsewhere, in the payload where they
/// are spelt as they are stored, or else in a `TextArena`. Both outlive the cells.
struct Cell {
    /// What is in it.
    private(set) var kind: Kind
    /// How many bytes a text or a blob has.
    private(set) var count: UInt32
    /// The number, the bits of the number, or the address of the bytes.
    private var word: UInt64

    enum Kind: UInt8 {
        /// The payload says nothing: the column keeps its value.
        case absent
        case null, integer, real, text, blob
    }

    /// The payload says nothing of the column.
    static var absent: Cell { Cell(kind: .absent, count: 0, word: 0) }
    static var null: Cell { Cell(kind: .null, count: 0, word: 0) }

    private init(kind: Kind, count: UInt32, word: UInt64) {
        self.kind = kind
        self.count = count
        self.word = word
    }

    init(integer: Int64) { self.init(kind: .integer, count: 0, word: UInt64(bitPattern: integer)) }

    init(real: Double) { self.init(kind: .real, count: 0, word: real.bitPattern) }

    /// As many bytes as SQLite takes for one value (`SQLITE_MAX_LENGTH`).
    static let greatestCount = 1_000_000_000

    /// A text by its bytes, which must outlive the cell. One of more than `greatestCount` cannot be stored.
    init(text: UnsafeBufferPointer<UInt8>) { self.init(.text, text) }

    /// Bytes, which must outlive the cell.
    init(blob: UnsafeBufferPointer<UInt8>) { self.init(.blob, blob) }

    private init(_ kind: Kind, _ bytes: UnsafeBufferPointer<UInt8>) {
        self.init(
            kind: kind, count: UInt32(clamping: bytes.count),
            word: bytes.baseAddress.map { UInt64(UInt(bitPattern: $0)) } ?? 0)
    }

    /// Whether it is neither absent nor null.
    var isValue: Bool { kind != .absent && kind != .null }

    var integer: Int64 { Int64(bitPattern: word) }

    var real: Double { Double(bitPattern: word) }

    /// The bytes of a text or a blob.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: UnsafePointer(bitPattern: UInt(word)), count: Int(count))
    }
}
