public import Foundation
public import GRDB

extension Store {
    /// Deletes a store: the database with its journal, its attachments, and the copies made before migrations. Nothing
    /// of the store remains, and unsent changes are lost. The store does not have to be complete, or one that this app
    /// can open.
    ///
    /// If the process ends during the deletion, the store is either complete or deleted. Any remaining files of a
    /// deleted store are removed by the next wipe, or when a store is opened at the same location.
    ///
    /// ```swift
    /// try store.close()
    /// try Store.wipe(at: url)
    /// ```
    ///
    /// - Parameters:
    ///   - url: The file of the store. Nothing happens if it does not exist.
    ///   - configuration: How the file is opened, such as with its key if it is encrypted. A file that cannot be read
    ///     is deleted even if a process has it open.
    /// - Throws: `StoreError`: `.busy` if any process has the store open, and nothing was deleted; `.cannotOpen` if the
    ///   location is a folder, or a file cannot be deleted.
    public static func wipe(at url: URL, configuration: Configuration = Configuration()) throws {
        try StoreWipe(of: url, configuration: configuration).run()
    }

    /// Closes this store, and deletes it. Afterwards, its contexts and results fail.
    ///
    /// - Throws: The errors of ``wipe(at:configuration:)``. The store is closed in that case, too.
    public func wipe() throws {
        let configuration = writer.configuration
        try close()
        if case .file(let url) = location { try Store.wipe(at: url, configuration: configuration) }
    }
}
