import GRDB
import LockstepSystem

/// Notices that another process has migrated the file to a later version of the schema while this one has it open.
///
/// This process would write rows in their former shape, and its triggers would not keep the bases of columns that it
/// does not know.
final class SchemaWatch: Sendable {
    private let fingerprint: String
    /// Whether another connection has written since the metadata was last read.
    private let others = OtherConnections()

    /// Whether the store is being left for good.
    private let hasEnded = Locked(false)

    init(fingerprint: String) { self.fingerprint = fingerprint }

    /// Whether no transaction may write any more.
    var isEnded: Bool { hasEnded.withLock(\.self) }

    /// From now on, no transaction may write.
    func end() { hasEnded.withLock { $0 = true } }

    /// The transaction that was to be the last one was not committed.
    func goOn() { hasEnded.withLock { $0 = false } }

    /// Called first in each write transaction. It costs one pragma unless another process has written.
    ///
    /// - Throws: `StoreError` with the code `.superseded`, or `.closed` if writing has ended.
    func check(_ database: Database) throws {
        if isEnded {
            throw StoreError(
                .closed, doing: "writing", reason: "the account of the store is being signed out",
                remedy: "Discard the context, and open the store of another account.")
        }
        _ = try others.haveCommitted(database) {
            guard let current = try MetadataTable.fingerprint(database), current != fingerprint else { return }
            throw StoreError(
                .superseded, doing: "writing",
                reason: "another process has migrated the store to another version of its data model",
                remedy: "Close the store. Quit this process, or open the store again with the same version of the app.")
        }
    }
}
