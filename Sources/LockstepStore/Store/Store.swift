import Foundation
public import GRDB
import LockstepSystem

/// The SQLite database of one schema.
///
/// ```swift
/// let store = try Store(JournalSchema.self, at: .file(url))
/// let context = store.mainContext
/// ```
public final class Store: Sendable {
    /// The schema of the store.
    public let schema: any StoreSchema.Type
    /// Where the store is stored.
    public let location: StoreLocation

    /// The migration of a file of an earlier version of the schema when the store was opened; `nil` if it was not
    /// migrated.
    public let migration: StoreMigration?

    let base: StoreBase
    private let queue = DispatchQueue(label: "lockstep.store.perform")
    @MainActor private var madeMainContext: ManagedObjectContext?
    private let waker = MainContextWaker()

    /// Opens the store, creating it if needed.
    ///
    /// An existing file is inspected before anything in it is changed: a rejected file is left unchanged.
    ///
    /// - Parameters:
    ///   - schema: The generated schema.
    ///   - location: Where the store is stored.
    ///   - configuration: Options of the SQLite connections.
    ///   - mergePolicy: What contexts do if another one has saved the same attribute. Each context can have its own.
    ///   - migration: What to do with a file of an earlier version of the schema. By default, it is migrated.
    ///   - account: A name of the account whose records the store contains, such as the user's id on the server. The
    ///     store belongs to it from then on. `nil` opens the store of any account.
    /// - Throws: `StoreError` if the file cannot be opened or is not a database, or its tables are not those of this
    ///   schema or of a version that it records; `.migrationNeeded` if `migration` does not allow to migrate it;
    ///   `.otherAccount` if it belongs to another account. The file is then unchanged.
    public convenience init<Schema: StoreSchema>(
        _ schema: Schema.Type, at location: StoreLocation, configuration: Configuration = Configuration(),
        mergePolicy: MergePolicy = .contextWins, migration: MigrationMode = .automatic, account: String? = nil
    ) throws {
        try self.init(
            schema, at: location, configuration: configuration, mergePolicy: mergePolicy,
            options: MigrationOptions(mode: migration), account: account)
    }

    init<Schema: StoreSchema>(
        _ schema: Schema.Type, at location: StoreLocation, configuration: Configuration, mergePolicy: MergePolicy,
        options: MigrationOptions, account: String? = nil
    ) throws {
        self.schema = schema
        self.location = location
        let description = schema.description
        let opening = StoreOpening(
            schema: description, location: location, configuration: configuration, options: options,
            account: account)
        let opened = try opening.open()
        migration = opened.migration
        base = try StoreBase(
            schema: description, writer: opened.writer, files: AttachmentFiles(of: location),
            mergePolicy: mergePolicy, suspension: SuspensionWatch(configuration))
        if !configuration.readonly { base.files.removeLeftovers() }
    }

    /// Findings of opening the store that the app may want to know; normally empty.
    ///
    /// ```swift
    /// for finding in store.findings { logger.warning("\(finding)") }
    /// ```
    public var findings: [StoreFinding] { base.findings }

    /// The database itself, for direct use of GRDB. Contexts see what is written through it.
    ///
    /// Do not use a context in its `read` and `write`: GRDB does not allow nested access to a connection on one thread,
    /// and stops the process.
    public var writer: any DatabaseWriter { base.writer }

    deinit {
        Task { @MainActor [waker] in waker.release() }
    }

    /// The main actor's context, created on first access. There is one for the lifetime of the store.
    ///
    /// It outlives the store if the app has a reference to it or to one of its objects, or it has unsaved changes.
    @MainActor public var mainContext: ManagedObjectContext {
        if let madeMainContext { return madeMainContext }
        let context = ManagedObjectContext(base, isObservable: true) { [waker] in Task { @MainActor in waker.wake() } }
        waker.context = context
        madeMainContext = context
        return context
    }

    /// Closes the database. After that, its file is complete, and can be moved or deleted, together with the folder of
    /// its attachments (`<file>-attachments`) if there is one. Using contexts after that fails.
    ///
    /// The empty journal (`-wal`) and its index (`-shm`) stay for processes that can only read. The file does not need
    /// them.
    ///
    /// - Throws: `StoreError` if the database is still in use.
    public func close() throws {
        try StoreError.wrapping("closing the store", at: location.text) {
            // If the writer is still in use, everything goes on as before.
            try base.writer.closeWithJournal()
            try base.contextReaders.close()
        }
        base.signals.end()
        base.files.close()
    }

    /// Runs `body` with a new context, off the main actor, and returns what that returns.
    ///
    /// Calls are serialized. What `body` does not save is discarded. Models must not leave it; representations can.
    ///
    /// ```swift
    /// let titles = try await store.perform { context in
    ///     try context.fetch(Entry.all()).map(\.title)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - mergePolicy: What the context does if another one has saved the same attribute; `nil` for the store's
    ///     policy.
    ///   - body: Uses the context.
    /// - Throws: Errors of `body`.
    public func perform<Value: Sendable>(
        mergePolicy: MergePolicy? = nil, _ body: @escaping @Sendable (ManagedObjectContext) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [base] in
                let context = ManagedObjectContext(base)
                if let mergePolicy { context.mergePolicy = mergePolicy }
                defer { context.close() }
                continuation.resume(with: Result { try body(context) })
            }
        }
    }
}

/// Makes the main actor's context pick up commits of others.
@MainActor private final class MainContextWaker {
    weak var context: ManagedObjectContext?

    nonisolated init() {}

    func wake() { context?.wake() }

    /// The store was released. What the app still has continues to work, and loads what is needed again.
    func release() { context?.keepNone() }
}
