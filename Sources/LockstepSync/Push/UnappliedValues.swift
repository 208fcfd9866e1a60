import GRDB
import LockstepStore

/// A value that a server has accepted and not applied (Rules.md, P21).
struct UnappliedValue: Sendable {
    let sent: SentValue
    /// What it has instead, by the columns of the part.
    let stored: [DatabaseValue]
}

extension PushRecord {
    /// The values that the server has accepted and not applied, as its response shows. A member that the response lacks
    /// shows nothing, and neither does the response to a repeated creation: others may have changed the record since.
    func unapplied(in answer: ResponseRecord) -> [UnappliedValue] {
        guard !sentValues.isEmpty, let json = answer.json, let returned = try? JSONValue(json: json) else { return [] }
        let members = sentValues.contains { $0.member != nil } ? returned.members(of: plan) : [:]
        return sentValues.compactMap { value in
            let record = value.member.map { members[$0] } ?? returned
            guard let returned = record?.value(at: value.path), let stored = value.stored(unapplied: returned) else {
                return nil
            }
            return UnappliedValue(sent: value, stored: stored)
        }
    }

    /// Whether nothing of an update was applied.
    func isUnapplied(_ values: [UnappliedValue]) -> Bool {
        guard kind == .update, !values.isEmpty, values.count == sentValues.count, departures.isEmpty else {
            return false
        }
        let places = Set(sentValues.map(\.place))
        return settled.allSatisfy { places.contains($0.place) || $0.place == place && $0.snapshot.isUnchanged }
    }

    /// Why a change stays although the server has accepted it.
    ///
    /// - Parameter place: The record whose change it is.
    static func reason(ofUnapplied values: [UnappliedValue], at place: RecordPlace) -> String {
        var names: [String] = []
        for value in values.map(\.sent) {
            let name = value.place == place ? value.name : "\(value.plan.name).\(value.name)"
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
    func sentValues(
        of settled: [PushRecord.Settled], _ json: JSONValue, _ item: PushBatch.Item
    ) throws -> [SentValue] {
        var values: [SentValue] = []
        var members: [MemberIdentity: JSONValue]?
        for settled in settled where settled.change.kind != .delete && settled.plan.tracks(.update) {
            guard let row = settled.snapshot.row else { continue }
            if settled.place == place(item) {
                values += try self.values(of: settled, row, nil, json)
                continue
            }
            let known = members ?? json.members(of: item.plan)
            members = known
            let identity = try IdentitySpellings(database).identity(of: row, settled.plan)
            guard let member = identity.flatMap({ MemberIdentity($0, settled.plan) }), let json = known[member] else {
                continue
            }
            values += try self.values(of: settled, row, member, json)
        }
        return values
    }

    private func values(
        of settled: PushRecord.Settled, _ row: [DatabaseValue], _ member: MemberIdentity?, _ json: JSONValue
    ) throws -> [SentValue] {
        let base = settled.change.kind == .create ? nil : settled.snapshot.base
        guard base != nil || settled.change.kind == .create else { return [] }
        let (plan, place, unanswered) = (settled.plan, settled.place, settled.snapshot.unanswered)
        let writer = RecordJSONWriter(database, ownership: ownership)
        var values: [SentValue] = []
        for column in plan.appliedColumns {
            if let base, base[column].isIdentical(to: row[column]), unanswered[column] == nil { continue }
            guard let path = plan.columns[column].wire?.path, let sent = json.value(at: path) else { continue }
            let former = try base.map { base in
                try ([base[column]] + (unanswered[column] ?? []).filter { !$0.isIdentical(to: row[column]) }).map {
                    SentValue.Former(json: try writer.json(of: $0, column, plan), stored: [$0])
                }
            }
            values.append(
                SentValue(
                    plan: plan, place: place, member: member, name: plan.columns[column].memberName, path: path,
                    sent: sent, former: former ?? [], part: .attribute(column, local: row[column])))
        }
        for (index, columns) in plan.foreignKeys.enumerated() where !columns.isEmpty {
            let relationship = plan.relationships[index]
            guard case .id(let paths, embedded: _) = relationship.wire, ownership.isSentByKeyHolder(relationship) else {
                continue
            }
            let key = base.map { base in columns.map { base[$0] } }
            if let key, zip(key, columns).allSatisfy({ $0.isIdentical(to: row[$1]) }) { continue }
            // What a creation requires cannot have come back empty.
            if key == nil, !columns.allSatisfy({ plan.columns[$0].isOptional }) { continue }
            var former: [JSONValue] = []
            if let key {
                guard let identity = try writer.identity(of: index, key, plan) else { continue }
                former = identity
            }
            let identities = relationship.destination.entity.plan.serverKeyPaths
            for (part, path) in paths.map(\.keys).enumerated() {
                guard let sent = json.value(at: path) else { continue }
                values.append(
                    SentValue(
                        plan: plan, place: place, member: member, name: relationship.name, path: path, sent: sent,
                        former: former.isEmpty ? [] : [.init(json: former[part], stored: key ?? [])],
                        part: .key(columns, identity: part < identities.count ? identities[part] : [])))
            }
        }
        return try values + links(of: settled, member, json, writer)
    }

    private func links(
        of settled: PushRecord.Settled, _ member: MemberIdentity?, _ json: JSONValue, _ writer: RecordJSONWriter
    ) throws -> [SentValue] {
        let plan = settled.plan
        return try settled.snapshot.links.compactMap { link in
            guard let index = plan.relationships.firstIndex(where: { plan.linkName(of: $0) == link.name }),
                case .ids(let path, embedded: _) = plan.relationships[index].wire, json.value(at: path.keys) != nil
            else { return nil }
            let destination = plan.relationships[index].destination.entity.plan
            guard let key = OutboxRecord.key(link.destination, of: destination),
                let identity = try writer.identity(of: index, key.values, plan)?.first, identity != .null
            else { return nil }
            return SentValue(
                plan: plan, place: settled.place, member: member, name: plan.relationships[index].name,
                path: path.keys, sent: identity,
                part: .link(link, identity: destination.serverKeyPaths.first ?? []))
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
    var isUnchanged: Bool { change.kind == .update && isRowUnchanged && links.isEmpty && unanswered.isEmpty }

    private var isRowUnchanged: Bool {
        guard let row, let base else { return false }
        return zip(row, base).allSatisfy { $0.isIdentical(to: $1) }
    }

    /// What is confirmed if the server has not applied some values: those stay a change of what it has instead.
    func without(_ unapplied: [UnappliedValue]) -> OutboxSnapshot {
        var sent = self
        // Even if only values of embedded records were not applied.
        sent.leave(columns: [])
        for value in unapplied {
            switch value.sent.part {
            case .attribute(let column, local: _): sent.row?[column] = value.stored[0]
            case .key(let columns, identity: _):
                for (column, stored) in zip(columns, value.stored) { sent.row?[column] = stored }
            case .link(let link, identity: _): sent.leave([link])
            }
        }
        return sent
    }
}
