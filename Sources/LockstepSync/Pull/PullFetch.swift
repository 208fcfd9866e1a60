import Foundation
import LockstepMerge
import LockstepStore

/// Fetches a collection page by page, or one record, and merges it.
final class PullFetch<Object: Model> {
    let environment: SyncEnvironment
    let type: Object.Type
    private let scope: MergeScope<Object>
    private let target: RemoteRequest.Target
    private let query: [URLQueryItem]
    let options: MergeOptions
    /// How much of a collection is read.
    let extent: PullExtent
    var summary = PullSummary()
    /// Whether the server says that the record was deleted, rather than only not having it.
    private(set) var isGone = false
    /// Whether the server has responded to any request.
    private(set) var hasResponse = false
    /// The number of bytes that were read.
    var byteCount = 0
    /// Whether the status does not report it, unless there are many records.
    private let isRoutine: Bool

    /// The number of records from which on a routine pull is reported.
    private static var reportedRecords: Int { 1_000 }

    private var store: Store { environment.store }
    /// Whether records may be deleted, in which case all pages are one payload.
    private var isWhole: Bool { options.records.contains(.delete) && !isOneRecord }
    /// Whether it reads an entity's own collection, and no part of it.
    var isCollection: Bool { target == .collection && query.isEmpty && scope.isAll }
    /// The remote's list of changes, if this pull is of a whole collection. The remote is asked once, not for each
    /// page.
    private(set) lazy var changes: RemoteChanges? =
        isCollection ? environment.remote.changes(of: RemoteEntity(type.entity.plan)) : nil
    private var isOneRecord: Bool { recordIdentity != nil }
    private var recordIdentity: RemoteIdentity? { if case .record(let identity) = target { identity } else { nil } }

    init(
        _ environment: SyncEnvironment, type: Object.Type, scope: MergeScope<Object>, target: RemoteRequest.Target,
        query: [URLQueryItem], options: MergeOptions, extent: PullExtent = .everything, isRoutine: Bool = false
    ) {
        self.isRoutine = isRoutine
        self.extent = extent
        self.environment = environment
        self.type = type
        self.scope = scope
        self.target = target
        self.query = query
        self.options = options
    }

    func run() async throws -> PullSummary {
        guard changes == nil else { return try await runWithChanges() }
        if try await readAll(isConditional: true) { return summary }
        // Only some pages have changed, but the others' lists are needed to find deleted records.
        _ = try await readAll(isConditional: false)
        return summary
    }

    /// A page that was read and not merged yet.
    struct Page {
        let body: PayloadBody
        let shape: PayloadShape
        let isSnapshot: Bool
        let address: String?
        let validators: Validators?
        let version: String?
        /// Records that the server has deleted.
        var deleted: [RemoteIdentity] = []
        /// Where the next list of changes begins, if this is the last page.
        var watermark: Watermark?
    }

    /// Reads the pages of the collection, or the record, and merges them.
    ///
    /// - Returns: Whether it is complete; otherwise it must be repeated without conditional requests.
    func readAll(isConditional: Bool) async throws -> Bool {
        var pages: [Page] = []
        var unmodified = 0
        byteCount = 0
        var series = PageSeries(entity: type.entity.name, limit: environment.limits.pages)
        let (reader, spool) = (reader(isConditional: isConditional), isWhole ? PageSpool() : nil)
        var reading = try await read(series, by: reader, in: spool)
        while true {
            switch reading.response {
            case .absent, .gone:
                if case .gone = reading.response { isGone = true }
                // If a page is missing while others were read, the collection is incomplete.
                if series.isFirst {
                    summary.absent.append(type.entity.name)
                } else {
                    try await merge(pages, isPartial: true)
                }
                return true
            case .expired: throw series.expired
            case .notModified(let address):
                unmodified += 1
                try series.advance(to: try await known(address)?.next)
            case .records(let records):
                let isPage = !series.isFirst || records.next != nil
                // A page that was read earlier says nothing about the time of this pull.
                try series.advance(to: records.next, watermark: records.watermark, isCurrent: unmodified == 0)
                var page = Page(records, body: reading.body)
                if series.next == nil { page.watermark = watermark(series.watermark, after: nil) }
                if isWhole {
                    pages.append(page)
                } else if series.next != nil, readsAhead {
                    let (upcoming, byteCount) = (series, byteCount)
                    async let following = reader.read(upcoming, after: byteCount)
                    try await merge([page], isPartial: isPage)
                    do { reading = note(try await following) } catch { throw note(error) }
                    continue
                } else {
                    try await merge([page], isPartial: isPage)
                }
            }
            if series.next == nil { break }
            reading = try await read(series, by: reader, in: spool)
        }
        if isWhole, unmodified > 0, !pages.isEmpty, isConditional { return false }
        summary.notModified += unmodified
        if isWhole, !pages.isEmpty { try await mergeWhole(pages) }
        return true
    }

    /// Whether the next page is read while one is merged. A simulation that decides what arrives when could not be
    /// repeated then.
    private var readsAhead: Bool { !(environment.remote.wrapped is any PacedRemote) }

    /// - Parameter since: The watermark, if only changes are requested.
    func reader(isConditional: Bool, since: String? = nil) -> PageReader {
        let unknown: @Sendable (String) async throws -> Validators? = { _ in nil }
        return PageReader(
            environment: environment, plan: type.entity.plan, target: target, query: query, isRoutine: isRoutine,
            validators: isConditional ? known : unknown, since: since)
    }

