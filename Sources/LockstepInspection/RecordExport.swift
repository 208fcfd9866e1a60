import GRDB
import LockstepEvolution
import LockstepJSON
import LockstepStore

extension InspectedFile {
    /// All records of the file as one JSON document, with a record in each line.
    ///
    /// - Parameter entity: The only entity whose records are included; `nil` for all.
    /// - Throws: As ``report(_:)``, also if a value cannot be JSON.
    package func export(entity: String? = nil) throws -> String {
        try reading { database in
            let schema = try InspectedSchema(database)
            try check(InspectionOptions(entity: entity), in: schema)
            return try RecordExport(database, schema: schema).document(of: entity)
        }
    }
}

/// Writes records by the names of the schema: each attribute, and the keys at the other end of each relationship.
///
/// The form of a server's JSON has no effect, and what only the device has is included.
private struct RecordExport {
    private let database: Database
    private let schema: InspectedSchema
    /// The attributes by their columns, for each entity.
    private let attributes: [String: [String: String]]

    init(_ database: Database, schema: InspectedSchema) {
        self.database = database
        self.schema = schema
        let names = schema.plans.structure.entities.map { entity in
            (entity.name, Dictionary(entity.attributes.map { ($0.column, $0.name) }, uniquingKeysWith: { $1 }))
        }
        attributes = Dictionary(names, uniquingKeysWith: { $1 })
    }

    func document(of entity: String?) throws -> String {
        // Records without an identity are included in their owners.
        let entities = try schema.plans.filter { $0.hasIdentity && entity ?? $0.name == $0.name }.map { plan in
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

    /// - Parameter listing: The relationship of the owner that the record is included in.
    private func write(
        _ row: [DatabaseValue], of plan: EntityPlan, in listing: RelationshipDescription? = nil,
        to writer: inout JSONWriter
    ) throws {
        try writer.beginObject()
        for (index, column) in plan.columns.enumerated() {
            guard let name = attributes[plan.name]?[column.name] else { continue }
            writer.key(name)
            try writer.write(InspectedValue.json(row[index], as: column.type))
        }
        for (index, relationship) in plan.relationships.enumerated() where relationship.name != listing?.inverse {
            writer.key(relationship.name)
            try write(relationship, at: index, of: row, plan: plan, to: &writer)
        }
        writer.endObject()
    }

    private func write(
        _ relationship: RelationshipDescription, at index: Int, of row: [DatabaseValue], plan: EntityPlan,
        to writer: inout JSONWriter
    ) throws {
        let destination = relationship.destination
        if case .toOne(let columns, position: _, isRequired: _) = relationship.kind {
            // The record itself may not be in the store yet.
            return try writer.write(key(columns.map { row[$0] }, of: destination))
        }
        let members = try plan.memberRows(of: index, row: row, in: database)
        if relationship.isToMany { try writer.beginArray() } else if members.isEmpty { writer.writeNull() }
        for member in relationship.isToMany ? members[...] : members.prefix(1) {
            if destination.hasIdentity {
                try writer.write(key(destination.keyColumns.map { member[$0] }, of: destination))
            } else {
                try write(member, of: destination, in: relationship, to: &writer)
            }
        }
        if relationship.isToMany { writer.endArray() }
    }

    /// A key as one value, or as an array of its parts; null if a part is missing.
    private func key(_ values: [DatabaseValue], of plan: EntityPlan) -> JSONValue {
        if values.contains(where: \.isNull) { return .null }
        let parts = zip(values, plan.keyColumns).map { InspectedValue.json($0, as: plan.columns[$1].type) }
        return parts.count == 1 ? parts[0] : .array(parts)
    }
}
