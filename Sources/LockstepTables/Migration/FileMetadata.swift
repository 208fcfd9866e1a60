import Foundation
package import GRDB
package import LockstepEvolution
import LockstepJSON

/// The metadata of a store's file.
package struct FileMetadata: Sendable {
    /// The name of the schema.
    package let schema: String
    package let version: Int
    package let fingerprint: String
    /// The structure, as JSON; `nil` for a file of version 0.1 of the library, which did not record it.
    private let structureText: String?
    /// The oldest version of the schema that can read the file.
    package let readableSince: Int?
    /// The versions of the library that created the file and last changed its schema; `nil` if unknown.
    package let madeBy: String?
    package let migratedBy: String?
    /// The version of the app that last changed the schema.
    package let appVersion: String?
    /// The mark of the system tables.
    package let outbox: String?
    /// Whether a copy from before a migration is kept.
    package let hasCopy: Bool
    /// The account that the store belongs to; `nil` if it was never opened with one.
    package let account: String?

    private enum Key {
        static let schema = "schema"
        static let version = "version"
        static let fingerprint = "fingerprint"
        static let structure = "structure"
        static let readableSince = "readable_since"
        static let madeBy = "made_by"
        static let migratedBy = "migrated_by"
        static let appVersion = "app_version"
        static let account = "account"
    }

    /// - Returns: `nil` if the file has no metadata.
    package init?(_ database: Database) throws {
        guard try MetadataTable.exists(database) else { return nil }
        self.init(try MetadataTable.all(database))
    }

    package init(_ values: [String: String]) {
        schema = values[Key.schema] ?? ""
        version = values[Key.version].flatMap { Int($0) } ?? 0
        fingerprint = values[Key.fingerprint] ?? ""
        structureText = values[Key.structure]
        readableSince = values[Key.readableSince].flatMap { Int($0) }
        madeBy = values[Key.madeBy]
        migratedBy = values[Key.migratedBy]
        appVersion = values[Key.appVersion]
        outbox = values["outbox"]
        hasCopy = values[CopyRecord.key] != nil
        account = values[Key.account]
    }

    /// The structure; `nil` if it was not recorded, or contradicts itself, because the file was damaged.
    ///
    /// It is parsed only where it is needed, which is not to open an unchanged store.
    package var structure: SchemaStructure? { recorded?.structure }

    /// The same as a tree.
    package var tree: SchemaTree? { recorded?.tree }

    private var recorded: (tree: SchemaTree, structure: SchemaStructure)? {
        guard let structureText, let tree = try? SchemaTree(json: JSONValue(parsing: structureText)),
            let structure = try? SchemaStructure(recorded: tree)
        else { return nil }
        return (tree, structure)
    }

    /// The version of the schema.
    var ofSchema: FileVersion {
        FileVersion(number: version, fingerprint: fingerprint, isDescribed: structure != nil)
    }

    /// Whether something is not recorded that this version of the library records.
    package func isIncomplete(for schema: SchemaDescription) -> Bool {
        structureText != schema.structure && structure == nil
    }

    /// Records that the store belongs to an account.
    package static func write(account: String, in database: Database) throws {
        try MetadataTable.set(Key.account, to: account, in: database)
    }

    /// Records that the file has the tables of a schema.
    ///
    /// - Parameter isNew: Whether the file was just created.
    package static func write(_ schema: SchemaDescription, isNew: Bool, in database: Database) throws {
        var values = [
            Key.schema: schema.name, Key.version: String(schema.version), Key.fingerprint: schema.fingerprint,
            Key.migratedBy: LibraryVersion.text, Key.structure: schema.structure,
        ]
        values[Key.readableSince] = String(SchemaVersions(schema).oldestReader)
        if isNew { values[Key.madeBy] = LibraryVersion.text }
        values[Key.appVersion] = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String
        for (key, value) in values { try MetadataTable.set(key, to: value, in: database) }
    }
}

/// The version of this library, as it is recorded in files.
enum LibraryVersion {
    static let text = "0.2.0"
}
