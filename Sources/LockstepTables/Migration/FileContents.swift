import GRDB
package import LockstepEvolution

/// The kind of a file in relation to a schema.
package enum FileContents {
    /// It has no tables.
    case empty
    /// It has the schema's tables. What is recorded about them may be of an earlier version of the library.
    case current(FileMetadata, isRecorded: Bool)
    /// It can be migrated.
    case former(FileMetadata, SchemaEvolution)
    /// It was made by a later version.
    case newer(FileMetadata)

    package init(_ database: Database, schema: SchemaDescription, refusal: FileRefusal) throws {
        guard let file = try FileMetadata(database) else {
            let sql = "SELECT COUNT(*) FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
            guard try Int.fetchOne(database, sql: sql) == 0 else { throw refusal.notAStore }
            self = .empty
            return
        }
        guard file.schema == schema.name else { throw refusal.otherSchema(file.schema) }
        if let version = SystemTables.newerVersion(file.outbox) { throw refusal.newerOutbox(version) }
        // Two versions may have the same tables, and other values between them.
        if file.fingerprint == schema.fingerprint, file.version == schema.version {
            self = .current(file, isRecorded: true)
        } else if try Self.isSame(file, schema: schema, in: database) {
            self = .current(file, isRecorded: false)
        } else if file.version > schema.version {
            self = .newer(file)
        } else {
            self = .former(file, try Self.evolution(from: file, to: schema, in: database, refusal: refusal))
        }
    }

    /// Whether a file of version 0.1 of the library, which recorded a hash of the statements, has the same tables.
    private static func isSame(_ file: FileMetadata, schema: SchemaDescription, in database: Database) throws -> Bool {
        guard file.structure == nil, file.version == schema.version else { return false }
        if file.fingerprint == schema.statementsFingerprint { return true }
        // A later generator may print the same tables in another way.
        return try FileStructure(database).difference(from: schema.plan.structure) == nil
    }

    private static func evolution(
        from file: FileMetadata, to schema: SchemaDescription, in database: Database, refusal: FileRefusal
    ) throws -> SchemaEvolution {
        let versions = SchemaVersions(schema)
        do {
            switch versions.origin(of: file) {
            case .recorded:
                guard let evolution = try versions.evolution(from: file) else { break }
                if let difference = try FileStructure(database).difference(from: evolution.former) {
                    throw refusal.otherTables("\(difference), other than in version \(file.version)")
                }
                return evolution
            case .older(let oldest): throw refusal.older(file.version, oldest: oldest)
            case .current, .newer, .unrecorded:
                // What a developer had in between was never recorded.
                guard schema.isDraft || refusal.isDebugging,
                    let evolution = try versions.reconciliation(from: file)
                else { break }
                return evolution
            }
        } catch let error as DraftError {
            throw refusal.notOnlyAdded(error.changes)
        } catch let error as StructureError {
            throw refusal.otherTables("the history does not fit: \(error)")
        }
        throw refusal.otherTables("its tables are those of a version \(file.version) that the history does not have")
    }
}

/// Why a file is refused. It is not changed.
package struct FileRefusal {
    let schema: SchemaDescription
    let location: String

    package init(schema: SchemaDescription, location: String) { (self.schema, self.location) = (schema, location) }

    package static let operation = "opening the store"

    /// Whether unrecorded changes of the schema are made in the file, because an app is being developed.
    var isDebugging: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    package func error(
        _ code: StoreError.Code, reason: String, remedy: String, underlyingError: (any Error)? = nil
    ) -> StoreError {
        StoreError(
            code, doing: Self.operation, record: location, reason: reason, remedy: remedy,
            underlyingError: underlyingError)
    }

    var notAStore: StoreError {
        error(
            .notAStore, reason: "it is a database of another kind: it has tables, but none of Lockstep's",
            remedy: "Use a separate file for the store.")
    }

    func otherSchema(_ name: String) -> StoreError {
        error(
            .otherSchema, reason: "it is the store of the schema “\(name)”, not of “\(schema.name)”",
            remedy: "Use a separate file for each schema.")
    }

    func newerOutbox(_ version: Int) -> StoreError {
        error(
            .newerVersion,
            reason: "its outbox is version \(version); this app supports version \(SystemTables.version)",
            remedy: "Update the app.")
    }

    package func newer(_ file: FileMetadata, pendingCount: Int) -> StoreError {
        let app = file.appVersion.map { ", made by version \($0) of the app" } ?? ""
        let pending = pendingCount == 0 ? "" : "; it has \(pendingCount) pending changes"
        return error(
            .newerVersion,
            reason: "its data model is version \(file.version)\(app); this app supports version "
                + "\(schema.version)\(pending)",
            remedy: "Update the app.")
    }

    func older(_ version: Int, oldest: Int?) -> StoreError {
        guard let oldest else {
            return error(
                .olderVersion,
                reason:
                    "its data model is version \(version), this app's is \(schema.version), and no history is recorded",
                remedy: "Record the versions of the schema: run 'lockstep migrate' with the schema of version "
                    + "\(version) first."
            )
        }
        return error(
            .olderVersion,
            reason: "its data model is version \(version), and the history of this app begins with version \(oldest)",
            remedy: "Open it with a version of the app between the two first.")
    }

    func otherTables(_ reason: String) -> StoreError {
        error(
            .otherTables, reason: reason,
            remedy: "Record what changed with 'lockstep migrate'; while developing, delete the file.")
    }

    func notOnlyAdded(_ changes: [String]) -> StoreError {
        error(
            .otherTables,
            reason: "changes that no version records remove or change \(changes.joined(separator: ", "))",
            remedy: "Record them with 'lockstep migrate', or delete the file while developing.")
    }

    package func migrationNeeded(_ file: FileMetadata, cost: MigrationCost) -> StoreError {
        error(
            .migrationNeeded,
            reason: "its data model is version \(file.version), and must be migrated to \(schema.version) (\(cost))",
            remedy: "Open it with `migration: .automatic`, off the main thread if it is not instant.")
    }

    package func failed(_ file: FileMetadata, underlyingError: any Error) -> StoreError {
        let reason = (underlyingError as? MigrationFailure)?.reason ?? "\(underlyingError)"
        return error(
            .migrationFailed,
            reason:
                "migrating from version \(file.version) to \(schema.version) failed: \(reason); the file is unchanged",
            remedy: "Report it. The pending changes can be read with Store.exportPending.",
            underlyingError: underlyingError)
    }
}
