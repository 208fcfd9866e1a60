import Foundation
import GRDB
import LockstepEvolution
import LockstepJSON

/// Reads the pending changes of a file of any version.
struct PendingExport {
    private let schema: SchemaDescription
    private let url: URL
    private let configuration: Configuration

    static let operation = "exporting pending changes"

    init(_ schema: SchemaDescription, url: URL, configuration: Configuration) {
        (self.schema, self.url, self.configuration) = (schema, url, configuration)
    }

    /// The time in UTC without punctuation, for names of files.
    static func stamp(_ date: Date) -> String {
        let text = ISO8601.text(of: Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))) ?? "0"
        return text.filter { $0.isNumber || $0 == "T" }.replacing("T", with: "-")
    }

    func json() throws -> Data {
        let opening = StoreOpening(
            schema: schema, location: .file(url), configuration: configuration, options: MigrationOptions())
        return try StoreError.wrapping(Self.operation, at: url.path) {
            try opening.reading(url, configuration: configuration) { try json($0) }
        }
    }

    private func json(_ database: Database) throws -> Data {
        guard let file = try FileMetadata(database), let structure = try structure(of: file) else {
            throw StoreError(
                .olderVersion, doing: Self.operation, record: url.path,
                reason: "its structure is neither recorded in the file nor in the history",
                remedy: "Use a version of the app whose history has the file's version.")
        }
        var changes: [JSONValue] = []
        let plan = SchemaPlan(structure)
        for row in try OutboxTable.storedRows(database) {
            guard let plan = plan[row.entity] else { continue }
            var change: JSONObject = [
                "entity": .string(row.entity), "change": JSONValue(stored: row.change),
                "record": JSONValue(stored: row.record),
            ]
            change["values"] = try Self.values(of: plan, in: plan.table, for: row.record, database: database)
            let base = BaseTable(plan, in: database).name
            if try database.hasTable(base) {
                change["base"] = try Self.values(of: plan, in: base, for: row.record, database: database)
            }
            changes.append(.object(change))
        }
        return try JSONValue.object([
            "schema": .string(file.schema), "version": .integer(Int64(file.version)),
            "structure": SchemaTree(structure).json, "changes": .array(changes),
        ]).json()
    }

    private func structure(of file: FileMetadata) throws -> SchemaStructure? {
        if let structure = file.structure { return structure }
        return try SchemaVersions(schema).evolution(from: file)?.former
            ?? (file.version == schema.version ? schema.plan.structure : nil)
    }

    private static func values(
        of plan: EntityPlan, in table: String, for record: DatabaseValue, database: Database
    ) throws -> JSONValue? {
        let quoted = SQLName.quoted(table)
        let columns = plan.columns.map { "\(quoted).\(SQLName.quoted($0.name))" }.joined(separator: ", ")
        let row = try database.valueRows(
            "SELECT \(columns) FROM \(quoted) WHERE \(plan.outboxRecordSQL(quoted)) = ?", with: [record]
        ).first
        return row.map { row in
            .object(JSONObject(zip(plan.columns.map(\.name), row.map(JSONValue.init(stored:)))))
        }
    }
}

extension JSONValue {
    /// A stored value that can be stored again: reals and bytes are marked as such.
    init(stored value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let number): self = .integer(number)
        case .string(let text): self = .string(text)
        case .double(let number): self = ["real": .string(String(number.bitPattern))]
        case .blob(let data): self = ["blob": .string(data.base64EncodedString())]
        }
    }

    /// The stored value; `nil` if it is not one.
    var stored: DatabaseValue? {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .string(let text): text.databaseValue
        case .object(let members):
            if case .string(let text)? = members["real"], let bits = UInt64(text) {
                Double(bitPattern: bits).databaseValue
            } else if case .string(let text)? = members["blob"] {
                Data(base64Encoded: text)?.databaseValue
            } else {
                nil
            }
        default: nil
        }
    }
}
