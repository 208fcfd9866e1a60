import Foundation
import GRDB
import LockstepJSON
import LockstepStore

/// A value of a request, and the values that the server had before: if it returns one of those, it has not applied the
/// change (Rules.md, P21).
struct SentValue: Sendable {
    /// The name in the schema.
    let name: String
    /// Where it is in the record's JSON.
    let path: [String]
    /// What was sent; for a link, the identity of the other record.
    let sent: JSONValue
    let former: [JSONValue]
    let part: Part

    /// What it is of the record.
    enum Part: Sendable {
        case columns([Int])
        case link(OutboxLinkChange)
    }

    /// Whether a response shows that it was not applied.
    func isUnapplied(_ returned: JSONValue) -> Bool {
        switch part {
        case .columns:
            former.contains { returned.isSameValue(as: $0) } && !returned.isSameValue(as: sent)
                && !returned.isNormalized(from: sent)
        case .link(let link): returned.members.contains { $0.says(sent) } != link.isAdded
        }
    }
}

extension PushRecord {
    /// The values that the server has accepted and not applied, as its response shows. A member that the response lacks
    /// shows nothing, and neither does the response to a repeated creation: others may have changed the record since.
    func unapplied(in answer: ResponseRecord) -> [SentValue] {
        guard kind != .delete, !isRepeated, plan.tracks(.update), let json = answer.json else { return [] }
        let values = kind == .create ? plan.createdValues : sentValues
        guard !values.isEmpty, let returned = JSONMembers.values(at: values.map(\.path), of: json) else { return [] }
        let pairs = zip(values, returned).compactMap { value, returned in returned.map { (value, $0) } }
        guard kind == .create else { return pairs.filter { $0.isUnapplied($1) }.map(\.0) }
        // Nothing was there before, so that only an empty value can be the former one.
        let empty = pairs.filter { $1.isEmptyValue }
        guard !empty.isEmpty, let sent = try? JSONValue(json: body) else { return [] }
        return empty.map(\.0).filter { value in
            guard let text = sent.value(at: value.path), !text.isEmptyValue else { return false }
            return !JSONValue.string("").isNormalized(from: text)
        }
    }

    /// Whether nothing of an update was applied.
    func isUnapplied(_ values: [SentValue]) -> Bool {
        kind == .update && !values.isEmpty && values.count == sentValues.count && settled.count == 1
    }

    /// Why a change stays although the server has accepted it.
    static func reason(ofUnapplied values: [SentValue]) -> String {
        var names: [String] = []
        for value in values where !names.contains(value.name) { names.append(value.name) }
        return """
            the server accepted the change and did not apply it: \(names.joined(separator: ", ")); make the server \
            accept it and retry, or discard it
            """
    }
}

extension PushRecordReader {
    /// The values of an update, with those that the server had.
    func sentValues(of own: PushRecord.Settled, _ json: JSONValue) throws -> [SentValue] {
        guard let row = own.snapshot.row, let base = own.snapshot.base else { return [] }
        let (plan, unanswered) = (own.plan, own.snapshot.unanswered)
        let writer = RecordJSONWriter(database, ownership: ownership)
        var values: [SentValue] = []
        for column in plan.appliedColumns
        where !base[column].isIdentical(to: row[column]) || unanswered[column] != nil {
            guard let path = plan.columns[column].wire?.path, let sent = json.value(at: path) else { continue }
            let former = [base[column]] + (unanswered[column] ?? []).filter { !$0.isIdentical(to: row[column]) }
            values.append(
                SentValue(
                    name: plan.columns[column].memberName, path: path, sent: sent,
                    former: try former.map { try writer.json(of: $0, column, plan) }, part: .columns([column])))
        }
        for (index, columns) in plan.foreignKeys.enumerated()
        where columns.contains(where: { !base[$0].isIdentical(to: row[$0]) }) {
            let relationship = plan.relationships[index]
            guard case .id(let paths, embedded: _) = relationship.wire, ownership.isSentByKeyHolder(relationship),
                let former = try writer.identity(of: index, columns.map { base[$0] }, plan)
            else { continue }
            for (path, value) in zip(paths.map(\.keys), former) {
                guard let sent = json.value(at: path) else { continue }
                values.append(
                    SentValue(
                        name: relationship.name, path: path, sent: sent, former: [value], part: .columns(columns)))
            }
        }
        return try values + sentLinks(of: own, json, writer)
    }

