import Foundation
import LockstepGenerator
import LockstepSchema
import ServerTestSupport
import TestSupport
import Testing

@Suite("The SQL of the sample schemas")
struct SampleSchemaTests {
    private static let paths =
        ["Journal", "SchematicCapture", "OfflineTasks", "Shop", "Checklist", "KitchenSink"].map { "Schemas/\($0).yaml" }
        + ["Tests/Samples/ReservedNames/ReservedNames.lockstep.yaml"]

    private func schema(_ path: String) throws -> Schema {
        let bytes = Array(try Data(contentsOf: Documentation.root.appendingPathComponent(path)))
        return try #require(readSchemas([SchemaSource(path: path, bytes: bytes)]).schemas.first)
    }

    @Test("Is executed by SQLite, and creates a table for each entity and join", arguments: paths)
    func sqlite(_ path: String) throws {
        let schema = try schema(path)
        let database = try SQLiteDatabase(schema)
        let tables = try database.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        #expect(tables == (schema.entities.map(\.tableName) + schema.joinTables.map(\.name)).sorted())
    }

    @Test(
        "Is executed by PostgreSQL, and creates a table for each entity and join",
        .enabled(if: PostgreSQLServer.isWanted), arguments: paths)
    func postgresql(_ path: String) throws {
        let schema = try schema(path)
        let tables = try PostgreSQLServer.require().run(
            schema, "SELECT tablename FROM pg_tables WHERE schemaname = current_schema();")
        #expect(tables.sorted() == (schema.entities.map(\.tableName) + schema.joinTables.map(\.name)).sorted())
    }

    @Test("PostgreSQL's file is the reviewed one, byte for byte", arguments: ["Shop", "KitchenSink"])
    func golden(_ name: String) throws {
        let file = Documentation.root.appendingPathComponent(
            "Tests/Suites/LockstepGeneratorTests/Fixtures/\(name).postgresql.sql")
        let printed = sqlFile(for: try schema("Schemas/\(name).yaml"), dialect: .postgresql)
        #expect(String(decoding: printed, as: UTF8.self) == String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }

    @Test("The resolved schema survives a JSON round trip", arguments: paths)
    func codable(_ path: String) throws {
        let schema = try schema(path)
        #expect(try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema)) == schema)
    }
}
