public import Foundation
public import LockstepStore

/// A stored record.
public struct ServerRecord: Sendable, Hashable {
    /// The last part of its address: the identity as text.
    public let key: String
    public internal(set) var json: JSONValue
    /// A number that changes with each change. It is never one that the record, or a record that it replaced, had
    /// before.
    public internal(set) var version: Int
    public internal(set) var modifiedAt: Date
    /// Its position among the records.
    let number: Int
}

/// The records of one collection, in the order in which they were created.
public struct ServerCollection: Sendable {
    /// A number that changes with each change to the collection.
    public internal(set) var revision = 0
    public internal(set) var modifiedAt: Date?
    /// The keys of deleted records.
    public internal(set) var gone: Set<String> = []
    private var recordsByKey: [String: ServerRecord] = [:]
    /// The keys in order, including gaps of deleted records.
    private var order: [(key: String, number: Int)] = []
    private var lastNumber = 0
    /// The largest number that was used or assigned as an identity.
    var lastIdentity: Int64 = 0

    public var count: Int { recordsByKey.count }

    public subscript(key: String) -> ServerRecord? { recordsByKey[key] }

    /// The records in order.
    public var records: [ServerRecord] {
        order.compactMap { key, number in
            guard let record = recordsByKey[key], record.number == number else { return nil }
            return record
        }
    }

    /// A part of the records in order, without going through the others.
    mutating func records(from start: Int, count: Int) -> [ServerRecord] {
        if order.count > recordsByKey.count { order.removeAll { recordsByKey[$0.key]?.number != $0.number } }
        guard start < order.count, start >= 0 else { return [] }
        return order[start..<min(start + max(count, 0), order.count)].compactMap { recordsByKey[$0.key] }
    }

    mutating func put(_ json: JSONValue, at key: String, version: Int, now: Date) {
        if recordsByKey[key] != nil {
            recordsByKey[key]?.json = json
            recordsByKey[key]?.version = version
            recordsByKey[key]?.modifiedAt = now
        } else {
            lastNumber += 1
            order.append((key, lastNumber))
            recordsByKey[key] = ServerRecord(
                key: key, json: json, version: version, modifiedAt: now, number: lastNumber)
            gone.remove(key)
        }
        if let number = Int64(key) { lastIdentity = max(lastIdentity, number) }
        changed(now, revision: version)
    }

    mutating func remove(_ key: String, version: Int, now: Date) {
        guard recordsByKey.removeValue(forKey: key) != nil else { return }
        gone.insert(key)
        changed(now, revision: version)
    }

    private mutating func changed(_ now: Date, revision: Int) {
        self.revision = revision
        modifiedAt = now
    }
}
