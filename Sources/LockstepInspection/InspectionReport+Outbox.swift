package import Foundation
package import LockstepJSON
import LockstepStore

extension InspectionReport {
    /// The changes that the server has not confirmed.
    package struct Outbox: Encodable, Hashable, Sendable {
        /// The number of changed records, without those that are sent inside others.
        package private(set) var count = 0
        package private(set) var parked = 0
        /// The number of those that were attempted repeatedly.
        package private(set) var failing = 0
        package private(set) var oldest: Date?
        package private(set) var changes: [Change] = []
        /// Whether changes are not being recorded.
        package private(set) var isDisabled = false

        /// Counts the changes.
        init(_ changes: [Change], isDisabled: Bool) {
            let reported = changes.filter { !$0.isInside }
            (self.changes, self.isDisabled) = (changes, isDisabled)
            count = reported.count
            parked = reported.count(where: \.isParked)
            failing = reported.count(where: \.isFailing)
            oldest = reported.map(\.since).min()
        }

        /// The changes in the order of their importance: what is not sent by itself first.
        package var ordered: [Change] { changes.filter(\.isParked) + changes.filter { !$0.isParked } }
    }

    /// A record that was changed locally.
    package struct Change: Encodable, Hashable, Sendable {
        package enum Kind: String, Encodable, Sendable, CaseIterable { case create, update, delete, unknown }

        package var id: Int64
        package var entity: String
        /// The identity of the record. UUIDs and integers are shown; any other identity is replaced by a stand-in,
        /// unless values were requested.
        package var record: String
        package var kind: Kind
        package var since: Date
        package var attempts: Int
        package var retryAt: Date?
        /// Whether the change was sent, but its outcome is not known.
        package var isSent: Bool
        /// Whether the change is sent with the record that embeds it.
        package var isInside: Bool
        /// Whether no entity of the schema claims the change.
        package var isUnclaimed: Bool
        /// The attributes and to-one relationships that differ from what the server has. Empty for a record that it
        /// does not have, and for a delete.
        package var changed: [String]
        package var links: [LinkChange]
        package var error: ErrorCode?
        package var parked: Parked?
        /// The last error; included only with values.
        package var lastError: String?
        /// Included only with values.
        package var values: [MemberValue]?

        package var isParked: Bool { parked != nil }

        /// Whether the change was attempted repeatedly, and is retried. One that waits for all others has no time of
        /// its own.
        var isFailing: Bool { !isParked && retryAt != nil && attempts >= OutboxTable.failingAttempts }
    }

    /// The links of a relationship that were added or removed.
    package struct LinkChange: Encodable, Hashable, Sendable {
        package var relationship: String
        package var added: Int
        package var removed: Int
    }

    /// A change that is no longer sent.
    package struct Parked: Encodable, Hashable, Sendable {
        /// The status of the response; 0 if the change cannot be sent.
        package var status: Int
        /// The meaning of the status, or the reason that the change cannot be sent.
        package var meaning: String
        /// The attributes that the response names.
        package var attributes: [String]
        /// The body of the response as text; included only with values.
        package var response: String?
    }

    /// The values of an attribute or a to-one relationship: what the server has, and what the record has now.
    package struct MemberValue: Encodable, Hashable, Sendable {
        package var name: String
        /// `nil` if the record is not on the server.
        package var base: JSONValue?
        /// `nil` if the record was deleted.
        package var now: JSONValue?
    }
}
