public import Foundation
public import GRDB
import LockstepEvolution
import LockstepJSON

extension Store {
    /// Reads the pending changes of a file as JSON, whatever its version, without opening it as a store.
    ///
    /// Use this as a last resort if a file cannot be migrated because of a bug: these changes exist nowhere else. The
    /// file is read by the structure that is recorded in it, or in the history of `schema`.
    ///
    /// - Parameters:
    ///   - schema: The generated schema of the app.
    ///   - url: The file.
    ///   - configuration: Options of the SQLite connections.
    /// - Returns: An object with the schema's name (`schema`), `version` and `structure`, and the list `changes`: the
    ///   `entity`, the key (`record`), what is to be done (`change`), and the `values` and the `base` values of the
    ///   record by column.
    /// - Throws: `StoreError` if the file cannot be read, or its structure is not known.
    public static func exportPending<Schema: StoreSchema>(
        _ schema: Schema.Type, at url: URL, configuration: Configuration = Configuration()
    ) throws -> Data {
        try PendingExport(SchemaDescription(schema), url: url, configuration: configuration).json()
    }

    /// Moves a store's file and its journal out of the way, so that a new store can be created in its place, and its
    /// records pulled.
    ///
    /// - Parameters:
    ///   - url: The file. No store may have it open.
    ///   - date: Distinguishes the moved file: `journal.sqlite.aside-20261124-081500`.
    /// - Returns: Where the file is now.
    /// - Throws: `StoreError` with the code `.cannotOpen` if there is no file, or it cannot be moved.
    public static func setAside(at url: URL, date: Date = Date()) throws -> URL {
        let path = url.resolvingSymlinksInPath().path
        let target = "\(path).aside-\(PendingExport.stamp(date))"
        do {
            try FileManager.default.moveItem(atPath: path, toPath: target)
            for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
                try FileManager.default.moveItem(atPath: path + suffix, toPath: target + suffix)
            }
        } catch {
            throw StoreError(
                .cannotOpen, doing: "setting a store aside", record: path, reason: "the file cannot be moved: \(error)",
                remedy: "Check that it exists and that its folder is writable.", underlyingError: error)
        }
        return URL(fileURLWithPath: target)
    }

    /// Makes the changes of ``exportPending(_:at:configuration:)`` again, as local changes of this store.
    ///
    /// They go through the same steps as a file of their version; what the schema has no place for becomes leftovers of
    /// this store. A record that the store lacks is created. In a record that it has, the changed values are set.
    ///
    /// - Returns: The number of records that were created, changed or deleted.
    /// - Throws: `StoreError` if the JSON is not such an export, or its version is not recorded. Nothing is changed.
    @discardableResult
    public func importPending(_ json: Data) throws -> Int {
        func start<Schema: StoreSchema>(_ schema: Schema.Type) throws -> Int {
            try PendingImport(SchemaDescription(schema), json: json).run(in: writer)
        }
        return try StoreError.wrapping("importing pending changes", at: location.text) { try start(schema) }
    }
}
