import LockstepStore
import LockstepSystem

extension Store {
    /// Merges records in one transaction, or in several if the options say so.
    ///
    /// - Parameters:
    ///   - start: The position of the first record.
    ///   - stage: Gives a number of records after a position to the run, and returns the position after them; `nil` if
    ///     there are no more.
    func mergingPieces<Object: Model, Position: Sendable>(
        _ type: Object.Type, scope: MergeScope<Object>, options: MergeOptions, from start: Position,
        stage: @escaping @Sendable (MergeRun, MergeCancellation, Position, _ count: Int) throws -> Position?
    ) async throws -> MergeSummary {
        guard options.isPiecewise, case .every(let milliseconds) = options.commits else {
            return try await merging(type, scope: scope, options: options.ofPieces) { run, cancellation in
                _ = try stage(run, cancellation, start, .max)
            }
        }
        var size = PieceSize(milliseconds: milliseconds)
        var summary = MergeSummary(notes: options.notesOfPieces(of: type.entity.name))
        var position: Position? = start
        var isCommitted = false
        while let first = position {
            do {
                try Task.checkCancellation()
                let count = options.pieceRecordCount ?? size.count
                let next = Locked<(position: Position?, beginning: ContinuousClock.Instant)>((nil, .now))
                // The wait for the writer is not part of the time. The transaction may be begun again.
                let piece = try await merging(
                    type, scope: scope, options: options.ofPieces,
                    willBegin: { next.withLock { $0.beginning = .now } },
                    stage: { run, cancellation in
                        let position = try stage(run, cancellation, first, count)
                        next.withLock { $0.position = position }
                    })
                summary = summary.adding(piece, of: plans)
                size.adapt(to: next.withLock { $0.beginning.duration(to: .now) })
                position = next.withLock { $0.position }
                isCommitted = true
            } catch let error as MergeError where isCommitted {
                throw error.afterCommits
            }
        }
        return summary
    }
}

extension MergeOptions {
    /// Whether a merge with them commits several times.
    var isPiecewise: Bool { commits != .once && !isDryRun && !isTraced }

    /// Those of each piece of a merge, if it has several.
    var ofPieces: MergeOptions {
        if commits == .once { return self }
        var options = self
        options.isPiece = true
        options.completeness = .partial
        options.records.remove(.delete)
        return options
    }

    /// Says that nothing is deleted, if it was to be.
    func notesOfPieces(of entity: String) -> [MergeNote] {
        guard commits != .once, records.contains(.delete) else { return [] }
        let text = """
            the merge commits several times, so nothing was deleted; set `commits` to `.once` to delete what the payload \
            does not list
            """
        return [MergeNote(.incompletePayload, entity: entity, text: text)]
    }
}

extension MergeError {
    /// The same error after some of the records were committed.
    fileprivate var afterCommits: MergeError {
        let nothing = "Nothing was changed. "
        let remedy = remedy.hasPrefix(nothing) ? String(remedy.dropFirst(nothing.count)) : remedy
        return MergeError(
            code, entity: entity, index: index, keyPath: keyPath, reason: reason,
            remedy: "The records before this piece are in the store. \(remedy)", underlyingError: underlyingError)
    }
}
