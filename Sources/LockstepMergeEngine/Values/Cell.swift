/// The value of one column of a record that is being merged, as it is stored.
///
/// It has sixteen bytes, so that a record uses few cache lines. Texts and blobs are stored elsewhere: in the payload if
/// it has the same encoding as the store, otherwise in a `TextArena`. Both outlive the cells.
struct Cell {
    /// The kind of value.
    private(set) var kind: Kind
    /// The number of bytes of a text or a blob.
    private(set) var count: UInt32
    /// The number, its bits, or the address of the bytes.
    private var word: UInt64

    enum Kind: UInt8 {
        /// The payload has no value: the column keeps its own.
        case absent
        case null, integer, real, text, blob
    }

    /// No value in the payload.
    static var absent: Cell { Cell(kind: .absent, count: 0, word: 0) }
    static var null: Cell { Cell(kind: .null, count: 0, word: 0) }

    private init(kind: Kind, count: UInt32, word: UInt64) {
        self.kind = kind
        self.count = count
        self.word = word
    }

    init(integer: Int64) { self.init(kind: .integer, count: 0, word: UInt64(bitPattern: integer)) }

    init(real: Double) { self.init(kind: .real, count: 0, word: real.bitPattern) }

    /// The maximum size of a value in SQLite (`SQLITE_MAX_LENGTH`).
    static let greatestCount = 1_000_000_000

    /// Creates a text from its bytes, which must outlive the cell. A text of more than `greatestCount` bytes cannot be
    /// stored.
    init(text: UnsafeBufferPointer<UInt8>) { self.init(.text, bytes: text) }

    /// Creates a blob from its bytes, which must outlive the cell.
    init(blob: UnsafeBufferPointer<UInt8>) { self.init(.blob, bytes: blob) }

    private init(_ kind: Kind, bytes: UnsafeBufferPointer<UInt8>) {
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
