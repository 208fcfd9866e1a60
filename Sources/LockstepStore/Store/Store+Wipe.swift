public import Foundation

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
    /// - Parameter url: The file of the store. Nothing happens if there is none.
    /// - Throws: `StoreError`: `.busy` if the store is open somewhere, and nothing was deleted; `.cannotOpen` if a file
    ///   cannot be deleted.
    public static func wipe(at url: URL) throws { try StoreWipe(of: url).run() }

    /// Closes this store, and deletes it. Contexts and results of it fail from now on.
    ///
    /// - Throws: As ``wipe(at:)``; the store is closed then.
    public func wipe() throws {
        try close()
        if case .file(let url) = location { try Store.wipe(at: url) }
    }

    /// Whether ``endWriting(if:)`` has succeeded.
    package var hasEndedWriting: Bool { base.schemaWatch.isEnded }

    /// Ends all writing through this store, for good: each further save throws a `StoreError` with the code `.closed`.
    ///
    /// - Parameter condition: Decides in the same transaction, after all earlier saves, and throws if the store is to
    ///   stay writable.
    package func endWriting(if condition: @escaping @Sendable (OutboxStatus) throws -> Void) async throws {
        if hasEndedWriting { return }
        try await writeRaw("closing the store") { [plans, base] database, _ in
            try condition(OutboxStatus(database, plans))
            base.schemaWatch.end()
        }
    }
}
