import Foundation
import LockstepMerge
import LockstepStore

/// How much of a collection a pull reads, if the remote lists changes (Rules.md, H2).
enum PullExtent: Sendable {
    /// The whole collection.
    case everything
    /// What has changed since the last pull, or the whole collection if only that can show what options ask for: the
    /// records that were deleted.
    case changes
    /// What has changed, or the whole collection if it was last read that many seconds ago.
    case changesUnlessDue(seconds: TimeInterval)
}

extension PullFetch {
    /// Where to begin, if only changes are to be read.
    func knownWatermark() async throws -> String? {
        guard let changes, let known = try await storedWatermark(changes) else { return nil }
        switch extent {
        case .everything: return nil
        case .changes: return options.records.contains(.delete) && !changes.includesDeletions ? nil : known.text
        case .changesUnlessDue(let seconds):
            let age = environment.clock.now.timeIntervalSince(known.wholeAt)
            // A clock that was set back says nothing about when that was.
            return age >= 0 && age < seconds ? known.text : nil
        }
    }

    /// Reads and merges what has changed, in one transaction.
    ///
    /// - Returns: Whether it is complete; otherwise the server no longer knows what has changed.
    func readChanges(since: String) async throws -> Bool {
        var pages: [Page] = []
        let spool = PageSpool()
        var byteCount = 0
        var series = PageSeries(entity: type.entity.name, limit: environment.limits.pages)
        repeat {
            switch try await fetch(series, false, since: since) {
            case .expired: return false
            case .absent where series.isFirst:
                summary.absent.append(type.entity.name)
                return true
            // A part of the list says nothing about the rest.
            case .absent: return false
            case .notModified:
                summary.notModified += 1
                return true
            case .records(let records):
                try series.advance(to: records.next, records.watermark, isCurrent: true)
                var page = try await page(records, spool, &byteCount)
                if series.next == nil { page.watermark = watermark(series.watermark, after: since) }
                pages.append(page)
            }
        } while series.next != nil
        try await merge(pages, isPartial: true)
        return true
    }

    /// The remote's list of changes, if this pull is of a whole collection.
    private var changes: RemoteChanges? {
        guard isCollection else { return nil }
        return environment.remote.changes(of: RemoteEntity(type.entity.plan))
    }

    private func storedWatermark(_ changes: RemoteChanges) async throws -> Watermark? {
        try await environment.store.reading("reading up to where was pulled") { [mark] in
            try Watermark.find(Watermark.address(mark, changes), $0)
        }
    }

    /// The watermark to store.
    ///
    /// - Parameters:
    ///   - text: What the remote has returned.
    ///   - since: The watermark that the list of changes began with; `nil` for the whole collection.
    func watermark(_ text: String?, after since: String?) -> Watermark? {
        guard let changes, let text else { return nil }
        return Watermark(
            address: Watermark.address(mark, changes), text: text, since: since, wholeAt: environment.clock.now)
    }

    /// Notes that the whole collection was read: the server responded that pages had not changed.
    func noteWhole() async throws {
        guard let changes, let known = try await storedWatermark(changes) else { return }
        let noted = Watermark(address: known.address, text: known.text, wholeAt: environment.clock.now)
        try await environment.store.writeRaw("noting a pull") { [plan = type.entity.plan] database, _ in
            try noted.keep(plan, database)
        }
    }
}
