import TestSupport

/// The kinds of edits that a seed omits. The other kinds are made more often, and some faults need many of one kind and
/// none of another: swarm testing (A. Groce et al., “Swarm Testing”, ISSTA 2012).
///
/// Half of the seeds omit nothing, the others each kind with a probability of 1/2.
struct Swarm {
    private var random: SeededRandom
    private let omitsNothing: Bool

    init(seed: UInt64) {
        // A number with which the seeds that tests name omit nothing, so that they keep their stories.
        random = SeededRandom(seed: seed &* 1_109 &+ 334)
        omitsNothing = random.isOne(in: 2)
    }

    /// Chooses the kinds that are omitted.
    mutating func omitted<Kind: Hashable>(of kinds: [Kind]) -> Set<Kind> {
        omitsNothing ? [] : Set(kinds.filter { _ in random.isOne(in: 2) })
    }
}
