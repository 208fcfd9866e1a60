/// Compares the staged rows with the store's and with local edits, and decides what is written of each
/// (Rules.md, M2, M3, M6, M9, M16 and C2).
///
/// After ``ResolveLinks``, since rows are matched by key. It writes nothing.
///
/// If a record turns out to be invalid, the records nested in it are not merged either, and another row of the same
/// record may count instead. So everything is decided again without it.
struct MatchRows: BatchPhase {
    func run(_ batch: MergeBatch, in state: MergeState) throws {
        batch.tables = try decide(batch.links, in: state)
        state.registerSkippedRows()
    }

    private func decide(_ links: LinkMerge, in state: MergeState) throws -> [TableMerge] {
        let staging = state.transaction.staging
        // Asked once for each batch: every unchanged row needs it, and no row changes its owner.
        let hasNested = staging.hasNested
        while true {
            let skipCount = staging.skipCount
            let tables = staging.tables.filter { $0.count > 0 && !$0.entity.isOwned }
                .map { TableMerge($0, state: state, hasNested: hasNested) }
            let isContested = try links.resolveClaims(tables)
            for table in tables {
                try state.transaction.checkCancellation()
                try table.decide()
            }
            let isAffected = hasNested || isContested || tables.contains(where: \.hasLeftOut)
            if staging.skipCount == skipCount || !isAffected { return tables }
            tables.forEach { $0.restoreRows() }
        }
    }
}
