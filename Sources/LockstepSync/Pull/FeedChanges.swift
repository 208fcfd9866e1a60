import Foundation
import GRDB
import LockstepMerge
import LockstepStore

/// What pages of a feed have of one entity, in every scope (Rules.md, H3).
struct FeedChanges: Sendable {
    let type: any Model.Type
    /// By version, so that the last copy of a record is the newest.
    private(set) var records: [Record] = []
    /// By version, so that the last one of a record is the newest.
    private(set) var deletions: [Deletion] = []

    var plan: EntityPlan { type.entity.plan }

    struct Record: Sendable {
        let json: Data
        /// `nil` if it cannot be read: the merge reports the record.
        let identity: RemoteIdentity?
        let version: Int64
        let scope: String
    }

    struct Deletion: Sendable {
        let identity: RemoteIdentity
        let version: Int64
        let scope: String
        let movedTo: String?
    }

    private init(_ type: any Model.Type) { self.type = type }

    /// The changes of a page, by entity.
    struct Page: Sendable {
        let page: FeedPage
        /// Without the changes of entities that are not among the types.
        let changes: [String: FeedChanges]

        /// - Throws: ``/LockstepHTTP/SyncError`` with the code `malformed` if it is not a page of a feed.
        init(_ page: FeedPage, of types: [any Model.Type]) throws {
            self.page = page
            var all: [String: FeedChanges] = [:]
            for changes in page.changes {
                guard let type = types.first(where: { $0.entity.name == changes.entity }) else { continue }
                try all[changes.entity, default: FeedChanges(type)].add(changes)
            }
            changes = all
        }
    }

    /// The changes of consecutive pages, in the order of `types`.
    static func joined(_ pages: [Page], of types: [any Model.Type]) -> [FeedChanges] {
        types.compactMap { type in
            var changes = FeedChanges(type)
            for page in pages {
                if let more = page.changes[type.entity.name] {
                    changes.records += more.records
                    changes.deletions += more.deletions
                }
                // Earlier records of these scopes do not reappear if a page is merged again.
                if !page.page.lostScopes.isEmpty { changes.drop(Set(page.page.lostScopes)) }
            }
            return changes.records.isEmpty && changes.deletions.isEmpty ? nil : changes.sorted()
        }
    }

    private mutating func add(_ changes: FeedPage.Changes) throws {
        let paths = plan.serverKeyPaths
        let ranges: [Range<Int>]?
        do { ranges = try JSONLocation.elements(of: changes.records) } catch {
            throw malformed(changes, reason: "the records are not JSON: \(error)")
        }
        guard let ranges else { throw malformed(changes, reason: "the records are not a JSON array") }
        guard ranges.count == changes.versions.count else {
            throw malformed(
                changes, reason: "there are \(ranges.count) records, and \(changes.versions.count) versions")
        }
        for (range, version) in zip(ranges, changes.versions) {
            let json = changes.records.bytes(in: range)
            let values = (JSONMembers.values(at: paths, of: json) ?? []).compactMap { $0 == .null ? nil : $0 }
            let identity = values.count == paths.count && !values.isEmpty ? RemoteIdentity(values) : nil
            records.append(Record(json: json, identity: identity, version: version, scope: changes.scope))
        }
        for deletion in changes.deletions {
            guard deletion.identity.values.count == plan.serverKeyColumns.count else {
                throw malformed(
                    changes, reason: "a deletion has \(deletion.identity.values.count) values as its identity")
            }
            deletions.append(
                Deletion(
                    identity: deletion.identity, version: deletion.version, scope: changes.scope,
                    movedTo: deletion.movedTo))
        }
    }

    private mutating func drop(_ scopes: Set<String>) {
        records.removeAll { scopes.contains($0.scope) }
        deletions.removeAll { scopes.contains($0.scope) }
    }

    private func sorted() -> FeedChanges {
        var changes = self
        changes.records.sort { $0.version < $1.version }
        changes.deletions.sort { $0.version < $1.version }
        return changes
    }

    private func malformed(_ changes: FeedPage.Changes, reason: String) -> SyncError {
        SyncError(
            .malformed, entity: changes.entity,
            reason: "the feed's changes in “\(changes.scope)” cannot be read: \(reason)",
            remedy: "Nothing of the page was merged. Compare what the server sends with what a feed has (rule H3).")
    }
}

extension EntityPlan {
    /// The local key of a record; `nil` if the identity is not one of the entity, or the record gets its local key
    /// when it is merged.
    func localKey(of identity: RemoteIdentity, in database: Database) throws -> RecordKey? {
        let columns = serverKeyColumns
        guard columns.count == identity.values.count else { return nil }
        let values = zip(columns, identity.values).compactMap { try? $1.stored(in: self.columns[$0]) }
        guard values.count == columns.count else { return nil }
        guard let remote = remoteColumn else { return RecordKey(values) }
        return try IdentityAdoption.record(values[0], column: remote, of: self, in: database)
    }

    /// Whether a record is in the store.
    func isStored(_ key: RecordKey, in database: Database) throws -> Bool {
        try !database.valueRows(findSQL, with: key.values).isEmpty
    }

    /// The keys of all records.
    func allKeys(_ database: Database) throws -> [RecordKey] {
        let names = keyColumns.map { SQLName.quoted(columns[$0].name) }.joined(separator: ", ")
        return try database.valueRows("SELECT \(names) FROM \(SQLName.quoted(table))").map { row in
            RecordKey(keyColumns.indices.map { row[$0] })
        }
    }
}
