public import Foundation
public import GRDB

/// Where a store is kept.
public enum StoreLocation: Sendable, Hashable {
    /// In a file, with its journal beside it. It is made where there is none; its folder must be there.
    case file(URL)
    /// In memory, gone with the store.
    case inMemory
}

/// The SQLite database of one schema.
///
/// ```swift
/// let store = try Store(JournalSchema.self, at: .file(url))
/// let context = store.mainContext
/// ```
public final class Store: Sendable {
    /// Where it is kept.
    public let location: StoreLocation

    private let base: StoreBase
    private let queue = DispatchQueue(label: "lockstep.store.perform")
    @MainActor private var madeMainContext: Context?

    /// Opens the store; where there is none yet, makes it.
    ///
    /// A file is looked at before anything in it is changed: what is refused stays as it was.
    ///
    /// - Parameters:
    ///   - schema: The generated schema.
    ///   - location: Where the store is kept.
    ///   - configuration: Options of the SQLite connections.
    /// - Throws: `StoreError` where the file cannot be opened or is no database, or its tables are not those of this
    ///   schema and version.
    public init<Schema: StoreSchema>(
        _ schema: Schema.Type, at location: StoreLocation, configuration: Configuration = Configuration()
    ) throws {
        self.location = location
        let opening = StoreOpening(schema: schema, location: location, configuration: configuration)
        base = StoreBase(schema: schema, writer: try opening.open())
    }

    /// The schema it was made for.
    public var schema: any StoreSchema.Type { base.schema }

    /// The database itself, for everything that GRDB can do. Contexts see what is written through it.
    ///
    /// Use no context inside of its `read` and `write`: GRDB does not lend a connection twice on one thread, and stops
    /// the process.
    public var writer: any DatabaseWriter { base.writer }

    /// The main actor's context; made when first asked for, one for the life of the store.
    @MainActor public var mainContext: Context {
        if let madeMainContext { return madeMainContext }
        let context = Context(base)
        madeMainContext = context
        return context
    }

    /// Closes the database: its file has everything then, and may be moved or deleted. What contexts are asked after
    /// that fails.
    ///
    /// - Throws: `StoreError` where the database is still in use.
    public func close() throws {
        try StoreError.wrapping("closing the store", at: location.text) { try base.writer.closeWithJournal() }
    }

    /// Lends a context of its own to `body`, off the main actor, and returns what that returns.
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
    /// - Throws: What `body` throws.
    public func perform<Value: Sendable>(_ body: @escaping @Sendable (Context) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [base] in
                let context = Context(base)
                defer { context.close() }
                continuation.resume(with: Result { try body(context) })
            }
        }
    }
}

/// What a store and its contexts share.
final class StoreBase: Sendable {
    let schema: any StoreSchema.Type
    let writer: any DatabaseWriter
    private let changes = ChangeCounter()

    init(schema: any StoreSchema.Type, writer: any DatabaseWriter) {
        self.schema = schema
        self.writer = writer
        writer.add(transactionObserver: changes, extent: .databaseLifetime)
    }

    /// How often the store has changed since it was opened.
    var generation: UInt64 { changes.count }
}

/// Counts commits, whoever makes them through this store's connections.
private final class ChangeCounter: TransactionObserver, Sendable {
    private let commits = Locked<UInt64>(0)

    var count: UInt64 { commits.withLock { $0 } }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { commits.withLock { $0 += 1 } }
    func databaseDidRollback(_ db: Database) {}
}