    private func sentLinks(
        of own: PushRecord.Settled, _ json: JSONValue, _ writer: RecordJSONWriter
    ) throws -> [SentValue] {
        try own.snapshot.links.compactMap { link in
            guard let index = own.plan.relationships.firstIndex(where: { own.plan.linkName(of: $0) == link.name }),
                case .ids(let path, embedded: _) = own.plan.relationships[index].wire,
                json.value(at: path.keys) != nil,
                let key = OutboxRecord.key(link.destination, of: own.plan.relationships[index].destination.entity.plan),
                let identity = try writer.identity(of: index, key.values, own.plan)?.first, identity != .null
            else { return nil }
            return SentValue(
                name: own.plan.relationships[index].name, path: path.keys, sent: identity, former: [],
                part: .link(link))
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

    /// What a creation may contain, and the server may return empty.
    fileprivate var createdValues: [SentValue] {
        appliedColumns.filter { columns[$0].isOptional || columns[$0].type.hasEmptyValue }.compactMap { column in
            columns[column].wire.map {
                SentValue(
                    name: columns[column].memberName, path: $0.path, sent: .null, former: [.null],
                    part: .columns([column]))
            }
        }
            + zip(relationships, foreignKeys).flatMap { relationship, columns -> [SentValue] in
                guard !columns.isEmpty, case .id(let paths, embedded: _) = relationship.wire,
                    relationship.embeddingInverse == nil,
                    columns.allSatisfy({ self.columns[$0].isOptional })
                else { return [] }
                return paths.map {
                    SentValue(
                        name: relationship.name, path: $0.keys, sent: .null, former: [.null], part: .columns(columns))
                }
            }
    }
}

extension OutboxSnapshot {
    /// What is confirmed if the server has not applied some values: those stay a change.
    func without(_ unapplied: [SentValue]) -> OutboxSnapshot {
        var sent = self
        for value in unapplied {
            switch value.part {
            case .columns(let columns): sent.leave(columns: columns)
            case .link(let link): sent.leave([link])
            }
        }
        return sent
    }
}

extension StoredType {
    /// Whether one of its values is empty in JSON: `[]`, `{}` or `null`.
    fileprivate var hasEmptyValue: Bool {
        switch self {
        case .list, .json, .custom: true
        default: false
        }
    }
}

extension JSONValue {
    fileprivate var isEmptyValue: Bool { self == .null || self == .array([]) || self == .object([:]) }

    /// The members of a list, or of a link to one.
    fileprivate var members: [JSONValue] {
        if case .array(let members) = self { return members }
        return self == .null ? [] : [self]
    }

    fileprivate func isSameValue(as other: JSONValue) -> Bool {
        isEmptyValue || other.isEmptyValue ? isEmptyValue == other.isEmptyValue : says(other) && other.says(self)
    }

    /// Whether a server that was sent another value may have written it in this way: with other white space, or without
    /// the fraction of a second.
    fileprivate func isNormalized(from sent: JSONValue) -> Bool {
        switch (self, sent) {
        case (.string(let text), .string(let other)):
            if let date = ISO8601.date(from: text), let sent = ISO8601.date(from: other) {
                return abs(date.timeIntervalSince(sent)) < 1
            }
            return text.split(whereSeparator: \.isWhitespace) == other.split(whereSeparator: \.isWhitespace)
        default: return false
        }
    }
}
