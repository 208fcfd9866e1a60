/// Unlinks the children that were to be deleted with their owner's list, and that turned out to be listed elsewhere: as
/// if that had come first (Rules.md, R5 and M11).
///
/// First of the end phases: only now is it known what the payload lists, and the deletes would find a record that is
/// still linked in the wrong place.
struct UnlinkMovedChildren: MergePhase {
    let links: LinkMerge

    func run(_ state: MergeState) throws { try links.unlinkMovedChildren() }
}
