import Foundation
import LockstepMerge
import LockstepStore

/// Reads a remote's feed from where it was merged to its end, page by page (Rules.md, H3).
final class FeedPull {
    /// The feed's name on the status board and in messages, where others have their entity.
    static let name = "feed"

    private let environment: SyncEnvironment
    private let types: [any Model.Type]
    private let options: MergeOptions
    /// Whether the status does not report it.
    private let isRoutine: Bool
    private var summary = PullSummary()
    private var byteCount = 0
    /// Whether the server has responded to any request.
    private(set) var hasResponse = false

    /// How often one pull begins again because the server no longer knows the cursor.
    private static let maximumExpirations = 3
    /// The maximum number of pages that are kept, to merge them in one transaction, or again after a refused record.
    private static let maximumHeldPages = 16
    /// Consecutive pages are merged in one transaction up to this number of bytes, because each transaction writes a
    /// large part of the tables' B-trees again.
    private static let transactionBytes = 2_000_000

    /// Where the feed is read.
    private struct Place {
        /// What the store has.
        var stored: ValidatorTable.FeedPosition?
        /// Where the next page begins.
        var cursor: String?
        var reading: Int64
        var isWhole: Bool
        /// The pages since the stored position that were not merged yet, or of which a record was refused.
        var held: [FeedChanges.Page] = []
        /// How many of them were not merged, and their bytes.
        var waiting = (count: 0, bytes: 0)
        /// Whether some of them are not held any more.
        var hasDropped = false
    }

    init(_ environment: SyncEnvironment, types: [any Model.Type], options: MergeOptions, isRoutine: Bool = false) {
        (self.environment, self.types, self.options, self.isRoutine) = (environment, types, options, isRoutine)
    }

    /// - Parameter everything: Whether it is read from the start.
    func run(everything: Bool) async throws -> PullSummary {
        var place = try await begin(everything: everything)
        var series = PageSeries(entity: Self.name, limit: environment.limits.pages)
        var expirations = 0
        while true {
            let read: FeedChanges.Page
            do {
                read = try FeedChanges.Page(try await self.read(after: place.cursor), of: types)
                if !read.page.isExpired { try series.advance(to: read.page.hasMore ? read.page.cursor : nil) }
            } catch {
                // Pages that were read are not requested again.
                if place.waiting.count > 0 {
                    do { try await mergeHeld(&place) } catch is FeedMerge.Moved {}
                }
                throw error
            }
            let page = read.page
            if page.isExpired {
                expirations += 1
                guard place.cursor != nil, expirations <= Self.maximumExpirations else { throw Self.expired }
                place = try await begin(everything: true)
                series = PageSeries(entity: Self.name, limit: environment.limits.pages)
                continue
            }
            do { try await merge(read, at: &place) } catch is FeedMerge.Moved {
                place = try await begin(everything: false)
                series = PageSeries(entity: Self.name, limit: environment.limits.pages)
                continue
            }
            if !page.hasMore { return summary }
        }
    }

    /// The position depends on the schema: what an earlier one has merged lacks values.
    private var address: String { "feed \(environment.store.schema.fingerprint)" }

    private func begin(everything: Bool) async throws -> Place {
        try await environment.store.reading("reading up to where was pulled") { [address] database in
            let stored = try ValidatorTable.feedPosition(address, in: database)
            if let stored, !everything {
                return Place(
                    stored: stored, cursor: stored.cursor, reading: stored.reading, isWhole: stored.isWhole)
            }
            let last = max(try ScopeTable.lastReading(database), stored?.reading ?? 0)
            return Place(stored: stored, cursor: nil, reading: last + 1, isWhole: false)
        }
    }

    private func read(after cursor: String?) async throws -> FeedPage {
        let page: FeedPage
        do { page = try await environment.remote.feed(after: cursor) } catch {
            if let error = error as? SyncError, error.isFromServer { hasResponse = true }
            throw error
        }
        hasResponse = true
        summary.requests += 1
        byteCount += page.byteCount
        guard byteCount <= environment.limits.bytes else {
            throw SyncError(
                .malformed, reason: "the feed has more than \(environment.limits.bytes) bytes",
                remedy: "What was merged stays. Raise `PullLimits.bytes` of the sync.")
        }
        let unknown = Set(page.changes.map(\.entity)).subtracting(types.map { $0.entity.name })
        unknown.sorted().forEach(environment.noteUnknownEntity)
        return page
    }

    // MARK: Merging

    private func merge(_ read: FeedChanges.Page, at place: inout Place) async throws {
        let page = read.page
        if !isRoutine, let entity = page.changes.first?.entity { environment.board.show(.pulling(entity: entity)) }
        place.held.append(read)
        place.waiting = (place.waiting.count + 1, place.waiting.bytes + page.byteCount)
        place.cursor = page.cursor
        // The next page can contain a scope that this one has lost.
        let isFollowed = page.hasMore && page.lostScopes.isEmpty
        if isFollowed, place.waiting.count < Self.maximumHeldPages, place.waiting.bytes < Self.transactionBytes {
            return
        }
        try await mergeHeld(&place)
    }

    private func mergeHeld(_ place: inout Place) async throws {
        guard let page = place.held.last?.page else { return }
        place.waiting = (0, 0)
        let isEnd = !page.hasMore
        let next = ValidatorTable.FeedPosition(
            cursor: page.cursor, reading: place.reading, isWhole: place.isWhole || isEnd)
        if try await isNothing(place, next: next) {
            place.held = []
            return
        }
        let merge = FeedMerge(
            changes: FeedChanges.joined(place.held, of: types), lostScopes: Set(page.lostScopes), types: types,
            reading: (place.reading, place.isWhole), isEnd: isEnd, address: address, former: place.stored,
            next: place.hasDropped ? nil : next, now: environment.clock.now)
        let merges = merge.outcome.reported(
            try await environment.store.mergeJointly(merge.parts(mergeOptions), isDryRun: options.isDryRun))
        summary.merges += merges
        environment.note(merges)
        if merge.outcome.hasConflicts || place.hasDropped {
            place.hasDropped = place.hasDropped || place.held.count > Self.maximumHeldPages
            place.held = place.held.suffix(Self.maximumHeldPages)
        } else {
            place.held = []
            if !options.isDryRun { place.stored = next }
        }
        place.isWhole = next.isWhole
    }

    /// Whether there is nothing to write.
    private func isNothing(_ place: Place, next: ValidatorTable.FeedPosition) async throws -> Bool {
        guard next == place.stored, place.held.allSatisfy({ $0.page.changes.isEmpty && $0.page.lostScopes.isEmpty })
        else {
            return false
        }
        let withdrawal = FeedWithdrawal(plans: types.map { $0.entity.plan }, now: environment.clock.now)
        return try await !environment.store.reading("reading what was withdrawn") { try withdrawal.isPending($0) }
    }

    /// A feed names everything that changes, so everything of it is merged, whatever the options allow.
    private var mergeOptions: MergeOptions {
        var options = environment.options(options)
        (options.records, options.nested) = (.all, .all)
        options.payload = .records
        options.completeness = .partial
        options.namesDeletions = true
        options.isOfFeed = true
        options.confirmedAt = environment.clock.now
        return options
    }

    private static let expired = SyncError(
        .malformed, reason: "the feed responded that a cursor has expired, but it was requested from the start",
        remedy: "Return `.expired` only for a cursor that the feed does not know.")
}

extension FeedPage {
    fileprivate var byteCount: Int { changes.reduce(0) { $0 + $1.records.count } }
}
