package import Foundation
package import LockstepJSON
package import LockstepStore

/// The contents of a store, for a developer who has only its file, and for a text that users can send to support.
///
/// It contains no values of records and no texts from servers, unless they were requested
/// (``InspectionOptions/includesValues``). It never contains headers that a remote sends, or addresses with a query.
/// The names of its properties are the keys of its JSON, which the command's page documents.
package struct InspectionReport: Encodable, Hashable, Sendable {
    /// The version of this format. It is incremented if a key is removed or its meaning changes.
    package var format = 1
    /// When the store was read.
    package var at: Date
    /// The only entity whose records are listed; `nil` for all. The findings are about the whole store.
    package var entity: String?
    /// The findings, most severe first.
    package var findings: [InspectionFinding] = []
    package var file: File
    package var schema: Schema
    // A part that could not be read is `nil`: nobody may take it for an empty one.
    package var entities: [Entity]?
    /// Tables that belong neither to the schema nor to the library.
    package var otherTables: [Table]?
    package var outbox: Outbox?
    package var sync: SyncState?
    package var conflicts: [Conflict]?
    package var leftovers: [Leftover]?
    /// Also `nil` if no entity has attachments.
    package var attachments: Attachments?
    package var integrity = Integrity()
    /// The parts that could not be read, because the file is damaged.
    package var unreadable: [Unreadable] = []
    /// Whether values of records and texts from servers are included.
    package var includesValues = false

    /// The file and its journal; sizes in bytes.
    package struct File: Encodable, Hashable, Sendable {
        /// `nil` for a store in memory.
        package var path: String?
        package var size = 0
        /// The size of the journal (`-wal`); 0 if there is none.
        package var journalSize = 0
    }

    package struct Schema: Encodable, Hashable, Sendable {
        package var name: String
        package var version: Int
        package var fingerprint: String
        /// The versions of the library that created the file and last changed its schema.
        package var madeBy: String?
        package var migratedBy: String?
        /// The version of the app that last changed the schema.
        package var appVersion: String?
        /// The beginning of the random text that distinguishes this store from others; it is created by the first push.
        package var store: String?
        /// Whether the file describes its entities. Otherwise, they are derived from the tables.
        package var isDescribed: Bool
        /// The version of the library's own tables.
        package var systemTables: Int?
        /// Whether a copy made before a migration is kept.
        package var hasCopy: Bool
    }

    package struct Entity: Encodable, Hashable, Sendable {
        package var name: String
        package var table: String
        /// `nil` if the table is missing.
        package var rows: Int?
        /// Whether the records are sent to a server, separately or inside others.
        package var isSynced: Bool
        /// `nil` if the pending changes could not be read.
        package var pending: Int?
        package var parked: Int?
    }

    package struct Table: Encodable, Hashable, Sendable {
        package var name: String
        package var rows: Int
    }

    /// The number of things that a merge is waiting for, or that a sync has recorded, for one entity.
    package struct Count: Encodable, Hashable, Sendable {
        package var entity: String
        package var count: Int
    }

    /// The state that a sync has stored.
    package struct SyncState: Encodable, Hashable, Sendable {
        /// `nil` if changes may be sent now.
        package var pause: Pause?
        package var collections: [Collection] = []
        /// Links to members that the server has listed, but that have not been received yet.
        package var waitingLinks: [WaitingLink] = []
        /// Records that are referred to, but have not been received yet.
        package var awaitedRecords: [Count] = []
        /// Records with a version from the server (ETag).
        package var versions: [Count] = []
        /// Records that were sent inside others, and whose identities on the server are not known yet.
        package var membersWithoutIdentity: [Count] = []
    }

    /// A period during which nothing is sent.
    package struct Pause: Encodable, Hashable, Sendable {
        package var until: Date
        /// `server` if the server has asked the client to wait; `network` if it could not be reached.
        package var by: String
        package var attempts: Int
        package var error: ErrorCode?
    }

    /// The kind of an error, without its texts.
    package struct ErrorCode: Encodable, Hashable, Sendable {
        package var code: String
        package var status: Int?
    }

    /// The state of an entity's collections.
    package struct Collection: Encodable, Hashable, Sendable {
        package var entity: String
        /// The number of addresses whose last response can be confirmed with “not modified”.
        package var validators: Int
        /// The time of the last of these responses.
        package var lastResponse: Date?
        /// The number of lists of changes that are followed.
        package var watermarks: Int
        /// When such a list was last pulled as a whole.
        package var wholeAt: Date?
    }

    package struct WaitingLink: Encodable, Hashable, Sendable {
        /// The relationship with its entity: `Tag.words`.
        package var relationship: String
        package var owner: String
        package var member: String
    }

    /// A part of an unsent edit that the schema no longer has a place for.
    package struct Leftover: Encodable, Hashable, Sendable {
        package var entity: String
        package var record: String
        package var member: String?
        package var version: Int
        package var at: Date
        /// JSON as text; included only with values.
        package var value: String?
        /// Included only with values.
        package var reason: String?
    }

    /// A value that one side has lost in a conflict, and that its record does not have.
    package struct Conflict: Encodable, Hashable, Sendable {
        package var entity: String
        package var record: String
        package var member: String
        /// The side whose value was lost.
        package var lost: ConflictEntry.Side
        /// What has decided.
        package var rule: ConflictEntry.Rule
        package var at: Date
        /// Included only with values.
        package var base: JSONValue?
        /// Included only with values.
        package var local: JSONValue?
        /// Included only with values.
        package var remote: JSONValue?
    }

    /// The files of attachments; sizes in bytes.
    package struct Attachments: Encodable, Hashable, Sendable {
        /// The number of distinct contents that records refer to.
        package var referenced = 0
        package var present = 0
        package var presentSize = 0
        /// The number that is not on the device, and how many of these a server is known to have.
        package var missing = 0
        package var missingButUploaded = 0
        /// The number on the device that no server is known to have.
        package var notUploaded = 0
        /// The number whose transfer has failed since it last succeeded.
        package var failing = 0
        /// Files that no record refers to.
        package var unused = 0
        package var unusedSize = 0
        /// Interrupted downloads and files that were moved aside because they are damaged.
        package var incomplete = 0
        package var damaged = 0
        /// The references of the missing ones; included only with values.
        package var missingReferences: [String]?
    }

    package struct Integrity: Encodable, Hashable, Sendable {
        /// Whether the whole file was checked.
        package var isChecked = false
        /// The problems that SQLite reports (`integrity_check`); empty if there are none.
        package var problems: [String] = []
        /// Rows that refer to rows that do not exist; `nil` if that was not checked.
        package var brokenReferences: [BrokenReference]?
        /// The parts that the schema or the library needs and the file lacks; `nil` if the tables could not be read.
        package var missing: [MissingPart]?
        /// The triggers on tables of the schema or the library that neither has created; `nil` if that is not known.
        package var foreignTriggers: [ForeignTrigger]?
    }

    package struct ForeignTrigger: Encodable, Hashable, Sendable {
        package var table: String
        package var name: String
    }

    package struct BrokenReference: Encodable, Hashable, Sendable {
        package var table: String
        package var destination: String
        package var count: Int
    }

    package struct MissingPart: Encodable, Hashable, Sendable {
        package enum Kind: String, Encodable, Sendable { case table, index, trigger }

        package var kind: Kind
        /// For an index, its columns.
        package var name: String
        package var table: String
    }

    package struct Unreadable: Encodable, Hashable, Sendable {
        package enum Part: String, Encodable, Sendable {
            case records = "the records"
            case otherTables = "the other tables"
            case outbox = "the pending changes"
            case sync = "the state of the sync"
            case conflicts = "the conflicts"
            case leftovers = "the leftovers"
            case attachments = "the attachments"
            case wholeFile = "the file as a whole"
            case tables = "the tables"
        }

        package var part: Part
        package var reason: String
    }
}
