import Foundation
import GRDB
import LockstepEvolution
import LockstepJSON
import LockstepTables

/// Reads representations into the staging area, as `RecordReader` does with JSON. Both are handled identically from
/// there.
final class RepresentationReader: WireCollector {
    private let reader: RecordReader
    private var staging: Staging { reader.staging }
    /// For each entity.
    private let fieldsOfEntities: [WireFields]
    /// The record that is being read; `nil` between records.
    private var current: RecordReader.StagedRow?
    /// The problem of the record, if it is invalid.
    private var problem: RecordProblem?
    /// Writes the JSON that representations keep.
    private var writer = OrderedRecordWriter()
    /// The entity to use if there is no current record.
    private let root: MergeEntity
    /// An error that could not be thrown through a representation.
    private var failure: (any Error)?

    /// - Parameter root: The entity of the top-level records.
    init(_ reader: RecordReader, root: MergeEntity) {
        self.reader = reader
        fieldsOfEntities = reader.plan.entities.map { WireFields($0.plan) }
        self.root = root
    }

    /// Reads one representation, and the records that are embedded in it.
    ///
    /// - Returns: The row.
    /// - Throws: Errors of the recorder if an invalid record aborts the merge.
    @discardableResult
    func read(_ value: some WireObject, of entity: MergeEntity, origin: Origin) throws -> Int {
        if entity.identityKeys != nil { return try keep(value, of: entity, origin: origin) }
        let outer = (current, problem)
        defer { (current, problem) = outer }
        let table = staging.tables[entity.index]
        let row = table.append(origin)
        let target = RecordReader.StagedRow(entity: entity, table: table, row: row, record: origin.record)
        (current, problem) = (target, nil)
        value.collect(into: self)
        if let failure { throw failure }
        for other in value.omittedKeys.allOtherForms where !other.isBesideKey {
            if let link = entity.plan.relationship(inOtherFormAt: other.path) {
                reader.dropIncompleteKey(link, into: target)
            }
        }
        try reader.finish(target, problem: problem)
        return row
    }

    /// Keeps a record for its hooks, which get it encoded as JSON.
    private func keep(_ value: some WireObject, of entity: MergeEntity, origin: Origin) throws -> Int {
        var scanner: JSONScanner
        do {
            let encoder = JSONValueEncoder(userInfo: [.writesOtherForms: true])
            try value.encode(to: encoder)
            scanner = try self.scanner(of: encoder.value, plan: entity.plan)
        } catch {
            let row = staging.tables[entity.index].append(origin)
            try reader.skip(
                row, of: entity, problem: RecordProblem([], reason: "cannot be written as JSON for its hooks"))
            return row
        }
        let row = try reader.read(&scanner, of: entity, origin: origin)
        let table = staging.tables[entity.index]
        let target = RecordReader.StagedRow(entity: entity, table: table, row: row, record: origin.record)
        for (key, isComposite) in value.omittedKeys.unreadKeys.sorted(by: { $0.key < $1.key }) {
            reader.noteUnread(key, isComposite: isComposite, into: target)
        }
        return row
    }

    /// Reads a record from its JSON.
    ///
    /// - Returns: The row.
    func read(_ json: JSONValue, of entity: MergeEntity, origin: Origin) throws -> Int {
        var scanner = try scanner(of: json, plan: entity.plan)
        return try reader.read(&scanner, of: entity, origin: origin)
    }

    /// A scanner of a record's JSON, which is copied into the staging area.
    private func scanner(of json: JSONValue, plan: EntityPlan) throws -> JSONScanner {
        let bytes = try writer.bytes(of: json, plan: plan)
        return JSONScanner(bytes.withUnsafeBufferPointer { staging.arena.copy($0) })
    }

    /// Skips a record that could not be decoded. Its identity shows that the server has it.
    func skip(_ identity: [DatabaseValue]?, problem: RecordProblem, of entity: MergeEntity, origin: Origin) throws {
        let row = staging.tables[entity.index].append(origin)
        let cells = staging.tables[entity.index].row(row)
        for (column, value) in zip(entity.wireKeyColumns, identity ?? []) { cells[column] = cell(value) }
        try reader.skip(row, of: entity, problem: problem)
    }

