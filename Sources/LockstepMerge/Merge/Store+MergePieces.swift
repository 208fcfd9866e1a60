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
            return try await merging(type, scope: scope, options: options) { run, cancellation in
                _ = try stage(run, cancellation, start, .max)
            }
        }
        var size = PieceSize(milliseconds: milliseconds)
        var summary = MergeSummary()
        var position: Position? = start
        while let first = position {
            try Task.checkCancellation()
            let count = options.pieceRecordCount ?? size.count
            let next = Locked<(position: Position?, beginning: ContinuousClock.Instant)>((nil, .now))
            let piece = try await merging(type, scope: scope, options: options.ofPieces) { run, cancellation in
                // The wait for the writer is not part of it. The transaction may be begun again.
                next.withLock { $0.beginning = .now }
                let position = try stage(run, cancellation, first, count)
                next.withLock { $0.position = position }
            }
            summary = summary.adding(piece)
            size.adapt(to: next.withLock { $0.beginning.duration(to: .now) })
            position = next.withLock { $0.position }
        }
        return summary
    }
}

extension MergeOptions {
    /// Whether a merge with them commits several times.
    var isPiecewise: Bool { commits != .once && !isDryRun && !isTraced }

    /// Those of each piece of a merge.
    var ofPieces: MergeOptions {
        var options = self
        options.completeness = .partial
        // A later piece may have it inside of another record.
        options.nested.remove(.delete)
        options.windowByteCount = min(windowByteCount, Self.pieceWindowSize)
        return options
    }

    /// A piece has about a megabyte, and the part of a window that is after it is read again.
    private static let pieceWindowSize = 1024 * 1024
}
