import GRDB
import LockstepEvolution
import LockstepMerge
import LockstepStore

/// A value that a server has accepted and not applied (Rules.md, P21).
struct UnappliedValue: Sendable {
    let sent: SentValue
    /// The values that the server has instead, by the columns of the part.
    let stored: [DatabaseValue]
}

extension PushRecord {
    /// The values that the server has accepted and not applied, as its response shows. A member that the response lacks
    /// shows nothing, and neither does the response to a repeated creation: others may have changed the record since.
    func unapplied(in response: ResponseRecord) -> [UnappliedValue] {
        guard !sentValues.isEmpty, let returned = response.json.flatMap({ try? JSONValue(json: $0) }) else { return [] }
        let tree = ReceivedTree(returned, plan: plan)
        return sentValues.compactMap { value in
            value.stored(unappliedIn: tree).map { UnappliedValue(sent: value, stored: $0) }
        }
    }

    /// Whether nothing of an update was applied.
    func isUnapplied(_ values: [UnappliedValue]) -> Bool {
        let whole = Set(values.lazy.filter(\.sent.isRecord).map(\.sent.recordID))
        let count = sentValues.count { $0.isRecord || !whole.contains($0.recordID) }
        guard kind == .update, !values.isEmpty, values.count == count, departures.isEmpty else { return false }
        let ids = Set(sentValues.map(\.recordID))
        return settled.allSatisfy { ids.contains($0.recordID) || $0.recordID == recordID && $0.snapshot.isUnchanged }
    }

    /// Why a change stays although the server has accepted it.
    ///
    /// - Parameter recordID: The record whose change it is.
    static func reason(ofUnapplied values: [UnappliedValue], at recordID: RecordID) -> String {
        var names: [String] = []
        for value in values.map(\.sent) {
            let isPlain = value.recordID == recordID || value.isRecord
            let name = isPlain ? value.name : "\(value.plan.name).\(value.name)"
            if !names.contains(name) { names.append(name) }
        }
        return """
            the server accepted the change and did not apply it: \(names.joined(separator: ", ")); make the server \
            accept it and retry, or discard it
            """
    }
}

extension PushRecordReader {
    /// The values of a creation or an update, with those that the server had.
    ///
    /// - Parameter json: All of the record. Records that are embedded in it without an identity are passed over: a
    ///   response does not show which is which.
    func sentValues(of settled: [PushRecord.Settled], json: JSONValue, item: PushBatch.Item) throws -> [SentValue] {
        var values: [SentValue] = []
        let sent = ReceivedTree(json, plan: item.plan)
        for settled in settled {
            var member: MemberIdentity?
            if settled.recordID != recordID(of: item) {
                member = try self.member(settled)
                guard let member else { continue }
                if let part = part(of: settled, at: sent.position(of: member)) {
                    values.append(SentValue(plan: settled.plan, recordID: settled.recordID, member: member, part: part))
                }
            }
            guard settled.change.kind != .delete, settled.plan.tracks(.update), let record = sent[member] else {
                continue
            }
            values += try self.values(of: settled, member: member, for: record)
        }
        return values
    }

    /// The identity of an embedded record; `nil` if the server has not assigned it yet.
    private func member(_ settled: PushRecord.Settled) throws -> MemberIdentity? {
        guard let row = settled.snapshot.row ?? settled.snapshot.base else { return nil }
        return try IdentitySpellings(database).identity(of: row, plan: settled.plan).flatMap {
            MemberIdentity($0, plan: settled.plan)
        }
    }

    /// Returns the part of an embedded record that is sent as a whole; `nil` if the server has it in its place already.
    private func part(of settled: PushRecord.Settled, at position: MemberPosition?) -> SentValue.Part? {
        if settled.change.kind == .delete { return .deletion }
        guard let position, let row = settled.snapshot.row else { return nil }
        guard settled.change.kind == .update, let base = settled.snapshot.base else { return .addition(position) }
        let columns = settled.plan.ownerColumns.joined()
        return columns.allSatisfy { base[$0].isIdentical(to: row[$0]) } ? nil : .addition(position)
    }