    /// The value in the staging area, which outlives the representation.
    private func cell(_ value: DatabaseValue) -> Cell {
        switch value.storage {
        case .null: return .null
        case .int64(let number): return Cell(integer: number)
        case .double(let number): return Cell(real: number)
        case .string(let text): return Cell(text: staging.arena.copy(text))
        case .blob(let data):
            let bytes = data.withUnsafeBytes { staging.arena.copy($0.bindMemory(to: UInt8.self)) }
            return Cell(blob: bytes)
        }
    }

    // MARK: WireCollector

    var fields: WireFields { fieldsOfEntities[(current?.entity ?? root).index] }

    func value(_ value: DatabaseValue?, at field: WireFields.Field) {
        guard let record = current else { return }
        switch field.target {
        case .column(let column):
            guard let value else { return reader.readNull(column, at: field.path, into: record, problem: &problem) }
            record.cells[column] = cell(value)
        case .key(let relationship, let part):
            guard let value else { return reader.clear(relationship, at: field.path, into: record, problem: &problem) }
            reader.take(cell(value), ofKey: relationship, part: part, into: record)
        case .identities(let relationship):
            // The only one of a symmetric to-one.
            guard let value else { return reader.empty(relationship, form: .identities, into: record) }
            identities([value], for: relationship, record: record)
        case .embedded, .unknown: return
        }
    }

    func identities(_ values: [DatabaseValue], at field: WireFields.Field) {
        guard case .identities(let relationship) = field.target, let record = current else { return }
        identities(values, for: relationship, record: record)
    }

    private func identities(_ values: [DatabaseValue], for relationship: Int, record: RecordReader.StagedRow) {
        let members = values.map { StagedMember(identity: cell($0)) }
        record.table.append(
            StagedMembership(row: record.row, relationship: relationship, form: .identities), list: members)
    }

    func embedded<Embedded: WireObject>(_ value: Embedded?, at field: WireFields.Field) {
        guard case .embedded(let relationship) = field.target, failure == nil, let record = current else { return }
        let row = value.flatMap { readEmbedded($0, for: relationship, in: record, at: -1) }
        reader.take(row, ofEmbedded: relationship, at: field.path, into: record, problem: &problem)
    }

    func embedded<Embedded: WireObject>(list: [Embedded], at field: WireFields.Field) {
        guard case .embedded(let relationship) = field.target, let record = current else { return }
        var members: [StagedMember] = []
        members.reserveCapacity(list.count)
        for value in list {
            guard failure == nil, let row = readEmbedded(value, for: relationship, in: record, at: members.count) else {
                return
            }
            members.append(StagedMember(row: Int32(row)))
        }
        record.table.append(
            StagedMembership(row: record.row, relationship: relationship, form: .records), list: members)
    }

    func otherForm(_ json: JSONValue, at path: [String]) {
        guard failure == nil, let record = current,
            let relationship = record.entity.plan.relationship(inOtherFormAt: path)
        else { return }
        do {
            let description = record.entity.plan.relationships[relationship]
            var scanner = try scanner(of: json, plan: description.destination)
            switch description.wire {
            case .none: break
            case .id: try reader.readOne(&scanner, for: relationship, at: path, into: record, problem: &problem)
            case .ids, .embedded:
                let form: MemberForm =
                    description.wire.isMixed ? .either : description.isEmbedded ? .identities : .records
                try reader.readMembers(
                    &scanner, for: relationship, form: form, at: path, into: record, problem: &problem)
            }
        } catch {
            failure = error
        }
    }

    func unread(key: String, isComposite: Bool) {
        guard let record = current else { return }
        reader.noteUnread(key, isComposite: isComposite, into: record)
    }

    func violation(_ violation: LimitViolation, at field: WireFields.Field) {
        reader.report(ValueProblem(violation.description), at: field.path, problem: &problem)
    }

    private func readEmbedded(
        _ value: some WireObject, for relationship: Int, in owner: RecordReader.StagedRow, at index: Int
    ) -> Int? {
        let destination = reader.plan.entities[owner.entity.relationships[relationship].destination]
        do {
            let row = try read(value, of: destination, origin: owner.origin(of: relationship, at: index))
            reader.linkToOwner(row, for: relationship, into: owner)
            return row
        } catch {
            failure = error
            return nil
        }
    }
}

extension EntityPlan {
    /// The relationship that is read from this path, besides the one that is sent.
    fileprivate func relationship(inOtherFormAt path: [String]) -> Int? {
        relationships.firstIndex { $0.wire.otherPath == path }
    }
}
