public import Foundation
import GRDB
public import LockstepTables

/// How a payload is merged.
///
/// ```swift
/// var options = MergeOptions()
/// options.records = .all                   // also delete what the server no longer lists
/// options.invalidRecords = .abort
/// ```
public struct MergeOptions: Sendable {
    /// The operations that are allowed on the records of the payload's list. By default, nothing is deleted.
    public var records: MergeOperations
    /// The operations that are allowed on records nested in others, at any depth. A nested list is the complete list of
    /// its owner, so deleting is allowed by default.
    public var nested: MergeOperations
    /// The treatment of invalid records.
    public var invalidRecords: InvalidRecords
    /// How records are laid out in the payload.
    public var payload: PayloadShape
    /// The meaning of a key that a record lacks.
    public var missingKeys: MissingKeys
    /// Whether the payload is all that the server has in the scope. Only then are records deleted.
    public var completeness: Completeness
    /// When the merge commits.
    public var commits = Commits.once
    /// Whether the merge is rolled back at the end, so that the summary reports what it would do.
    public var isDryRun: Bool
    /// Whether the summary has a ``MergeTrace``: keys that are not in the schema, which key was read into which column,
    /// and what was changed in each record. This takes time and memory.
    public var isTraced: Bool
    /// Whether the summary lists the identities of the records. If not, it only counts them.
    public var listsIdentities = true
    /// The policy for conflicts of local edits with the server's, in the merged entity, and in nested ones as far as
    /// the policy can decide about them. `nil` to use the policies of the store's sync; in a store without a sync,
    /// local edits are kept, as with ``ConflictPolicy/localChangesWin``.
    public var conflicts: ConflictPolicy?
    /// The policy for a record that was created locally and has a unique value of a server's record, in the merged
    /// entity and in nested ones. `nil` to use the policies of the store's sync; in a store without a sync, it is
    /// ``UniqueValuePolicy/adopt``.
    public var uniqueValues: UniqueValuePolicy?
    /// Called from time to time during the merge, off the main actor and never concurrently.
    public var progress: (@Sendable (MergeProgress) -> Void)?
    /// The current time, for attributes whose default is `now`, and for the values of deleted records that are kept for
    /// a while. `nil` to use the clock of the sync that merges, or without a sync that of the system.
    public var now: (@Sendable () -> Date)?
    /// Creates identities, for records that get one locally, and for attributes whose default is `new`.
    public var newIdentity: @Sendable () -> UUID = { UUID() }

    /// The maximum number of records missing from a doubtful list to request by their identities, before they are
    /// deleted (Rules.md, M7): from pages, which may have shifted while they were read, from a list that lacks a large
    /// share of the records (``unlistedShareLimit``), or from one that may be older than what the server has confirmed.
    /// This is used when a sync pulls, if records may be deleted.
    public var unlistedRequestLimit = MergeOptions.defaultUnlistedRequestLimit

    /// The share of the records in scope that the server's list may lack without being doubted. A list that lacks more
    /// may be faulty, such as the empty list of a server that is being deployed. Some of the missing records are then
    /// requested by their identities, up to ``unlistedRequestLimit``: if the server has none of them, the list counts;
    /// otherwise, only those that it does not have are deleted.
    ///
    /// Set it to 1 if a list may lack any number of records, for example because the remote cannot request one record.
    /// Records that the server has confirmed in the last five minutes are requested even then: a replica that lags
    /// behind may not have them yet.
    public var unlistedShareLimit = MergeOptions.defaultUnlistedShareLimit

    /// Each of them is a separate request: more than are usually deleted between two pulls, and few enough to be fast.
    package static let defaultUnlistedRequestLimit = 100

    /// Half: rarely are more deleted between two pulls, and then the requests cost little.
    package static let defaultUnlistedShareLimit = 0.5

    /// Which records that the payload does not list may be deleted.
    package var unlisted = UnlistedDeletion.all

    /// The identities on the server of records that the server has deleted. They are deleted at the end, unless the
    /// payload lists them. Those that are not in the store are ignored.
    package var deletedIdentities: [RemoteIdentity] = []

    /// The time, if the server only does not have the records of ``deletedIdentities`` (404), and does not say that
    /// they were deleted. Those that it has confirmed recently stay then (Rules.md, M7).
    package var absentAt: Date?

    /// Whether the records of ``deletedIdentities`` stay, because the options do not delete.
    package var keepsDeletedIdentities = false

    /// Whether the payload names what was deleted, so that what it does not list says nothing.
    package var namesDeletions = false

    /// Whether the payload comes from a server's feed, which names everything that changes (Rules.md, H3).
    package var isOfFeed = false

