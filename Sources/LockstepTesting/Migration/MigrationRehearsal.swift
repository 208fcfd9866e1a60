public import Foundation
import GRDB
import LockstepEvolution
import LockstepJSON
public import LockstepStore

/// Migrates a copy of a real file, to see what happens and how long it takes. The file itself is not changed.
///
/// ```swift
/// let migration = try MigrationRehearsal(JournalSchema.self, file: url).run()
/// print(migration ?? "nothing to do")
/// ```
public struct MigrationRehearsal: Sendable {
    private let schema: SchemaDescription
    private let file: URL

    /// - Parameters:
    ///   - schema: The generated schema of the app.
    ///   - file: The store's file. If a process has it open, what is only in its journal is copied too.
    public init<Schema: StoreSchema>(_ schema: Schema.Type, file: URL) {
        self.schema = SchemaDescription(schema)
        self.file = file
    }

    /// Migrates the copy, and compares it with the file by the rules V1 to V7.
    ///
    /// - Returns: The migration; `nil` if the file is of the schema's version.
    /// - Throws: `MigrationCheckFailure` with everything that is not as it must be; `StoreError` if the file cannot be
    ///   migrated.
    @discardableResult
    public func run() throws -> StoreMigration? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appendingPathComponent("store.sqlite")
        for suffix in ["", "-wal"] where suffix.isEmpty || FileManager.default.fileExists(atPath: file.path + suffix) {
            try FileManager.default.copyItem(atPath: file.path + suffix, toPath: copy.path + suffix)
        }
        let opening = StoreOpening(
            schema: schema, location: .file(copy), configuration: Configuration(), options: MigrationOptions())
        guard let (evolution, before) = try former(opening, at: copy) else { return nil }
        let opened = try opening.open()
        defer { try? opened.writer.close() }
        let plan = MigrationPlan(evolution, in: FileTables(new: evolution.former), now: 0)
        let after = try opened.writer.read { database in
            try MigrationSnapshot(database, schema: RecordedSchema(description: schema, structure: evolution.new))
        }
        let findings = MigrationComparison(evolution: evolution, plan: plan, before: before, after: after).violations()
        guard findings.isEmpty else {
            throw MigrationCheckFailure(version: opened.migration?.from ?? 0, seed: 0, findings: findings)
        }
        return opened.migration
    }

    /// The steps to the schema, and what the file contains; `nil` if it is of the schema's version.
    private func former(_ opening: StoreOpening, at url: URL) throws -> (SchemaEvolution, MigrationSnapshot)? {
        guard let evolution = try opening.evolution(of: url) else { return nil }
        let description = SchemaDescription(
            name: schema.name, version: 0, plan: SchemaPlan(evolution.former), fingerprint: "", structure: "",
            history: "")
        let queue = try DatabaseQueue(path: url.path)
        defer { try? queue.close() }
        let snapshot = try queue.read { database in
            try MigrationSnapshot(
                database, schema: RecordedSchema(description: description, structure: evolution.former))
        }
        return (evolution, snapshot)
    }
}

extension MigrationCheck {
    /// Writes a small real file of the schema's version, to be committed with each release: `Journal.3.sqlite`.
    ///
    /// A file that a version of the library has written is not always the same as one that a later version would write
    /// for the same version of the schema. A test that opens the committed files with ``MigrationRehearsal`` finds the
    /// difference.
    ///
    /// - Parameters:
    ///   - schema: The generated schema of the app.
    ///   - folder: Where the file is written.
    ///   - seed: Determines the records and the pending changes.
    /// - Returns: The file.
    /// - Throws: `StoreError` if the file cannot be written; `MigrationCheckFailure` if it exists already.
    @discardableResult
    public static func record<Schema: StoreSchema>(
        _ schema: Schema.Type, in folder: URL, seed: UInt64 = 1
    ) throws -> URL {
        let description = SchemaDescription(schema)
        let url = folder.appendingPathComponent("\(description.name).\(description.version).sqlite")
        guard !FileManager.default.fileExists(atPath: url.path) else {
            throw MigrationCheckFailure(
                version: description.version, seed: seed, findings: ["\(url.lastPathComponent) exists already"])
        }
        let structure = try SchemaStructure(SchemaTree(json: JSONValue(parsing: description.structure)))
        var fixture = MigrationFixture(RecordedSchema(description: description, structure: structure), seed: seed)
        try fixture.make(at: url)
        return url
    }
}
