import LockstepEvolution

/// The cost of a change in SQLite, for a table of a million rows with text keys.
package struct ChangeCost: Hashable, Sendable {
    /// The work, before the name of the entity: `An index over`; `nil` if only the schema changes.
    package var work: String?
    /// For a million rows, on the shared two-core machine on which they were measured.
    package var seconds: Double

    package static let instant = ChangeCost(work: nil, seconds: 0)
    static let scan = ChangeCost(work: "A check of all rows of", seconds: 1.3)
    static let index = ChangeCost(work: "An index over", seconds: 1.3)
    static let drop = ChangeCost(work: "A removed column of", seconds: 2.5)
    static let update = ChangeCost(work: "An update of all rows of", seconds: 2.7)
    static let shuffle = ChangeCost(work: "A new column of", seconds: 9.1)
    static let rebuild = ChangeCost(work: "A new table of", seconds: 20.9)

    package var isInstant: Bool { work == nil }

    /// The more expensive one.
    static func larger(_ left: ChangeCost, _ right: ChangeCost) -> ChangeCost {
        left.seconds < right.seconds ? right : left
    }

    /// `instant`, or `about 1.3 s for a million rows`.
    package var text: String { isInstant ? "instant" : "about \(seconds) s for a million rows" }
}
