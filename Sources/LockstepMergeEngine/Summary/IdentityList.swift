package import LockstepTables

/// The identities of many records in a compact form: a merge may have a million.
///
/// Integers use 8 bytes, UUIDs 16. The identities of each kind are in the order in which they were appended.
package struct IdentityList: Sendable {
    package private(set) var integers: [Int64] = []
    package private(set) var uuids: [UUIDWords] = []
    package private(set) var others: [RecordKey] = []

    /// The bytes of a UUID.
    package struct UUIDWords: Sendable {
        package let first: UInt64
        package let second: UInt64
    }

    package init() {}

    package var count: Int { integers.count + uuids.count + others.count }

    /// All keys: integers first, then UUIDs, then others.
    package var keys: [RecordKey] {
        integers.map { RecordKey($0) } + uuids.map { RecordKey(uuidWords: ($0.first, $0.second)) } + others
    }

    package mutating func append(_ key: RecordKey) {
        if let integer = key.integer {
            integers.append(integer)
        } else if let words = key.uuidWords {
            append(uuid: words)
        } else {
            others.append(key)
        }
    }

    mutating func append(contentsOf list: IdentityList) {
        if count == 0 { return self = list }
        integers += list.integers
        uuids += list.uuids
        others += list.others
    }

    mutating func reserve(integers: Int = 0, uuids: Int = 0) {
        self.integers.reserveCapacity(integers)
        self.uuids.reserveCapacity(uuids)
    }

    package mutating func append(integer: Int64) { integers.append(integer) }

    package mutating func append(uuid: (UInt64, UInt64)) {
        uuids.append(UUIDWords(first: uuid.0, second: uuid.1))
    }
}
