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
    /// The schema it was made for.
    public let schema: any StoreSchema.Type
    /// Where it is kept.
    public let location: StoreLocation

    let base: StoreBase
    private let queue = DispatchQueue(label: "lockstep.store.perform")
    @MainActor private var madeMainContext: Context?
    private let waker = MainContextWaker()

    /// Opens the store, creating it if needed.
    ///
    /// A file is looked at before anything in it is changed: what is refused stays as it was.
    ///
    /// - Parameters:
    ///   - schema: The generated schema.
    ///   - location: Where the store is kept.
    ///   - configuration: Options of the SQLite connections.
    ///   - mergePolicy: What contexts do where another one has saved the same attribute; each can have its own.
    /// - Throws: `StoreError` if the file cannot be opened or is no database, or its tables are not those of this
    ///   schema and version.
    public init<Schema: StoreSchema>(
        _ schema: Schema.Type, at location: StoreLocation, configuration: Configuration = Configuration(),
        mergePolicy: MergePolicy = .contextWins
    ) throws {
        self.schema = schema
        self.location = location
        let description = schema.description
        let opening = StoreOpening(schema: description, location: location, configuration: configuration)
        let writer = try opening.open()
        base = try StoreBase(
            entities: description.entities, writer: writer, files: AttachmentFiles(of: location),
            mergePolicy: mergePolicy)
        if !configuration.readonly { base.files.removeLeftovers() }
    }

    /// What opening it has found that the app may want to know; nothing where all is as it should be.
    ///
    /// ```swift
    /// for finding in store.findings { logger.warning("\(finding)") }
    /// ```
    public var findings: [StoreFinding] { base.findings }

    /// The database itself, for everything that GRDB can do. Contexts see what is written through it.
    ///
    /// Use no context inside of its `read` and `write`: GRDB does not lend a connection twice on one thread, and stops
    /// the process.
    public var writer: any DatabaseWriter { base.writer }

    deinit {
        Task { @MainActor [waker] in waker.letGo() }
    }

    /// The main actor's context; made when first asked for, one for the life of the store.
    ///
    /// It outlives the store where the app holds it, or one of its objects, or it has unsaved changes.
    @MainActor public var mainContext: Context {
        if let madeMainContext { return madeMainContext }
        let context = Context(base) { [waker] in Task { @MainActor in waker.wake() } }
        waker.context = context
        madeMainContext = context
        return context
    }

    /// Closes the database: its file has everything then, and may be moved or deleted, with the folder of its
    /// attachments (`<file>-attachments`) where it has any. What contexts are asked after that fails.
    ///
    /// - Throws: `StoreError` if the database is still in use.
    public func close() throws {
        try StoreError.wrapping("closing the store", at: location.text) { try base.writer.closeWithJournal() }
        base.signals.end()
    }

    /// Runs `body` with a new context, off the main actor, and returns what that returns.
    ///
    /// Calls run one after another. What `body` does not save is thrown away; models do not leave it, representations
    /// do.
    ///
    /// ```swift
    /// let titles = try await store.perform { context in
    ///     try context.fetch(Entry.all()).map(\.title)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - mergePolicy: What the context does where another one has saved the same attribute; `nil` for the store's.
    ///   - body: What is done with the context.
    /// - Throws: What `body` throws.
    public func perform<Value: Sendable>(
        mergePolicy: MergePolicy? = nil, _ body: @escaping @Sendable (Context) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [base] in
                let context = Context(base)
                if let mergePolicy { context.mergePolicy = mergePolicy }
                defer { context.close() }
                continuation.resume(with: Result { try body(context) })
            }
        }
    }
}

/// Lets the main actor's context take over what others have committed.
@MainActor private final class MainContextWaker {
    weak var context: Context?

    nonisolated init() {}

    func wake() { context?.wake() }

    /// The store has gone. Loaded relationships hold objects, and those the context: that would stay for ever, with the
    /// database open. What the app still has of it works on, and loads again what it is asked for.
    func letGo() { context?.releaseLoaded() }
}
