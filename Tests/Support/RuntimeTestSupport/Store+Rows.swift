import Foundation
import GRDB
package import LockstepStore

extension Store {
    /// Marks the local records as the server's: nothing is pending.
    package func confirmAll() throws {
        try writer.write { database in
            let bases = try String.fetchAll(
                database,
                sql:
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'lockstep\\_base\\_%' ESCAPE '\\'"
            )
            for table in ["lockstep_outbox", "lockstep_outbox_link"] + bases {
                try database.execute(sql: "DELETE FROM \"\(table)\"")
            }
        }
    }

    /// The rows of a query, each as its values with a space between; NULL is a dash.
    package func rows(_ sql: String) throws -> [String] {
        try writer.read { database in
            try Row.fetchAll(database, sql: sql).map { row in
                row.databaseValues.map(Self.text).joined(separator: " ")
            }
        }
    }

    private static func text(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .null: "-"
        case .int64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): text
        case .blob(let data): data.base64EncodedString()
        }
    }
}
