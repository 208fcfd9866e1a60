import Foundation
import GRDB
import LockstepEvolution
import LockstepJSON
import LockstepStore

extension InspectionReader {
    func outbox() throws -> InspectionReport.Outbox {
        let rows = OutboxRows(database)
        let isDisabled = try rows.isQuiet()
        let all = try rows.changes()
        let links = Dictionary(grouping: try rows.links()) {
            RecordOfEntity(entity: $0.entity, record: RecordKey($0.record))
        }
        var routes: [String: String] = [:]
        for route in OutboxLinkRoute.links(of: schema.plans) {
            routes[route.name] = route.owner.relationships[route.relationship].name
        }
        let holders = try self.holders(of: Set(all.map(\.entity)), rows: rows)
        let failures = self.failures
        var reported: [InspectionReport.Change] = []
        for (entity, changes) in Dictionary(grouping: all, by: \.entity) {
            let contents = try RecordContents(
                of: holders[entity]?.plan, named: entity, rows: rows,
                includesValues: options.includesValues && options.isIncluded(entity))
            for change in changes {
                let record = InspectedRecord(change: change, holder: holders[entity], contents: contents)
                let own = links[RecordOfEntity(entity: entity, record: RecordKey(change.record))] ?? []
                reported.append(
                    self.change(record, links: Self.links(own, routes: routes), failure: failures[change.id]))
            }
        }
        return InspectionReport.Outbox(reported.sorted { $0.id < $1.id }, isDisabled: isDisabled)
    }

    /// An entity's changes, and the entity whose table they belong to.
    struct Holder {
        let plan: EntityPlan
        let isUnclaimed: Bool
    }

    /// A change, with what is known about the record.
    struct InspectedRecord {
        let change: OutboxRows.Change
        let holder: Holder?
        let contents: RecordContents
    }

    /// The contents of an entity's changed records, by their keys in the outbox's encoding. Rows are large, and are
    /// read only if they are shown.
    struct RecordContents {
        /// The columns that differ from those before the first unconfirmed change, of records that have both.
        var changes: [RecordKey: Set<Int>] = [:]
        var current: [RecordKey: [DatabaseValue]] = [:]
        var former: [RecordKey: [DatabaseValue]] = [:]

        fileprivate init(of plan: EntityPlan?, named entity: String, rows: OutboxRows, includesValues: Bool) throws {
            guard let plan else { return }
            changes = try rows.changedColumns(of: plan, named: entity)
            guard includesValues else { return }
            current = try rows.current(of: plan, named: entity)
            former = try rows.former(of: plan, named: entity)
        }
    }

    private struct RecordOfEntity: Hashable {
        let entity: String
        let record: RecordKey
    }

    private func holders(of names: Set<String>, rows: OutboxRows) throws -> [String: Holder] {
        let (claims, tables) = (OutboxClaims(schema.plans), try rows.tables())
        var holders: [String: Holder] = [:]
        for name in names {
            if claims.isClaimed(name), let plan = schema.plans[name] {
                holders[name] = Holder(plan: plan, isUnclaimed: false)
            } else if let plan = schema.plans.first(where: { $0.table == tables[name] }) {
                holders[name] = Holder(plan: plan, isUnclaimed: true)
            }
        }
        return holders
    }

    private static func links(_ links: [OutboxRows.Links], routes: [String: String]) -> [InspectionReport.LinkChange] {
        Dictionary(grouping: links, by: \.link).map { link, changes in
            let added = changes.filter(\.isAdded).reduce(0) { $0 + $1.count }
            let removed = changes.filter { !$0.isAdded }.reduce(0) { $0 + $1.count }
            return InspectionReport.LinkChange(relationship: routes[link] ?? link, added: added, removed: removed)
        }.sorted { $0.relationship < $1.relationship }
    }

    // MARK: A change

