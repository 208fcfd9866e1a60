import GRDB
import LockstepEvolution
import LockstepJSON
import LockstepStore

/// All records of a store's file as JSON.
package struct RecordExport {
    /// One JSON document, with a record in each line.
    package let document: String
    /// What may be missing in it.
    package let warnings: [String]

    /// - Parameter entity: The only entity whose records are included; `nil` for all.
    /// - Throws: `StoreError`, as ``InspectedFile/report(_:)``; also if a value cannot be JSON.
    package init(_ file: InspectedFile, entity: String? = nil) throws {
        self = try file.reading { database in
            let schema = try InspectedSchema(database)
            try file.check(entity, in: schema)
            return try Self(database, schema: schema, entity: entity)
        }
    }

    private init(_ database: Database, schema: InspectedSchema, entity: String?) throws {
        document = try RecordWriter(database: database, schema: schema).document(of: entity)
        var warnings: [String] = []
        if schema.structure == nil {
            warnings.append(
                "The file does not describe its schema: names are those of columns, and links of lists are missing."
            )
        }
        if try String.fetchAll(database, sql: "PRAGMA integrity_check(1)") != ["ok"] {
            warnings.append("The file is damaged: records may be missing. 'lockstep inspect' shows what is wrong.")
        }
        self.warnings = warnings
    }
}

/// Writes records by the names of the schema: each attribute, and the keys at the other end of each relationship.
///
/// The form of a server's JSON has no effect, and what only the device has is included.
private struct RecordWriter {
    let database: Database
    let schema: InspectedSchema

    func document(of entity: String?) throws -> String {
        let entities = try schema.plans.filter { entity ?? $0.name == $0.name }.map { plan in
            let records = try records(of: plan)
            let list = records.isEmpty ? "[]" : "[\n\(records.joined(separator: ",\n"))\n]"
            return "\(JSONString.quoted(plan.name)): \(list)"
        }
        let text = """
            {
            "schema": \(JSONString.quoted(schema.metadata.schema)),
            "version": \(schema.metadata.version),
            "entities": {
            \(entities.joined(separator: ",\n"))
            }
            }

            """
        return text.visibleJSON
    }

    private func records(of plan: EntityPlan) throws -> [String] {
        let order = plan.keyColumns.map { SQLName.quoted(plan.columns[$0].name) }.joined(separator: ", ")
        var records: [String] = []
        try RawStatement("\(plan.selectSQL) ORDER BY \(order)", in: database).forEachRow([]) { row in
            var writer = JSONWriter()
            try write(plan.columns.indices.map { row.value($0) }, of: plan, to: &writer)
            records.append(String(decoding: writer.bytes, as: UTF8.self))
        }
        return records
    }

    private func write(_ row: [DatabaseValue], of plan: EntityPlan, to writer: inout JSONWriter) throws {
        try writer.beginObject()
        for (index, column) in plan.columns.enumerated() {
            guard case .attribute(let name) = column.content else { continue }
            writer.key(name)
            try writer.write(column.type.readable(row[index]))
        }
        // Records without an identity have no key that a list could name. They name their owner.
        for (index, relationship) in plan.relationships.enumerated() where relationship.destination.hasIdentity {
            writer.key(relationship.name)
            try writer.write(try links(of: relationship, at: index, of: row, plan: plan))
        }
        writer.endObject()
    }

    private func links(
        of relationship: RelationshipDescription, at index: Int, of row: [DatabaseValue], plan: EntityPlan
    ) throws -> JSONValue {
        let destination = relationship.destination
        if case .toOne(let columns, position: _, isRequired: _) = relationship.kind {
            // The record itself may not be in the store yet.
            return destination.readable(key: columns.map { row[$0] })
        }
        let members = try plan.memberRows(of: index, row: row, in: database).map { member in
            destination.readable(key: destination.keyColumns.map { member[$0] })
        }
        return relationship.isToMany ? .array(members) : members.first ?? .null
    }
}
