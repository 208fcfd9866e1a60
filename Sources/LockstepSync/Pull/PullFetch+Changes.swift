import Foundation
import LockstepMerge
import LockstepStore

/// How much of a collection a pull reads, if the remote lists changes (Rules.md, H2).
enum PullExtent: Sendable {
    /// The whole collection.
    case everything
    /// The changes since the last pull, or the whole collection if only that can show what options ask for: the records
    /// that were deleted.
    case changes
    /// The changes, or the whole collection if it was last read that many seconds ago.
    case changesUnlessDue(seconds: TimeInterval)
}

extension PullFetch {
    /// Reads what has changed, the whole collection, or both.
    ///
    /// The requests are not conditional: a collection may be what it was at its last request, and not what the lists of
    /// changes since have made of the store.
    func runWithChanges() async throws -> PullSummary {
        let (since, readsAll) = try await whatToRead()
        // Before the whole collection, so that changes arrive even if that cannot be read.
        if let since, try await readChanges(since: since), !readsAll {
            summary.isOfChanges = true
            return summary
        }
        _ = try await readAll(isConditional: false)
        return summary
    }

    /// Where a list of changes begins, if there is one to read, and whether the whole collection is read.
    private func whatToRead() async throws -> (since: String?, readsAll: Bool) {
        guard let known = try await storedWatermark() else { return (nil, true) }
        switch extent {
        case .everything: return (nil, true)
        case .changes:
            let isBlind = options.records.contains(.delete) && changes?.includesDeletions == false
            return isBlind ? (nil, true) : (known.text, false)
        case .changesUnlessDue(let seconds):
            let age = environment.clock.now.timeIntervalSince(known.wholeAt)
            // A clock that was set back says nothing about when that was.
            return (known.text, age < 0 || age >= seconds)
        }
    }

    /// Reads and merges what has changed, in one transaction.
    ///
    /// - Returns: Whether it is complete; otherwise the server no longer knows what has changed.
    func readChanges(since: String) async throws -> Bool {
        var pages: [Page] = []
        byteCount = 0
        let (reader, spool) = (reader(isConditional: false, since: since), PageSpool())
        var series = PageSeries(entity: type.entity.name, limit: environment.limits.pages)
        repeat {
            let reading = try await read(series, by: reader, in: spool)
            switch reading.response {
            case .expired: return false
            case .absent where series.isFirst, .gone where series.isFirst:
                summary.absent.append(type.entity.name)
                return true
            // A part of the list says nothing about the rest.
            case .absent, .gone: return false
            case .notModified:
                summary.notModified += 1
                return true
            case .records(let records):
                try series.advance(to: records.next, watermark: records.watermark, isCurrent: true)
                var page = Page(records, body: reading.body)
                if series.next == nil { page.watermark = watermark(series.watermark, after: since) }
                pages.append(page)
            }
        } while series.next != nil
        try await merge(pages, isPartial: true, isOfChanges: true)
        return true
    }

    private func storedWatermark() async throws -> ValidatorTable.Watermark? {
        guard let changes else { return nil }
        return try await environment.store.reading("reading up to where was pulled") { [mark] in
            try ValidatorTable.watermark(Watermark.address(mark, changes: changes), in: $0)
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
            address: Watermark.address(mark, changes: changes), text: text, since: since, wholeAt: environment.clock.now
        )
    }
}