    /// The time, if the payload is newer than lists may be: one record, what has changed, an event. Records that it
    /// brings count as confirmed then (Rules.md, M7).
    package var confirmedAt: Date?

    /// Whether the payload is all of a collection that a sync has pulled.
    package var isWholeCollection = false

    /// Which end of each relationship the payload's server sends. A relationship that is not sent does not count as
    /// missing. `nil` if this is unknown.
    package var ownership: WireOwnership?

    /// Writes the staged records after this many, for tests: how a payload is split must not affect the result.
    package var batchRecordLimit = Int.max
    /// Whether the payload is a piece of a merge that commits several times.
    package var isPiece = false
    /// The number of records of each piece if the merge commits several times, for the same tests.
    package var pieceRecordCount: Int?
    /// The initial window size for files, for the same tests.
    package var windowByteCount = PayloadFileWindows.defaultSize

    /// The participants of the merge's transaction, in order.
    package var participants: [any MergeParticipant] = []

    /// For the response to a change: what was sent. `nil` for what the server was asked for.
    package var sentRecord: SentRecord?

    /// Whether the payload is the record that the server has instead of a change, whose version it has rejected. Then
    /// it also rejects what was sent before, should that still arrive (Rules.md, P4).
    package var isRejection = false

    /// Whether records that were sent without identities, and whose outcome is not known, are found in a list only if
    /// all of these are: one request has brought them, or none.
    package var findsWholeLists = false

    /// The hooks of this merge, instead of the store's.
    package var customizations = MergeCustomizations()

    /// Creates options. By default, records are inserted and updated, and nested ones are also deleted if their owner
    /// no longer lists them. Other options are set as properties.
    ///
    /// ```swift
    /// try await store.merge(body, into: Entry.self, options: MergeOptions(payload: .map, isDryRun: true))
    /// ```
    public init(
        records: MergeOperations = [.insert, .update], nested: MergeOperations = .all,
        invalidRecords: InvalidRecords = .skip, payload: PayloadShape = .records, missingKeys: MissingKeys = .keep,
        completeness: Completeness = .automatic, isDryRun: Bool = false, isTraced: Bool = false
    ) {
        self.records = records
        self.nested = nested
        self.invalidRecords = invalidRecords
        self.payload = payload
        self.missingKeys = missingKeys
        self.completeness = completeness
        self.isDryRun = isDryRun
        self.isTraced = isTraced
    }

    /// The treatment of a record with a value of the wrong type, beyond its limits, or missing (Rules.md, M12).
    public enum InvalidRecords: Sendable, Hashable {
        /// It is skipped with all records nested in it, and reported. If its identity can be read, it counts as listed,
        /// so it is not deleted.
        case skip
        /// The merge is rolled back and throws a ``MergeError``.
        case abort
    }

    /// Whether a payload is all that the server has in the scope (Rules.md, M7 and M8).
    public enum Completeness: Sendable, Hashable {
        /// It is, unless the payload is one record instead of a list, or the scope has query parameters that are not
        /// filters: `page=2` indicates that there are more.
        case automatic
        /// It is, whatever the query parameters: `sort=name` leaves nothing out.
        case complete
        /// It is not, such as one of several pages. No record of the payload's list is deleted.
        case partial
    }

    /// When a merge commits (Rules.md, M10).
    public enum Commits: Sendable, Hashable {
        /// Once, at its end: either everything is merged, or nothing is changed.
        case once
        /// Several times, so that a save does not wait for the whole merge, but for about this long.
        ///
        /// Each piece is a merge of its own. What is given up:
        /// - Records that the payload does not list stay, as with ``MergeOptions/Completeness/partial``, and so do
        ///   those that an embedded list no longer has. The next merge that commits once deletes them. A record that is
        ///   no longer embedded in a to-one stays without its owner.
        /// - If the merge ends early, because of an invalid record with ``MergeOptions/InvalidRecords/abort``, a disk
        ///   error, or cancellation, what it has committed stays. The payload is first read to its end, so one that is
        ///   not JSON changes nothing.
        /// - Readers see some of the records before the others, and the `didMerge` hook is called for each piece.
        /// - A record is skipped if it needs a unique value that a record of a later piece has. Of several new records
        ///   that want one value, the first gets it.
        /// - A payload that contradicts itself is written again by each merge.
        /// - A record that is in several pieces counts in the summary for each of them.
        /// - The merge takes up to three times as long, more if hooks are slow.
        ///
        /// A dry run and a traced merge do the same in one transaction. A sync ignores this, and merges each response
        /// in one transaction.
        case every(milliseconds: Int)
    }
}