    private func values(
        of settled: PushRecord.Settled, member: MemberIdentity?, for record: ReceivedRecord
    ) throws -> [SentValue] {
        let (plan, snapshot) = (settled.plan, settled.snapshot)
        let isNew = settled.change.kind == .create
        guard let row = snapshot.row, isNew || snapshot.base != nil else { return [] }
        let writer = RecordJSONWriter(database, ownership: ownership)
        var values: [SentValue] = []
        func add(_ part: SentValue.Part, sent: JSONValue?, former: [SentValue.Former]) {
            guard let sent, isNew || !former.isEmpty else { return }
            values.append(
                SentValue(
                    plan: plan, recordID: settled.recordID, member: member, part: part, sent: sent, former: former))
        }
        for column in plan.appliedColumns {
            let former = try snapshot.former([column]).map {
                SentValue.Former(json: try writer.json(of: $0[0], column: column, plan: plan), stored: $0)
            }
            add(.attribute(column, local: row[column]), sent: record.attribute(column), former: former)
        }
        for (index, columns) in plan.foreignKeys.enumerated() where !columns.isEmpty {
            let relationship = plan.relationships[index]
            guard case .id(let paths, _) = relationship.wire, ownership.isSentByKeyHolder(relationship) else {
                continue
            }
            let former = try snapshot.former(columns).compactMap { key in
                try writer.identity(of: index, key: key, plan: plan).map { (identity: $0, key: key) }
            }
            for part in paths.indices {
                add(
                    .key(columns, of: index, part: part), sent: record.key(of: index, part: part),
                    former: former.map { .init(json: $0.identity[part], stored: $0.key) })
            }
        }
        return try values + links(of: settled, member: member, for: record, writer: writer)
    }

    private func links(
        of settled: PushRecord.Settled, member: MemberIdentity?, for record: ReceivedRecord, writer: RecordJSONWriter
    ) throws -> [SentValue] {
        let plan = settled.plan
        return try settled.snapshot.links.compactMap { link in
            guard let index = plan.relationships.firstIndex(where: { plan.linkName(of: $0) == link.name }),
                case .ids = plan.relationships[index].wire, record.identities(of: index) != nil
            else { return nil }
            let destination = plan.relationships[index].destination
            guard let key = OutboxRecord.key(link.destination, of: destination),
                let identity = try writer.identity(of: index, key: key.values, plan: plan)?.first, identity != .null
            else { return nil }
            return SentValue(
                plan: plan, recordID: settled.recordID, member: member, part: .link(link, of: index), sent: identity)
        }
    }
}

extension EntityPlan {
    /// The columns of attributes whose values a server is expected to apply: it does not choose them itself.
    fileprivate var appliedColumns: [Int] {
        columns.indices.filter { column in
            guard let wire = columns[column].wire, !wire.isReadOnly else { return false }
            return !keyColumns.contains(column) && column != remoteColumn && column != versionColumn
        }
    }
}

extension OutboxSnapshot {
    /// Whether the record itself does not differ from what the server has.
    var isUnchanged: Bool { change.kind == .update && isRowUnchanged && links.isEmpty && unconfirmed.isEmpty }

    private var isRowUnchanged: Bool {
        guard let row, let base else { return false }
        return zip(row, base).allSatisfy { $0.isIdentical(to: $1) }
    }

    /// The values of columns that the server may have instead of those that are sent: the ones before the first
    /// unconfirmed change, and those that were sent since then without a response. Empty for a creation.
    fileprivate func former(_ columns: [Int]) -> [[DatabaseValue]] {
        guard change.kind != .create, let base, let row else { return [] }
        let sent = columns.map { unconfirmed[$0] ?? [] }
        let later = (0..<(sent.map(\.count).max() ?? 0)).map { number in
            zip(columns, sent).map { $1.indices.contains(number) ? $1[number] : $1.last ?? base[$0] }
        }
        return ([columns.map { base[$0] }] + later).filter { !$0.isIdentical(to: columns.map { row[$0] }) }
    }

    /// Returns the snapshot to confirm if the server has not applied some values: those stay a change of the values
    /// that it has instead.
    func without(_ unapplied: [UnappliedValue]) -> OutboxSnapshot {
        var sent = self
        // Even if only values of embedded records were not applied.
        sent.leave(columns: [])
        for value in unapplied {
            switch value.sent.part {
            case .attribute(let column, local: _): sent.row?[column] = value.stored[0]
            case .key(let columns, of: _, part: _):
                for (column, stored) in zip(columns, value.stored) { sent.row?[column] = stored }
            case .link(let link, of: _): sent.leave([link])
            case .addition, .deletion: break
            }
        }
        return sent
    }
}
