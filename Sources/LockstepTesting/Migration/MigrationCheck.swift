import Foundation
import GRDB
import LockstepEvolution
import LockstepJSON
public import LockstepStore

extension StoreSchema {
    /// The numbers of the recorded versions, for tests of migrations; only the schema's own if none are recorded.
    public static var versions: [Int] {
        guard let history = try? SchemaHistory(json: JSONValue(parsing: Self.history)) else { return [version] }
        return history.versions.map(\.number)
    }
}

/// Tests that files of an earlier version can be migrated to a schema, with every row and every pending change.
///
/// ```swift
/// @Test(arguments: JournalSchema.versions)
/// func opens(version: Int) throws {
///     try MigrationCheck(JournalSchema.self, from: version).run(seed: 1)
/// }
/// ```
///
/// It creates the file as that version did, with records that programs tend to get wrong, and with changes that are
/// pending, in flight or rejected. It migrates the file, and checks that each row and each pending change is there
/// with its values, that nothing else is pending, that the tables are those of a new store, that migrating version by
/// version gives the same result, and that an interrupted migration leaves the file as it was.
public struct MigrationCheck: Sendable {
    private let target: SchemaDescription
    private let version: Int

    /// - Parameters:
    ///   - schema: The generated schema of the app.
    ///   - version: The version of the file: one of the schema's recorded versions.
    public init<Schema: StoreSchema>(_ schema: Schema.Type, from version: Int) {
        self.init(SchemaDescription(schema), from: version)
    }

    package init(_ schema: SchemaDescription, from version: Int) {
        target = schema
        self.version = version
    }

    /// Runs the check.
    ///
    /// - Parameters:
    ///   - seed: Determines the records and the changes.
    ///   - rowCount: The number of records of each entity.
    /// - Throws: `MigrationCheckFailure` with everything that is not as it must be; `StoreError` if the migration
    ///   fails.
    public func run(seed: UInt64, rowCount: Int = 8) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let schemas = try schemas()
        let former = try schemas.schema(at: version)
        let file = folder.appendingPathComponent("store.sqlite")
        var fixture = MigrationFixture(former, seed: seed, rowCount: rowCount)
        try fixture.make(at: file)
        try MigrationTrial(schemas: schemas, target: target, version: version, folder: folder, seed: seed).run(file)
    }

    private func schemas() throws -> RecordedSchemas {
        guard !target.history.isEmpty else {
            throw MigrationCheckFailure(version: version, seed: 0, findings: ["the schema has no recorded versions"])
        }
        return RecordedSchemas(try SchemaHistory(json: JSONValue(parsing: target.history)), current: target)
    }
}

/// The findings of a ``MigrationCheck``.
public struct MigrationCheckFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The version of the file.
    public let version: Int
    /// The seed of the run. Pass it again to reproduce the failure.
    public let seed: UInt64
    /// The violations.
    public let findings: [String]

    @_spi(Requirements) public var description: String {
        "migrating from version \(version), seed \(seed): \(findings.joined(separator: "; "))"
    }
}
