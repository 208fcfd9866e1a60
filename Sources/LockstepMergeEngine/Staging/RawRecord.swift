import LockstepTables

/// The bytes of a record of an entity with hooks, of which only the identity has been read.
struct RawRecord {
    let table: Int
    let row: Int
    let bytes: UnsafeBufferPointer<UInt8>
    /// The offset of the bytes in the payload.
    let offset: Int
    /// The key of the record in a map.
    let mapKey: JSONScanner.Text?
}

extension JSONValue {
    /// Parses a record's bytes.
    init(_ raw: RawRecord) throws(JSONSyntaxError) {
        var scanner = JSONScanner(raw.bytes, baseOffset: raw.offset)
        try self.init(&scanner)
    }
}
