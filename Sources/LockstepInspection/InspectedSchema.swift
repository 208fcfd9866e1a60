import GRDB
import LockstepEvolution
import LockstepStore

/// The entities of a file, as the file itself describes them. No generated code is needed.
struct InspectedSchema {
    let metadata: FileMetadata
    let plans: SchemaPlan

    /// `nil` if the file has no description, or one that this version of the library cannot read.
    let structure: SchemaStructure?

    init(_ database: Database) throws {
        metadata = try FileMetadata(database) ?? FileMetadata([:])
        structure = metadata.structure
        let tables = try structure == nil ? Self.entities(ofTablesIn: database) : []
        plans = SchemaPlan(structure ?? SchemaStructure(name: "", entities: tables))
    }

    /// Entities for the tables that the outbox knows. Their columns are the attributes. One without a primary key is no
    /// table of a store.
    private static func entities(ofTablesIn database: Database) throws -> [EntityStructure] {
        try OutboxRows(database).tables().sorted { $0.key < $1.key }.compactMap { name, table in
            let columns = try Row.fetchAll(
                database, sql: "SELECT name, type, pk FROM pragma_table_info(?)", arguments: [table])
            let key = columns.filter { $0[2] > 0 }.sorted { $0[2] < $1[2] as Int }
            guard !key.isEmpty else { return nil }
            return EntityStructure(
                name: name, table: table, identity: .attributes(key.map { $0[0] }),
                attributes: columns.map { column in
                    let name: String = column[0]
                    return AttributeStructure(
                        name: name, column: name, type: .scalar(ScalarType(declared: column[1])),
                        wire: WireStructure(path: [name]))
                }, remote: RemoteStructure(path: ""))
        }
    }
}

extension ScalarType {
    /// The type of a column whose attribute is unknown.
    fileprivate init(declared type: String) {
        switch type.uppercased() {
        case "INTEGER": self = .int64
        case "REAL": self = .double
        case "BLOB": self = .data
        default: self = .string
        }
    }
}
