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
    public func wipe() throws { try wipe { _ in } }

    /// - Parameter condition: Decides when nobody else can save any more, and throws if the store is to stay.
    package func wipe(if condition: @escaping (OutboxStatus) throws -> Void) throws {
        let (plans, configuration) = (plans, writer.configuration)
        try close()
        guard case .file(let url) = location else { return }
        try StoreWipe(of: url, configuration: configuration) { try condition(OutboxStatus($0, plans)) }.run()
    }

    /// Whether ``endWriting(if:)`` has succeeded.
    package var hasEndedWriting: Bool { base.schemaWatch.isEnded }

    /// Ends all writing through this store, for good: each further save throws a `StoreError` with the code `.closed`.
    ///
    /// - Parameter condition: Decides in the same transaction, after all earlier saves, and throws if the store is to
    ///   stay writable.
    package func endWriting(if condition: @escaping @Sendable (OutboxStatus) throws -> Void) async throws {
        if hasEndedWriting { return try condition(try await outbox.status()) }
        do {
            try await writeRaw("closing the store") { [plans, base] database, _ in
                try condition(OutboxStatus(database, plans))
                base.schemaWatch.end()
            }
        } catch {
            base.schemaWatch.goOn()
            throw error
        }
    }
}
