import Foundation
import GRDB
import LockstepJSON
import LockstepStore

// The version attribute of a record (Rules.md, C4): a write is sent with the value that the server returned last, never
// with that of a row that was changed locally.

extension PushRecord {
    /// Whether the record has a version attribute whose value on the server is not known.
    var lacksVersionAttribute: Bool { plan.versionColumn != nil && versionAttribute == nil }

    /// Whether the request names the version that it was made against.
    var namesVersion: Bool { version != nil || versionAttribute != nil }

    /// Notes, when a response is merged, whether it contained the version: after a write whose response lacks it, the
    /// local value is stale.
    func noteVersionAttribute(in response: ResponseRecord, database: Database) throws {
        guard let column = plan.versionColumn, let path = plan.versionPath else { return }
        let version = response.json.flatMap { JSONMembers.values(at: [path], of: $0)?.first ?? nil } ?? .null
        // If the record was merged, its version is kept with it.
        guard version == .null else { return }
        let base = try OutboxWriter(database, plan: plan).base(of: key)
        let values = try base ?? database.valueRows(plan.findSQL, with: key.values).first
        guard let value = values?[column], !value.isNull else {
            return try ReceivedVersionTable.forget(key, in: plan, database: database)
        }
        try ReceivedVersionTable.keep(ReceivedVersionTable.unknown, of: value, key: key, in: plan, database: database)
    }
}

extension PushRecordReader {
    /// The value of a record's version attribute as the server last returned it.
    ///
    /// - Parameters:
    ///   - row: The local record.
    ///   - base: The record before it was changed locally.
    func versionAttribute(
        of item: PushBatch.Item, row: [DatabaseValue]?, base: [DatabaseValue]?
    ) throws -> OutgoingChange.VersionAttribute? {
        let plan = item.plan
        guard let column = plan.versionColumn, let path = plan.versionPath, let values = base ?? row,
            !values[column].isNull
        else { return nil }
        let received = try ReceivedVersionTable.json(of: values[column], key: item.key, in: plan, database: database)
        if received == ReceivedVersionTable.unknown { return nil }
        let value =
            try received.flatMap { try? JSONValue(json: Data($0.utf8)) }
            ?? RecordJSONWriter(database).json(of: values[column], column: column, plan: plan)
        return OutgoingChange.VersionAttribute(path: path, value: value)
    }
}

extension EntityPlan {
    /// The keys that lead to the version attribute in a record's JSON; `nil` if there is none.
    var versionPath: [String]? { versionColumn.flatMap { columns[$0].wire?.path } }
}

extension JSONValue {
    /// The record with its version.
    func setting(_ version: OutgoingChange.VersionAttribute?) -> JSONValue {
        version.map { setting($0.value, at: $0.path) } ?? self
    }
}
