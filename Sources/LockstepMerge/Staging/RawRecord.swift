import LockstepStore

/// A record as its bytes, for an entity with hooks: only its identity is read yet.
struct RawRecord {
    let table: Int
    let row: Int
    let bytes: UnsafeBufferPointer<UInt8>
    /// Where they begin in the payload.
    let offset: Int
    /// The key that the record stands under.
    let mapKey: JSONScanner.Text?
}

extension JSONValue {
    /// Reads a record's bytes.
    init(_ raw: RawRecord) throws(JSONSyntaxError) {
        var scanner = JSONScanner(raw.bytes, baseOffset: raw.offset)
        try self.init(&scanner)
    }
}
