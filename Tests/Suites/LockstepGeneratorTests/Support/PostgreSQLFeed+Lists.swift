import Foundation
import LockstepSchema
import ServerTestSupport
import TestSupport

extension PostgreSQLFeed {
    /// The sample with lists that users share.
    static func lists(mutate: (String) -> String = { $0 }) throws -> PostgreSQLFeed {
        try PostgreSQLFeed(try listsSchema(), mutate: mutate)
    }

    static func listsSchema() throws -> Schema { try schema("Lists.yaml") }

    /// A schema among the fixtures.
    static func schema(_ name: String) throws -> Schema {
        let path = "Tests/Suites/LockstepGeneratorTests/Fixtures/\(name)"
        let bytes = Array(try Data(contentsOf: Documentation.root.appendingPathComponent(path)))
        let reading = readSchemas([SchemaSource(path: name, bytes: bytes)])
        guard let schema = reading.schemas.first else {
            throw CommandFailure(command: "lockstep", output: "\(reading.diagnostics)")
        }
        return schema
    }
}