    /// Reads the next page.
    func read(_ series: PageSeries, by reader: PageReader, in spool: PageSpool?) async throws -> PageReader.Reading {
        do { return note(try await reader.read(series, after: byteCount, in: spool)) } catch { throw note(error) }
    }

    private func note(_ reading: PageReader.Reading) -> PageReader.Reading {
        hasResponse = true
        summary.requests += 1
        byteCount = reading.byteCount
        return reading
    }

    /// - Returns: The error to throw.
    private func note(_ error: any Error) -> any Error {
        if let unread = error as? PageReader.UnreadBody {
            hasResponse = true
            summary.requests += 1
            return unread.error
        }
        if let error = error as? SyncError, error.isFromServer { hasResponse = true }
        return error
    }

    /// Returns the known validators of an address.
    private var known: @Sendable (String) async throws -> Validators? {
        { [store, mark] address in
            try await store.reading("reading what was fetched") {
                try ValidatorTable.find(mark + address, in: $0).map(Validators.init)
            }
        }
    }

    /// Identifies the kind of merge. What was merged with other options, as another entity or by an earlier schema must
    /// be fetched again: insert-only merges did not update, and a new attribute has no values yet.
    var mark: String {
        "\(type.entity.name).\(options.records.rawValue).\(options.nested.rawValue).\(store.schema.fingerprint) "
    }

    /// Reads the response for one record.
    func gather(_ body: HTTPBody) async throws -> PayloadBody {
        do {
            return try await PayloadSpool.gather(body, into: PayloadSpool(byteLimit: environment.limits.bytes))
        } catch {
            throw MergeError.payload(error, of: type.entity.name)
        }
    }

    /// Merges pages as one payload.
    ///
    /// - Parameters:
    ///   - isPartial: Whether there are more pages, so that nothing is deleted.
    ///   - deletes: Whether what the pages say was deleted is deleted, as the options allow.
    ///   - unlisted: Which unlisted records may be deleted otherwise.
    ///   - keepsValidators: Whether the pages were merged completely and need not be fetched again.
    ///   - isDone: Whether another pull of everything would not find more.
    ///   - isOfChanges: Whether they are a list of what has changed, with what was deleted.
    func merge(
        _ pages: [Page], isPartial: Bool, isOfChanges: Bool = false, deletes: Bool = true,
        unlisted: UnlistedDeletion = .all, keepsValidators: Bool = true, isDone: Bool = true
    ) async throws {
        if pages.isEmpty { return }
        var options = environment.options(options)
        options.unlisted = unlisted
        if isOfChanges || isOneRecord { options.confirmedAt = environment.clock.now }
        if !deletes { options.records.remove(.delete) }
        options.deletedIdentities = pages.flatMap(\.deleted)
        options.keepsDeletedIdentities = !options.records.contains(.delete)
        options.namesDeletions = isOfChanges
        if isPartial || isOneRecord { options.completeness = .partial }
        options.isWholeCollection = !isPartial && target == .collection && query.isEmpty
        let (board, name) = (environment.board, type.entity.name)
        let reported = isRoutine ? Self.reportedRecords : 0
        let progress = options.progress
        options.progress = { value in
            if value.recordsRead >= reported { board.show(.pulling(entity: name, merge: value)) }
            progress?(value)
        }
        // After lists of changes were merged, “not modified” would not mean that the store has the collection.
        let kept = keepsValidators ? pages.map { ($0.address, changes == nil ? $0.validators : nil) } : []
        let version = isOneRecord ? pages[0].version : nil
        let validators = kept.compactMap { address, validators in address.map { (mark + $0, validators) } }
        options.participants.append(
            PullParticipant(
                plan: type.entity.plan, validators: validators, version: version, identity: recordIdentity,
                feedAt: environment.feedNow,
                watermark: pages.last?.watermark.map { isDone ? $0 : $0.unfinished }))
        let merged: MergeSummary
        do {
            merged = try await store.merge(
                pages.map { ($0.body, $0.shape) }, into: type, scope: scope, options: options)
        } catch let error as MergeError where error.code == .wrongShape {
            throw error.ofRemote
        }
        summary.merges.append(merged)
        environment.note([merged])
        try await forgetVersions(of: merged)
    }

    /// A list does not contain the versions (`ETag`) of its records. If it shows that a record has changed, the version
    /// that was received before is outdated: a write with it would be rejected, so the next one requests it first.
    private func forgetVersions(of merged: MergeSummary) async throws {
        guard environment.remote.traits.hasVersions, !isOneRecord, !merged.isDryRun else { return }
        let changed = merged.identities(.updated, of: type)
        guard !changed.isEmpty else { return }
        let plan = type.entity.plan
        try await store.writeRaw("forgetting versions") { database, _ in
            for identity in changed { try VersionTable.keep(nil, of: identity.recordKey, in: plan, database: database) }
        }
    }
}

extension PullFetch.Page {
    init(_ records: FetchResponse.Records, body: PayloadBody?) {
        self.init(
            body: body ?? .data(Data()), shape: records.payload, isSnapshot: records.isSnapshot,
            address: records.address, validators: records.validators, version: records.version,
            deleted: records.deleted)
    }
}

extension MergeError {
    /// The error for a response whose shape the remote says, not the options.
    fileprivate var ofRemote: MergeError {
        MergeError(
            code, entity: entity, reason: reason,
            remedy: """
                Nothing was changed. Compare what the server sends with what the remote says: the `envelope` of a \
                `RESTRemote`'s conventions, such as `.under("data")`, or `under:` of `JSONExchange.fetchResponse`.
                """, underlyingError: underlyingError)
    }
}
