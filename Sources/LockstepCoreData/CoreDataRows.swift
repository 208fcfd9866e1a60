public import Foundation
public import LockstepStore
import LockstepSystem

/// The rows of a Core Data store, which an app copies when it switches to Lockstep.
///
/// ```swift
/// let rows = CoreDataRows(at: oldURL, map: .diary, as: .received)
/// let copy = try await rows.copy(into: store)
/// ```
///
/// It reads the SQLite file of the store with SQL, and does not need Core Data. The file, its log (`-wal`) and its
/// external data are not changed.
public struct CoreDataRows: Sendable {
    /// The file that `NSPersistentContainer` has opened, such as `Diary.sqlite`.
    package let url: URL
    /// Which entities and members the rows become.
    package let map: CoreDataMap
    /// How a sync treats the copied rows.
    package let state: CoreDataRowState
    /// The name by which the store knows the file, so that its rows are copied once.
    public let name: String

    /// - Parameters:
    ///   - url: The file that `NSPersistentContainer` has opened, such as `Diary.sqlite`. Close its stack first.
    ///   - map: Which entities and members the rows become; `lockstep import --rows` writes it.
    ///   - state: How a sync treats the copied rows: `.received` if the server has all of them, `.unsent` if it has
    ///     none.
    ///   - name: What the store knows the file by, so that its rows are copied once; by default, the file's name.
    ///     Choose one for each file if files of several folders have the same name. The path is not used, because an
    ///     app's folder can have another path after an update.
    public init(at url: URL, map: CoreDataMap, as state: CoreDataRowState, named name: String? = nil) {
        (self.url, self.map, self.state, self.name) = (url, map, state, name ?? url.lastPathComponent)
    }

    /// Copies all rows into a store, once.
    ///
    /// It runs in one transaction, off the caller's actor. If the process is killed, the task is cancelled or an error
    /// is thrown, nothing was copied. The store records the ``name`` of a file whose rows were copied. Another call for
    /// a file with this name returns the first result, with ``CoreDataCopy/isRepeated``, even if the file no longer
    /// exists.
    ///
    /// Whole rows, values and links that do not fit are in `store.leftovers()`. ``CoreDataCopy/problems`` counts them.
    ///
    /// - Parameters:
    ///   - store: The store. Its records are kept: a row with the identity of one of them is kept aside.
    ///   - progress: Called from time to time, on any thread.
    /// - Returns: The numbers of copied records, and the problems.
    /// - Throws: ``CoreDataError`` if the file cannot be read; `StoreError` if the store cannot be written;
    ///   `CancellationError`.
    public func copy(
        into store: Store, progress: @escaping @Sendable (CoreDataProgress) -> Void = { _ in }
    ) async throws -> CoreDataCopy {
        let operation = "copying rows of Core Data"
        if let earlier = try await store.reading(operation, body: { [name] in try CopyRun.earlier(name, in: $0) }) {
            return earlier
        }
        let isCancelled = Locked(false)
        let run = CopyRun(
            url: url, name: name, map: map, state: state, now: Date(), progress: progress,
            isCancelled: { isCancelled.withLock { $0 } })
        return try await withTaskCancellationHandler {
            try await store.writeRaw(operation, suppressesOutbox: isQuiet) { database, changes in
                try run.run(store, in: database, changes: changes)
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
    }

    private var isQuiet: Bool { if case .unsent = state { false } else { true } }
}
