/// A step of a merge that runs once: before the first record is read, or after the last batch is written.
///
/// ``MergeRun`` lists the phases in order. A phase keeps no results: they are in the state.
protocol MergePhase {
    /// - Throws: An error that ends the merge. The transaction is then rolled back.
    func run(_ state: MergeState) throws
}

/// A step of writing a batch: the records that are staged, up to a limit of memory.
///
/// How a payload is split into batches does not affect the result (Rules.md, M11).
protocol BatchPhase {
    /// - Throws: An error that ends the merge. The transaction is then rolled back.
    func run(_ batch: MergeBatch, in state: MergeState) throws
}

/// The staged rows of a batch, as its phases pass them on.
final class MergeBatch {
    /// One for each entity with rows, from ``MatchRows`` on.
    var tables: [TableMerge] = []
    /// Writes the memberships. It knows the earlier batches.
    let links: LinkMerge

    init(links: LinkMerge) { self.links = links }
}
