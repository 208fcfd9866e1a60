// Leaving a store without losing what was saved last.
extension Store {
    /// Closes this store, and deletes it.
    ///
    /// - Parameter condition: Called when nobody else can save any more. Throws if the store must not be deleted.
    package func wipe(if condition: @escaping (OutboxStatus) throws -> Void) throws {
        let (plans, configuration) = (plans, writer.configuration)
        try close()
        guard case .file(let url) = location else { return }
        try StoreWipe(of: url, configuration: configuration, if: { try condition(OutboxStatus($0, plans: plans)) })
            .run()
    }

    /// Whether ``endWriting(if:)`` has succeeded.
    package var hasEndedWriting: Bool { base.schemaWatch.isEnded }

    /// Permanently ends all writing through this store: each further save throws a `StoreError` with the code
    /// `.closed`.
    ///
    /// - Parameter condition: Called in the same transaction, after all earlier saves. Throws if the store must stay
    ///   writable.
    package func endWriting(if condition: @escaping @Sendable (OutboxStatus) throws -> Void) async throws {
        if hasEndedWriting { return try condition(try await outbox.status()) }
        do {
            try await writeRaw("closing the store") { [plans, base] database, _ in
                try condition(OutboxStatus(database, plans: plans))
                base.schemaWatch.end()
            }
        } catch {
            base.schemaWatch.goOn()
            throw error
        }
    }
}
