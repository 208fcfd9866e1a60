import TestSupport

/// A kind of edit of devices, or of others on the server.
package enum EditKind: String, Sendable, CaseIterable {
    case create, change
    /// Gives a record another owner, or none.
    case move
    case delete
    /// Adds a record to a list, or takes it out.
    case link
}

/// The edits of devices or of others, by how often they are made. Those of a row are made by one step.
struct EditTable: Sendable {
    private let rows: [(kinds: Set<EditKind>, share: Int)]

    static let devices = EditTable(rows: [([.create], 35), ([.change, .move], 37), ([.delete], 12), ([.link], 16)])
    static let others = EditTable(rows: [([.create], 35), ([.change], 35), ([.move, .link], 10), ([.delete], 20)])

    /// The same without these kinds: the rest is made more often.
    func without(_ omitted: Set<EditKind>) -> EditTable {
        EditTable(
            rows: rows.map { (kinds: $0.kinds.subtracting(omitted), share: $0.share) }.filter { !$0.kinds.isEmpty })
    }

    func has(_ kind: EditKind) -> Bool { rows.contains { $0.kinds.contains(kind) } }

    /// The kinds of a step; none if there are none.
    func kinds(_ random: inout SeededRandom) -> Set<EditKind> {
        guard !rows.isEmpty else { return [] }
        var choice = Int.random(in: 0..<rows.reduce(0) { $0 + $1.share }, using: &random)
        for row in rows {
            choice -= row.share
            if choice < 0 { return row.kinds }
        }
        return []
    }
}

extension Scenario {
    /// The kinds of edits that a seed omits, of devices and of others.
    static func omittedEdits(_ seed: UInt64) -> (devices: Set<EditKind>, others: Set<EditKind>) {
        var swarm = Swarm(seed: seed)
        var devices = swarm.omitted(of: EditKind.allCases)
        var others = swarm.omitted(of: EditKind.allCases)
        // Somebody makes records, and devices edit some.
        if devices.contains(.create) { others.remove(.create) }
        if devices.count == EditKind.allCases.count { devices.remove(.change) }
        return (devices, others)
    }

    /// Whether devices make edits of a kind.
    func mayEdit(_ kind: EditKind) -> Bool { edits.has(kind) && !withoutTroubles.contains(.edit(kind)) }

    /// Whether others make them on the server.
    func othersMayEdit(_ kind: EditKind) -> Bool {
        othersEdits.has(kind) && !withoutTroubles.contains(.othersEdit(kind))
    }

    /// The names of the kinds that the seed omits.
    package var omittedEditNames: [String] {
        EditKind.allCases.filter { !edits.has($0) }.map { Trouble.edit($0).name }
            + EditKind.allCases.filter { !othersEdits.has($0) }.map { Trouble.othersEdit($0).name }
    }
}
