import Foundation

/// How the identities of an entity are converted to the words by which an `ObjectTable` finds them.
enum KeyForm {
    case uuid
    case integer
    /// A hash. Other identities may have the same.
    case hash

    init<Identity: IdentityValue>(_ type: Identity.Type) {
        if type == UUID.self {
            self = .uuid
        } else if type == Int.self || type == Int64.self {
            self = .integer
        } else {
            self = .hash
        }
    }

    /// Whether different identities always have different words.
    var isExact: Bool { self != .hash }

    func words<Identity: IdentityValue>(of identity: Identity) -> ObjectTable.KeyWords {
        switch self {
        case .uuid: return withUnsafeBytes(of: identity) { words($0) }
        case .integer:
            return ObjectTable.KeyWords(
                first: withUnsafeBytes(of: identity) { bytes in
                    // `Int` has 32 bits on a watch.
                    UInt64(
                        bitPattern: bytes.count == 8 ? bytes.load(as: Int64.self) : Int64(bytes.load(as: Int32.self)))
                })
        case .hash: return ObjectTable.KeyWords(first: UInt64(truncatingIfNeeded: identity.hashValue))
        }
    }

    /// The words of the key in a column of a row; `nil` if they cannot be determined.
    func words(of row: RowReader, column: Int) -> ObjectTable.KeyWords? {
        switch self {
        case .uuid: return withUnsafeBytes(of: row.uuidValue(column)) { words($0) }
        case .integer: return ObjectTable.KeyWords(first: UInt64(bitPattern: row.integer(column)))
        case .hash: return nil
        }
    }

    /// The words of a key; `nil` if they cannot be determined.
    func words(of key: RecordKey) -> ObjectTable.KeyWords? {
        switch self {
        case .uuid: return key.uuidWords.map { ObjectTable.KeyWords(first: $0.first, second: $0.second) }
        case .integer: return key.integer.map { ObjectTable.KeyWords(first: UInt64(bitPattern: $0)) }
        case .hash: return nil
        }
    }

    private func words(_ uuid: UnsafeRawBufferPointer) -> ObjectTable.KeyWords {
        ObjectTable.KeyWords(
            first: uuid.loadUnaligned(as: UInt64.self),
            second: uuid.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
}
