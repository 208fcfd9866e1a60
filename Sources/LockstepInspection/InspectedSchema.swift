import GRDB
import LockstepEvolution
import LockstepStore

/// The entities of a file, as the file itself describes them. No generated code is needed.
struct InspectedSchema {
    let metadata: FileMetadata
    let plans: SchemaPlan

    /// `nil` if the file has no description, or one that this version of the library cannot read.
    var structure: SchemaStructure? { plans.structure }

    init(_ database: Database) throws {
        metadata = try FileMetadata(database) ?? FileMetadata([:])
        let structure = metadata.structure.flatMap { try? SchemaStructure(recorded: $0) }
        plans = try structure.map { SchemaPlan($0) } ?? SchemaPlan(Self.plans(ofTablesIn: database))
    }

    /// Entities for the tables that the outbox knows. Their columns are the attributes.
    private static func plans(ofTablesIn database: Database) throws -> [EntityPlan] {
        try OutboxRows(database).tables().sorted { $0.key < $1.key }.compactMap { name, table in
            let columns = try Row.fetchAll(
                database, sql: "SELECT name, type, pk FROM pragma_table_info(?)", arguments: [table])
            guard !columns.isEmpty else { return nil }
            let key = columns.indices.filter { columns[$0][2] > 0 }.sorted { columns[$0][2] < columns[$1][2] as Int }
            return EntityPlan(
                name: name, table: table, identity: key.isEmpty ? .none : .columns(key),
                columns: columns.map { .attribute($0[0], StoredType(declared: $0[1])) }, relationships: [],
                remote: RemoteStructure(path: "", writes: Set(RemoteStructure.Write.allCases)))
        }
    }
}

extension StoredType {
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
