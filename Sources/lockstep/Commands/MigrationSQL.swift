import Foundation
import LockstepEvolution
import LockstepGenerator
import LockstepReview
import LockstepSchema

/// The SQL of the changes from one version to the next.
struct MigrationSQL {
    private let schema: Schema
    /// The number of the new version.
    let version: Int
    let evolution: SchemaEvolution

    /// - Throws: ``UsageFailure`` if a change does not fit.
    init(
        _ schema: VersionedSchema, from tree: SchemaTree, by changes: [SchemaChange], version: Int, name: String?
    ) throws {
        self.schema = schema.schema
        self.version = version
        let step = SchemaHistory.Version(
            number: version, name: name, hash: StructureHash(schema.schema.structure), changes: changes)
        do {
            evolution = try SchemaEvolution(from: tree, by: [step])
        } catch {
            throw UsageFailure(message: "The SQL cannot be made: \(error)")
        }
    }

    /// The last recorded version; `nil` if it is the only one.
    init?(lastOf schema: VersionedSchema) throws {
        guard let history = schema.history, let former = history.versions.dropLast().last else { return nil }
        do {
            let tree = try history.structure(at: former.number)
            let head = history.head
            try self.init(schema, from: tree, by: head.changes, version: head.number, name: head.name)
        } catch let error as StructureError {
            throw UsageFailure(message: "The SQL cannot be made: \(error)")
        }
    }

    func text(_ dialect: SQLDialect) -> String {
        switch dialect {
        case .sqlite:
            // The time of the migration is that of the device.
            let plan = MigrationPlan(evolution, in: FileTables(new: evolution.former), now: 0)
            return "-- SQLite, in one transaction when a store is opened\n"
                + plan.statements.map { $0 + ";\n" }.joined()
        case .postgresql:
            return postgreSQL.map { "-- \($0.name)\n" + $0.contents }.joined(separator: "\n")
        }
    }

    /// Writes the files for a server beside the schema. Throws ``UsageFailure`` if one cannot be written.
    func writePostgreSQL(besideSchema path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        for file in postgreSQL {
            let target = folder.appendingPathComponent(file.name)
            do {
                try Data(file.contents.utf8).write(to: target, options: .atomic)
            } catch {
                throw UsageFailure(message: "'\(target.relativePath)' cannot be written: \(error.localizedDescription)")
            }
            Console.report("Written: \(file.name)")
        }
        if postgreSQL.isEmpty { Console.report("\(schema.name) \(version): the tables of a server do not change.") }
    }

    private var postgreSQL: [(name: String, contents: String)] {
        postgreSQLFiles(for: evolution, schema: schema.name, version: version) { migration in
            serverSteps(for: schema, former: evolution.former, migration: migration)
        }
    }
}
