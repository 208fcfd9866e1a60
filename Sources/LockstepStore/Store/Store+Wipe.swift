public import Foundation
public import GRDB

extension Store {
    /// Deletes a store: the database with its journal, its attachments, and copies from before migrations. Nothing is
    /// left of it, and unsent changes are lost. It does not have to be a store that this app can open, or a complete
    /// one.
    ///
    /// If the process ends in between, the store is either whole or gone: what remains of a store that is gone is
    /// deleted by the next wipe, and when a store is opened there.
    ///
    /// ```swift
    /// try store.close()
    /// try Store.wipe(at: url)
    /// ```
    ///
    /// - Parameters:
    ///   - url: The file of the store. Nothing happens if there is none.
    ///   - configuration: How the file is opened, such as with its key if it is encrypted. A file that cannot be read
    ///     is deleted even if it is open somewhere.
    /// - Throws: `StoreError`: `.busy` if the store is open somewhere, and nothing was deleted; `.cannotOpen` if the
    ///   location is a folder, or a file cannot be deleted.
    public static func wipe(at url: URL, configuration: Configuration = Configuration()) throws {
        try StoreWipe(of: url, configuration: configuration).run()
    }

    /// Closes this store, and deletes it. Contexts and results of it fail from now on.
    ///
    /// - Throws: As ``wipe(at:configuration:)``; the store is closed then.
    public func wipe() throws {
        let configuration = writer.configuration
        try close()
        if case .file(let url) = location { try Store.wipe(at: url, configuration: configuration) }
    }
}
