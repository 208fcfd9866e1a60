package import Foundation
package import LockstepStore

/// A stored record.
package struct ServerRecord: Sendable, Hashable {
    /// The last part of its address: the identity as text.
    package let key: String
    package internal(set) var json: JSONValue
    /// A number that changes with each change. It is never one that the record, or a record that it replaced, had
    /// before.
    package internal(set) var version: Int
    package internal(set) var modifiedAt: Date
    /// The time that the server lists as that of its last change: not later than ``modifiedAt``, at which the change
    /// became visible.
    package internal(set) var stampedAt: Date
    /// Its position among the records.
    let number: Int
    let createdAt: Date
}

/// The records of one collection, in the order in which they were created.
package struct ServerCollection: Sendable {
    /// A number that changes with each change to the collection.
    package internal(set) var revision = 0
    package internal(set) var modifiedAt: Date?
    /// The deleted records, by their keys.
    private(set) var tombstones: [ExactText: Tombstone] = [:]
    /// The keys of deleted records.
    package var gone: Set<String> { Set(tombstones.keys.map(\.text)) }
    private var recordsByKey: [ExactText: ServerRecord] = [:]
    /// The keys in order, including gaps of deleted records.
    private var order: [(key: String, number: Int)] = []
    private var lastNumber = 0
    /// The largest number that was used or assigned as an identity.
    var lastIdentity: Int64 = 0

    /// The record of a deletion that a server keeps.
    struct Tombstone: Sendable, Hashable {
        let json: JSONValue
        let stampedAt: Date
        let number: Int
    }

    /// A number that only depends on the records and their versions, as the `ETag` of a server that hashes its
    /// responses: a collection from which the last record was deleted again is what it was.
    private(set) var contentHash: UInt64 = 0

    package var count: Int { recordsByKey.count }

    package subscript(key: String) -> ServerRecord? { recordsByKey[ExactText(key)] }

    /// The records in order.
    package var records: [ServerRecord] {
        order.compactMap { key, number in
            guard let record = recordsByKey[ExactText(key)], record.number == number else { return nil }
            return record
        }
    }

    /// A part of the records in order, without going through the others.
    ///
    /// - Parameter isReversed: Whether the order begins with the newest record.
    mutating func records(from start: Int, count: Int, isReversed: Bool = false) -> [ServerRecord] {
        if order.count > recordsByKey.count { order.removeAll { recordsByKey[ExactText($0.key)]?.number != $0.number } }
        guard start < order.count, start >= 0 else { return [] }
        let end = min(start + max(count, 0), order.count)
        guard isReversed else { return order[start..<end].compactMap { recordsByKey[ExactText($0.key)] } }
        return order[order.count - end..<order.count - start].reversed().compactMap { recordsByKey[ExactText($0.key)] }
    }

    mutating func put(_ json: JSONValue, at key: String, version: Int, now: Date, stampedAt: Date) {
        defer { if let record = recordsByKey[ExactText(key)] { contentHash ^= record.hash } }
        if let former = recordsByKey[ExactText(key)] { contentHash ^= former.hash }
        if recordsByKey[ExactText(key)] != nil {
            recordsByKey[ExactText(key)]?.json = json
            recordsByKey[ExactText(key)]?.version = version
            recordsByKey[ExactText(key)]?.modifiedAt = now
            recordsByKey[ExactText(key)]?.stampedAt = stampedAt
        } else {
            lastNumber += 1
            order.append((key, lastNumber))
            recordsByKey[ExactText(key)] = ServerRecord(
                key: key, json: json, version: version, modifiedAt: now, stampedAt: stampedAt, number: lastNumber,
                createdAt: now)
            tombstones[ExactText(key)] = nil
        }
        if let number = Int64(key) { lastIdentity = max(lastIdentity, number) }
        changed(now, revision: version)
    }

    mutating func remove(_ key: String, version: Int, now: Date, stampedAt: Date) {
        guard let record = recordsByKey.removeValue(forKey: ExactText(key)) else { return }
        contentHash ^= record.hash
        tombstones[ExactText(key)] = Tombstone(json: record.json, stampedAt: stampedAt, number: record.number)
        changed(now, revision: version)
    }

    private mutating func changed(_ now: Date, revision: Int) {
        self.revision = revision
        modifiedAt = now
    }
}

extension ServerRecord {
    /// FNV-1a of its key and its version.
    fileprivate var hash: UInt64 {
        "\(key)/\(version)".utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}
