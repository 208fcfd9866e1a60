public import Foundation
import GRDB
package import LockstepStore

/// How a payload is merged.
///
/// ```swift
/// var options = MergeOptions()
/// options.records = .all                   // also delete what the server no longer lists
/// options.invalidRecords = .abort
/// ```
public struct MergeOptions: Sendable {
    /// What may be done to the records of the payload's list. Nothing is deleted unless it is asked for.
    public var records: MergeSwitches
    /// What may be done to the records nested in those, at any depth. A nested list is the whole of its owner's list,
    /// so that deleting is on.
    public var nested: MergeSwitches
    /// What happens where a record is not as the schema has it.
    public var invalidRecords: InvalidRecords
    /// How the records lie in the payload.
    public var payload: PayloadShape
    /// What it means where a record lacks a key.
    public var missingKeys: MissingKeys
    /// Whether the payload is all that the server has in the scope: only then is anything deleted.
    public var completeness: Completeness
    /// Whether everything is done and then rolled back, so that the summary tells what a merge would do.
    public var isDryRun: Bool
    /// Whether the summary has a ``MergeTrace``: keys that mean nothing, which key went to which column, what was
    /// changed in each record. It costs time and memory.
    public var isTraced: Bool
    /// Whether the summary lists the identities of the records; else it only counts them.
    public var listsIdentities = true
    /// Who counts where something was changed here and on the server, in the entity that is merged, and in what is
    /// nested as far as the policy can decide there. `nil` for the policies of the store's sync; in a store without one
    /// local edits stay, as with ``ConflictPolicy/localChangesWin``.
    public var conflicts: ConflictPolicy?
    /// What happens where a record that was made here has a value that is there once and that a record of the server
    /// wants, in the entity that is merged and in what is nested. `nil` for the policies of the store's sync; without
    /// one it is ``UniqueValuePolicy/adopt``.
    public var uniqueValues: UniqueValuePolicy?
    /// Called now and then while the merge goes on, off the main actor and never two at a time.
    public var progress: (@Sendable (MergeProgress) -> Void)?
    /// The time, for attributes whose default is `now`.
    public var now: @Sendable () -> Date = { Date() }
    /// Makes identities, for records that the device gives one, and for attributes whose default is `new`.
    public var newIdentity: @Sendable () -> UUID = { UUID() }

    /// How many records are asked for by their identities that a list in pages lacks, at most: such a list may have
    /// shifted while it was read, so that nothing is deleted which the server does not say is gone (rule M7). What is
    /// not asked for stays, and the summary says so. It counts where a sync pulls, and where something may be deleted.
    public var unlistedRequestLimit = MergeOptions.defaultUnlistedRequestLimit

    /// Each of them is a request of its own: a few more than are deleted between two pulls, and soon done.
    public static let defaultUnlistedRequestLimit = 100

    /// What may be deleted that the payload does not list.
    package var unlisted = UnlistedDeletion.all

    /// Which end tells what to the server that the payload is of: what an end does not tell, it does not lack either.
    /// `nil` where nobody knows.
    package var ownership: WireOwnership?

    /// Writes what is staged after so many records, for tests: how a payload is cut must not show.
    package var batchRecordLimit = Int.max
    /// How much of a file is at hand at once, at first, for tests likewise.
    package var windowByteCount = PayloadFileWindows.defaultSize

    /// What takes part in the merge's transaction, in this order.
    package var participants: [any MergeParticipant] = []

    /// Of an answer to a change: what was sent. `nil` for what the server was asked for.
    package var answer: SentRecord?

    /// Hooks of this merge, instead of the store's.
    var customizations = MergeCustomizations()

    /// Options of which some are set; without any, records are inserted and updated, and what is nested is deleted too
    /// where its owner no longer lists it. The others are set as properties.
    ///
    /// ```swift
    /// try await store.merge(body, into: Entry.self, options: MergeOptions(payload: .map, isDryRun: true))
    /// ```
    public init(
        records: MergeSwitches = [.insert, .update], nested: MergeSwitches = .all,
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

    /// What happens to a record of a wrong type, beyond its limits or without a required value (Rules.md, M12).
    public enum InvalidRecords: Sendable, Hashable {
        /// It is left out with all that is nested in it, and reported. Where its identity can be read, it counts as
        /// listed: it is not deleted.
        case skip
        /// The merge is rolled back and throws a ``MergeError``.
        case abort
    }

    /// What it means where a record lacks a key (Rules.md, M1).
    public enum MissingKeys: Sendable, Hashable {
        /// The value is kept.
        case keep
        /// The value is empty: null, or no members. For servers that never store `null`, `{}` or `[]`.
        case empty
    }

    /// Whether a payload is all that the server has in the scope (Rules.md, M7 and M8).
    public enum Completeness: Sendable, Hashable {
        /// It is, unless the payload is one record and no list, or the scope was made of query parameters that are no
        /// filter: `page=2` says that there are more.
        case automatic
        /// It is, whatever the query parameters say: `sort=name` takes nothing away.
        case complete
        /// It is not: one page of several. Nothing of the payload's list is deleted.
        case partial
    }
}
