import Foundation
import GRDB
import LockstepJSON
import LockstepStore

extension InspectionReader {
    func syncState() throws -> InspectionReport.SyncState {
        let rows = SyncRows(database)
        return InspectionReport.SyncState(
            pause: pause, collections: try collections(rows), waitingLinks: try waitingLinks(rows),
            awaitedRecords: counts(try rows.awaitedRecords()), versions: counts(try rows.versions()),
            membersWithoutIdentity: counts(try rows.sentMembers()))
    }

    /// The current pause, if it has not ended.
    private var pause: InspectionReport.Pause? {
        guard let date = SyncMetadata.pause({ metadata[$0] })?.end, date > options.at else { return nil }
        let error = metadata[SyncMetadata.pauseError].flatMap { try? JSONValue(parsing: $0) }
        return InspectionReport.Pause(
            until: date, by: metadata[SyncMetadata.pausedBy] == "server" ? "server" : "network",
            attempts: metadata[SyncMetadata.pauseAttempts].flatMap { Int($0) } ?? 0,
            error: error.flatMap(InspectionReport.ErrorCode.init))
    }

    private func collections(_ rows: SyncRows) throws -> [InspectionReport.Collection] {
        let validators = try rows.validators()
        return Dictionary(grouping: validators, by: \.entity).map { entity, all in
            let (watermarks, responses) = (all.filter(\.isWatermark), all.filter { !$0.isWatermark })
            return InspectionReport.Collection(
                entity: entity, validators: responses.count, lastResponse: responses.compactMap(\.at).max(),
                watermarks: watermarks.count, wholeAt: watermarks.compactMap(\.at).max())
        }.sorted { $0.entity < $1.entity }
    }

    private func waitingLinks(_ rows: SyncRows) throws -> [InspectionReport.WaitingLink] {
        let plans = schema.plans
        return try rows.waitingLinks().map { link in
            let parts = link.relationship.split(separator: ".", maxSplits: 1).map(String.init)
            let owner = plans[parts.first ?? ""]
            let relationship = owner?.relationships.first { $0.name == parts.last }
            let key = owner.map { WaitingLinkTable.owner(link.owner, of: $0) } ?? RecordKey(link.owner)
            return InspectionReport.WaitingLink(
                relationship: link.relationship, owner: values.identity(key, of: owner),
                member: values.identity(RecordKey(link.member), of: relationship?.destination))
        }
    }

    private func counts(_ counts: [String: Int]) -> [InspectionReport.Count] {
        counts.sorted { $0.key < $1.key }.map {
            InspectionReport.Count(entity: $0.key, count: $0.value)
        }
    }

    // MARK: Conflicts

    func conflicts() throws -> [InspectionReport.Conflict] {
        let plans = schema.plans
        return try SyncRows(database).conflicts(plans).map { entry in
            let hasValues = options.includesValues
            return InspectionReport.Conflict(
                entity: entry.entity, record: values.identity(entry.key, of: plans[entry.entity]),
                member: entry.member, lost: entry.lost, rule: entry.rule, at: entry.date,
                base: hasValues ? entry.base : nil, local: hasValues ? entry.local : nil,
                remote: hasValues ? entry.remote : nil)
        }
    }

    // MARK: Leftovers

    func leftovers() throws -> [InspectionReport.Leftover] {
        let plans = schema.plans
        return try SyncRows(database).leftovers().map { leftover in
            let plan = plans[leftover.entity]
            // A copy from another store keeps the record as text.
            let key = plan.flatMap { OutboxRecord.key(leftover.record, of: $0) } ?? RecordKey(leftover.record)
            return InspectionReport.Leftover(
                entity: leftover.entity, record: values.identity(key, of: plan), member: leftover.member,
                version: leftover.version, at: leftover.at, value: options.includesValues ? leftover.value : nil,
                reason: options.includesValues ? leftover.reason : nil)
        }
    }

    // MARK: Attachments

    func attachments(_ files: AttachmentFiles) throws -> InspectionReport.Attachments? {
        guard schema.plans.contains(where: { !$0.attachmentColumns.isEmpty }) else { return nil }
        let references = try AttachmentColumns(of: schema.plans, in: database).references(database)
        let transfers = Dictionary(grouping: try SyncRows(database).transfers(), by: \.hash)
        var result = InspectionReport.Attachments(referenced: references.count)
        var missing: [String] = []
        for reference in references {
            let known = transfers[reference.hash] ?? []
            let isUploaded = known.contains(where: \.isUploaded)
            if known.contains(where: { $0.attempts > 0 }) { result.failing += 1 }
            if files.has(reference) {
                result.present += 1
                result.presentSize += reference.byteCount
                if !isUploaded { result.notUploaded += 1 }
            } else {
                result.missing += 1
                if isUploaded { result.missingButUploaded += 1 }
                missing.append(reference.text)
            }
        }
        if options.includesValues { result.missingReferences = missing.sorted() }
        let others = files.others(than: Set(references.map(\.hash)))
        (result.unused, result.unusedSize) = (others.count, others.reduce(0) { $0 + $1.size })
        (result.incomplete, result.damaged) = files.incompleteCounts()
        return result
    }
}
