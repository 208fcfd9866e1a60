import Foundation
import LockstepGenerator
import LockstepImport
import LockstepSchema
import ServerTestSupport
import TestSupport

/// What a database says of its tables, as people save it in a file.
struct ImportedDatabase {
    let name: String
    let description: Data

    /// - Parameter name: The name of the file, without its extension.
    init(_ feed: PostgreSQLFeed, named name: String) throws {
        self.name = name
        description = Data(try feed.session().rows(postgreSQLCatalogueQuery).joined(separator: "\n").utf8)
    }

    init(named name: String, description: Data) { (self.name, self.description) = (name, description) }

    func input<Result>(_ body: (ImportInput) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("\(name).json")
        try description.write(to: file)
        return try body(ImportInput(path: file.path))
    }

    func imported() throws -> ImportedSchema { try input { try importSchema([$0], options: ImportOptions()) } }

    /// The schema, after a change of its text by the user.
    func schema(changing change: (String) -> String = { $0 }) throws -> Schema {
        let text = change(try imported().text)
        let reading = readSchemas([SchemaSource(path: "\(name).yaml", bytes: Array(text.utf8))])
        guard let schema = reading.schemas.first else {
            throw CommandFailure(command: "lockstep", output: "\(reading.diagnostics)\n\(text)")
        }
        return schema
    }

    func adoption(for schema: Schema) throws -> Adoption {
        try input {
            Adoption(of: try PostgreSQLCatalogue($0), for: schema, server: serverSQL(for: schema) ?? [])
        }
    }

    /// A file of the fixtures.
    static func fixture(_ name: String) throws -> String {
        try Documentation.text(of: "Tests/Suites/LockstepGeneratorTests/Fixtures/\(name)")
    }
}
