package import GRDB
import LockstepEvolution

/// Writes the JSON of records from their rows, by the description of their entities: what a representation encodes,
/// without a context, model or text in between.
package struct RecordJSONWriter {
    private let database: Database
    private let ownership: WireOwnership?
    private let later: Set<RecordID>
    private let leavesOutUnset: Bool

    /// - Parameters:
    ///   - ownership: What this remote is sent. Left out is then what travels otherwise: the links that other ends
    ///   carry, the key of the owner in an embedded record, and an identity that the server has not given yet. So is
    ///   what only the server sets.
    ///   `nil` to write all that a representation has.
    ///   - later: Records that links do not name, because the server gets them later.
    ///   - leavesOutUnset: Whether optional values and links that are not set are left out, instead of null. That of an
    ///     attribute with a default is not: the server may have the default, too.
    package init(
        _ database: Database, ownership: WireOwnership? = nil, later: Set<RecordID> = [],
        leavesOutUnset: Bool = false
    ) {
        self.database = database
        self.ownership = ownership
        self.later = later
        self.leavesOutUnset = leavesOutUnset
    }

    /// - Throws: `EncodingError` if JSON cannot hold a value; `StoreError` if a value cannot be read.
    package func json(of record: EmbeddedRecord) throws -> JSONValue {
        try json(of: record, in: nil)
    }

    /// The JSON of one value.
    ///
    /// - Throws: As ``json(of:)``.
    package func json(of value: DatabaseValue, column: Int, plan: EntityPlan) throws -> JSONValue {
        let description = plan.columns[column]
        if value.isNull { return .null }
        if plan.serverKeyColumns.contains(column), let spelling = try spelling(of: value, column: column, plan: plan) {
            return .string(spelling)
        }
        return try encoded(value, column: column, format: description.wire?.format ?? .plain, of: plan)
    }

    /// - Parameter listing: The relationship that embeds the record.
    private func json(of record: EmbeddedRecord, in listing: RelationshipDescription?) throws -> JSONValue {
        let plan = record.plan
        var json = JSONValue.object([:])
        for (index, column) in plan.columns.enumerated() {
            guard let wire = column.wire, !(wire.isReadOnly && ownership != nil) else { continue }
            if index == plan.remoteColumn, record.row[index].isNull, ownership != nil { continue }
            if leavesOutUnset, record.row[index].isNull, column.defaultValue == nil { continue }
            json.set(try self.json(of: record.row[index], column: index, plan: plan), at: wire.path)
        }
        let owner = ownership == nil ? nil : listing?.inverse
        for (index, relationship) in plan.relationships.enumerated() {
            switch relationship.wire {
            case .none: continue
            case .id(let paths, _):
                // The owner of an embedded record follows from where it is.
                if relationship.name == owner { continue }
                let key = plan.foreignKeys[index].map { record.row[$0] }
                guard let values = try identity(of: index, key: key, plan: plan) else { continue }
                if leavesOutUnset, values.allSatisfy({ $0 == .null }) { continue }
                for (path, value) in zip(paths, values) { json.set(value, at: path) }
            case .ids(let path, _):
                guard ownership?.isSent(relationship, of: plan) ?? true else { continue }
                guard let identities = try identities(of: index, for: record) else { continue }
                if leavesOutUnset, identities == .null { continue }
                json.set(identities, at: path)
            case .embedded(let path, _):
                guard ownership?.isSent(relationship, of: plan) ?? true else { continue }
                let records = record.members.first { $0.relationship == index }?.records ?? []
                if leavesOutUnset, !relationship.isToMany, records.isEmpty { continue }
                let members = try records.map { try self.json(of: $0, in: relationship) }
                json.set(relationship.isToMany ? .array(members) : members.first ?? .null, at: path)
            }
        }
        return json
    }

    // MARK: Links

    /// The identity of the record at the other end of a link, one value for each part; null if the key is empty.
    ///
    /// - Parameters:
    ///   - relationship: Its index in the entity.
    ///   - key: The record's key.
    /// - Returns: `nil` if the server does not know that record yet, which cannot be said and is not the same as null.
    package func identity(of relationship: Int, key: [DatabaseValue], plan: EntityPlan) throws -> [JSONValue]? {
        let destination = plan.relationships[relationship].destination
        if key.contains(where: \.isNull) { return key.map { _ in .null } }
        if !later.isEmpty, later.contains(RecordID(destination, key: RecordKey(key))) { return nil }
        guard destination.remoteColumn != nil else {
            return try zip(destination.keyColumns, key).map { try plain($1, column: $0, of: destination) }
        }
        return try remoteIdentity(of: key[0], plan: destination).map { [$0] }
    }

    /// The server's identity of a record, even of one that has not come yet; `nil` if it has none.
    private func remoteIdentity(of local: DatabaseValue, plan: EntityPlan) throws -> JSONValue? {
        guard let column = plan.remoteColumn else { return nil }
        if let row = try database.valueRows(plan.findSQL, with: [local]).first {
            return row[column].isNull ? nil : try plain(row[column], column: column, of: plan)
        }
        let reserved = try ReservedIdentities.remoteIdentity(of: local, entity: plan.name, in: database)
        return try reserved.map { try plain($0, column: column, of: plan) }
    }

    /// The identities of a to-many's members, in its order, with those that the server has listed and that have not
    /// come: what is written back must not unlink them there. Of a to-one, it is the identity or null.
    ///
    /// - Returns: `nil` if the server does not know the record at the other end of a to-one yet.
    private func identities(of relationship: Int, for record: EmbeddedRecord) throws -> JSONValue? {
        let description = record.plan.relationships[relationship]
        let destination = description.destination
        let column = destination.remoteColumn ?? destination.keyColumns[0]
        let members = try record.plan.memberRows(of: relationship, row: record.row, in: database).filter { row in
            later.isEmpty
                || !later.contains(RecordID(destination, key: RecordKey(destination.keyColumns.map { row[$0] })))
        }
        var identities = try members.filter { !$0[column].isNull }.map {
            try plain($0[column], column: column, of: destination)
        }
        for waiting in try AwaitedMembers(record.plan, owner: record.key, in: database).identities(of: relationship) {
            let identity = try plain(waiting.identity, column: column, of: destination)
            guard !identities.contains(identity) else { continue }
            identities.insert(identity, at: min(waiting.position ?? identities.count, identities.count))
        }
        if description.isToMany { return .array(identities) }
        return identities.first ?? (members.isEmpty ? .null : nil)
    }

    // MARK: Values

    /// A key as it is written of links: without the format of its own attribute.
    private func plain(_ value: DatabaseValue, column: Int, of plan: EntityPlan) throws -> JSONValue {
        try spelling(of: value, column: column, plan: plan).map(JSONValue.string)
            ?? encoded(value, column: column, format: .plain, of: plan)
    }

    /// How a UUID of an identity is written; `nil` if the value is none.
    private func spelling(of value: DatabaseValue, column: Int, plan: EntityPlan) throws -> String? {
        guard plan.columns[column].type == .uuid else { return nil }
        return try IdentitySpellings(database).spelling(of: value, column: column, plan: plan)
    }

    private func encoded(
        _ value: DatabaseValue, column: Int, format: WireDescription.Format, of plan: EntityPlan
    ) throws -> JSONValue {
        guard let json = try plan.columns[column].json(of: value, as: format) else {
            throw StoreError.unreadable(column, of: plan)
        }
        return json
    }
}

