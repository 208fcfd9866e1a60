import LockstepStore

extension MergeSummary {
    /// The summary, with a remark if the payload's only record has no identity: the payload is likely to have another
    /// shape than `payload` states, and no error would show that.
    func remarkingOnShape<Object: Model>(of type: Object.Type) -> MergeSummary {
        let counts = self[type]
        guard let only = skipped.first, skipped.count == 1, only.index == 0, only.entity == counts.entity,
            only.identity == nil, only.reason.hasPrefix("is the identity"),
            counts.inserted + counts.updated + counts.unchanged == 0
        else { return self }
        let remark = MergeNote(
            .remark, entity: counts.entity,
            text: """
                the payload's only record has no identity; if it is an object that contains the records, set `payload` to \
                `.wrapped(key:)`, or to `.map` if its keys are their identities
                """)
        return MergeSummary(
            entities: entities, skipped: skipped, notes: notes + [remark], trace: trace, isDryRun: isDryRun)
    }
}
