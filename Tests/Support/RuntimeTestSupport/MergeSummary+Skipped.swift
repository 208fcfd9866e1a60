package import LockstepMerge

extension MergeSummary {
    /// The skipped records, as `0 comments[1].name: is required; it is missing`.
    package var skippedTexts: [String] {
        skipped.map { "\($0.index) \($0.keyPath): \($0.reason)" }
    }
}