extension WireDescription.Format {
    /// Whether two stored values are the same in JSON.
    fileprivate func isSame<Value: AttributeValue>(
        _ left: DatabaseValue, _ right: DatabaseValue, as type: Value.Type
    ) -> Bool {
        // What cannot be sent is not the same as anything.
        guard let one = try? json(of: left, as: type), let other = try? json(of: right, as: type) else { return false }
        return one == other
    }
}

extension ColumnDescription {
    /// Whether a server that was sent one of two values may return the other: they are the same value, or the same in
    /// JSON, if the format of a date leaves out a part of it (`secondsSince1970`, `yyyy-MM-dd`).
    package func isSameInJSON(_ left: DatabaseValue, _ right: DatabaseValue) -> Bool {
        if type.isSameValue(left, right) { return true }
        guard let format = wire?.format, case .date(let dates) = format, dates.leavesOut else { return false }
        let type: any AttributeValue.Type = type.valueType
        return format.isSame(left, right, as: type)
    }
}

extension DateFormat {
    /// Whether it does not write all of a date.
    fileprivate var leavesOut: Bool {
        switch self {
        case .iso8601, .microsecondsSince1970, .fractionalSecondsSince1970, .fractionalMillisecondsSince1970: false
        case .secondsSince1970, .millisecondsSince1970, .pattern: true
        }
    }
}
