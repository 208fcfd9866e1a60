import Foundation
import GRDB
import LockstepJSON
import LockstepStore

/// Counts what is copied, and keeps the rest in the store's leftovers.
final class CopyRecorder {
    private let database: Database
    private let version: Int
    private let now: Date
    private var counts: [String: CoreDataCopy.Count] = [:]
    private var problems: [ProblemKey: CoreDataCopy.Problem] = [:]
    private var order: [ProblemKey] = []
    var joinedLinks = 0

    /// Reasons that are given in several places.
    enum Reason {
        static let keptAside = "its destination was kept aside"
    }

    private struct ProblemKey: Hashable {
        let kind: CoreDataCopy.Problem.Kind
        let entity: String
        let member: String?
        let reason: String
    }

    init(_ database: Database, version: Int, now: Date) {
        (self.database, self.version, self.now) = (database, version, now)
    }

    func begin(_ entity: CopiedEntity) { counts[entity.name, default: CoreDataCopy.Count()].copied += 0 }

    func countCopied(_ entity: CopiedEntity) { counts[entity.name, default: CoreDataCopy.Count()].copied += 1 }

    /// Keeps a whole row.
    func keepRow(_ entity: CopiedEntity, number: Int64, row: RawRow, member: String?, reason: String) throws {
        counts[entity.name, default: CoreDataCopy.Count()].keptAside += 1
        let text = member.map { "\($0): \(reason)" } ?? reason
        try LeftoverTable.keep(
            entity.plan.name, record: entity.text(of: number), member: nil, value: Self.json(entity, in: row),
            version: version, reason: text, at: now, in: database)
        count(.row, of: entity, for: entity.text(of: number), member: member, reason: reason)
    }

    /// Keeps a value whose record was copied without it.
    func keepValue(_ entity: CopiedEntity, number: Int64, value: DatabaseValue, member: String, reason: String) throws {
        try keep(
            .value, of: entity, for: entity.text(of: number), value: Self.json(value), member: member, reason: reason)
    }

    /// Keeps a link that leads to no record.
    func keepLink(_ entity: CopiedEntity, for record: String, member: String, to other: String, reason: String) throws {
        try keep(.link, of: entity, for: record, value: .string(other), member: member, reason: reason)
    }

    private func keep(
        _ kind: CoreDataCopy.Problem.Kind, of entity: CopiedEntity, for record: String, value: JSONValue,
        member: String, reason: String
    ) throws {
        try LeftoverTable.keep(
            entity.plan.name, record: record, member: member, value: StoredJSON.text(of: value), version: version,
            reason: reason, at: now, in: database)
        count(kind, of: entity, for: record, member: member, reason: reason)
    }

    private func count(
        _ kind: CoreDataCopy.Problem.Kind, of entity: CopiedEntity, for record: String, member: String?, reason: String
    ) {
        let key = ProblemKey(kind: kind, entity: entity.name, member: member, reason: reason)
        if problems[key] == nil {
            order.append(key)
            problems[key] = CoreDataCopy.Problem(
                kind: kind, entity: entity.name, member: member, reason: reason, firstRow: record)
        }
        problems[key]?.count += 1
    }

    func result(_ findings: [String]) -> CoreDataCopy {
        CoreDataCopy(
            entities: counts, joinedLinks: joinedLinks, problems: order.compactMap { problems[$0] },
            findings: findings, date: now)
    }

    // MARK: JSON

    /// All values of a row, by the names of the model's properties; other columns by their own names.
    private static func json(_ entity: CopiedEntity, in row: RawRow) -> String {
        let names = Dictionary(entity.properties.map { ($1, $0) }) { first, _ in first }
        var members: JSONObject = [:]
        for (index, column) in entity.columns.enumerated() where !row.isNull(index) {
            if ["Z_PK", "Z_ENT", "Z_OPT"].contains(column) { continue }
            members[names[index] ?? column] = json(row.value(index))
        }
        return StoredJSON.text(of: .object(members))
    }

    /// JSON has no numbers that are infinite or none.
    private static func json(_ value: DatabaseValue) -> JSONValue {
        if case .double(let number) = value.storage, !number.isFinite { return .string("\(number)") }
        return JSONValue(storedScalar: value)
    }
}