    private func change(
        _ record: InspectedRecord, links: [InspectionReport.LinkChange], failure: Failure?
    ) -> InspectionReport.Change {
        let (change, plan) = (record.change, record.holder?.plan)
        let key = plan.map { OutboxRecord.key(change.record, of: $0) } ?? RecordKey(change.record)
        let error = failure.flatMap { $0.reason == change.error ? $0.error : nil }
        return InspectionReport.Change(
            id: change.id, entity: change.entity, record: values.identity(key, of: plan),
            kind: change.kind.map(InspectionReport.Change.Kind.init) ?? .unknown, since: change.since,
            attempts: change.attempts, retryAt: change.retryAt, isSent: change.isSent,
            isInside: plan?.travelsInside ?? false, isUnclaimed: record.holder?.isUnclaimed ?? true,
            changed: record.changedMembers, links: links, error: error,
            parked: change.parkedStatus.map { parked($0, change: change, of: plan) },
            lastError: options.includesValues ? change.error : nil,
            values: options.includesValues ? record.memberValues : nil)
    }

    private func parked(_ status: Int, change: OutboxRows.Change, of plan: EntityPlan?) -> InspectionReport.Parked {
        let response = change.parkedBody.map { String(decoding: $0, as: UTF8.self) }
        return InspectionReport.Parked(
            status: status, meaning: ParkingReason(status: status, error: change.error).text,
            attributes: plan.flatMap { plan in change.parkedBody.map { ResponseMembers(plan).names(in: $0) } } ?? [],
            response: options.includesValues ? response ?? change.error : nil)
    }

    // MARK: Errors of retried changes

    struct Failure {
        let error: InspectionReport.ErrorCode
        let reason: String?
    }

    /// The kinds of the last errors that a sync has stored, by change.
    private var failures: [Int64: Failure] {
        guard let text = metadata[SyncMetadata.failures], case .array(let list)? = try? JSONValue(parsing: text) else {
            return [:]
        }
        var failures: [Int64: Failure] = [:]
        for case .object(let failure) in list {
            guard case .integer(let change)? = failure["change"], let error = failure["error"],
                let code = InspectionReport.ErrorCode(error), case .object(let members) = error
            else { continue }
            var reason: String?
            if case .string(let text)? = members["reason"] { reason = text }
            failures[change] = Failure(error: code, reason: reason)
        }
        return failures
    }
}

extension InspectionReport.ErrorCode {
    /// - Parameter stored: An error as a sync stores it. Its texts are not used.
    init?(_ stored: JSONValue) {
        guard case .object(let members) = stored, case .string(let code)? = members["code"] else { return nil }
        self.init(code: code)
        if case .integer(let number)? = members["status"] { status = Int(number) }
    }
}

extension InspectionReport.Change.Kind {
    fileprivate init(_ change: OutboxChange) {
        switch change {
        case .create: self = .create
        case .update: self = .update
        case .delete: self = .delete
        }
    }
}

extension InspectionReader.InspectedRecord {
    /// The columns that can differ.
    private var columns: [Int] {
        guard let plan = holder?.plan else { return [] }
        return plan.columns.indices.filter { !plan.keyColumns.contains($0) && $0 != plan.versionColumn }
    }

    var changedMembers: [String] {
        guard let plan = holder?.plan, let changes = contents.changes[RecordKey(change.record)] else { return [] }
        return columns.filter(changes.contains).map { plan.memberName(ofColumn: $0) }.withoutRepetitions
    }

    /// The values that differ; all of a record that the server does not have, and of one that was deleted.
    var memberValues: [InspectionReport.MemberValue] {
        guard let plan = holder?.plan else { return [] }
        let key = RecordKey(change.record)
        let (changes, current, former) = (contents.changes[key], contents.current[key], contents.former[key])
        return columns.filter { changes?.contains($0) ?? true }.compactMap { column in
            let description = plan.columns[column]
            func json(_ row: [DatabaseValue]?) -> JSONValue? {
                row.map { description.type.readable($0[column]) }
            }
            let (base, now) = (json(former), json(current))
            if (base ?? .null) == .null, (now ?? .null) == .null { return nil }
            return InspectionReport.MemberValue(name: plan.memberName(ofColumn: column), base: base, now: now)
        }
    }
}

extension EntityPlan {
    /// The member that a change of the column changes: of a position, the list of its owner.
    fileprivate func memberName(ofColumn column: Int) -> String {
        guard case .position(let link) = columns[column].content else { return columns[column].memberName }
        return relationships.first { $0.name == link }?.inverse ?? link
    }
}

extension [String] {
    fileprivate var withoutRepetitions: [String] {
        var known: Set<String> = []
        return filter { known.insert($0).inserted }
    }
}
