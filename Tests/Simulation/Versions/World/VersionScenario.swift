import LockstepTesting
import TestSupport

/// What a seed decides before anything happens.
package struct VersionScenario: Sendable {
    package let seed: UInt64
    package var stepCount: Int
    package var deviceCount: Int
    /// Whether requests and responses get lost.
    package var hasFaults: Bool
    /// Whether some of what is sent is refused.
    package var hasRefusals: Bool
    package var hasVersions: Bool
    package var respondsWithBody: Bool
    package var pageSize: Int?
    /// Whether the response to a creation that is sent again is the one of its time, in the form of that time.
    package var replaysResponses: Bool
    /// Whether every device has synced with the last version of the server before it gets that version itself: nothing
    /// but the migration makes it pull anything then.
    package var syncsBeforeLastVersion: Bool
    /// The versions that the server and each device begin with, and the one that all have in the end.
    let serverVersion: JournalVersion
    let deviceVersions: [JournalVersion]
    let lastVersion: JournalVersion
    /// What devices do not do. They always make entries, since nobody else does.
    let omittedEdits: Set<JournalEdit.Kind>
    let omittedCollections: Set<JournalCollection>

    package init(seed: UInt64) {
        self.seed = seed
        var random = SeededRandom(seed: seed &* 7_919 &+ 1)
        stepCount = Int.random(in: 20...60, using: &random)
        deviceCount = Int.random(in: 1...3, using: &random)
        hasFaults = !random.isOne(in: 5)
        hasRefusals = !random.isOne(in: 3)
        hasVersions = random.isOne(in: 2)
        respondsWithBody = !random.isOne(in: 4)
        pageSize = random.isOne(in: 3) ? 2 : nil
        replaysResponses = random.isOne(in: 2)
        serverVersion = random.isOne(in: 3) ? .second : .first
        deviceVersions = (0..<deviceCount).map { [serverVersion] _ in
            random.isOne(in: 2) ? serverVersion : .first
        }
        syncsBeforeLastVersion = random.isOne(in: 2)
        lastVersion = random.isOne(in: 3) ? .second : .third
        var swarm = Swarm(seed: seed)
        omittedEdits = swarm.omitted(of: [.changes, .deletes])
        omittedCollections = swarm.omitted(of: [.notebooks, .tags])
    }

    /// The collections whose records are edited, by how often they are.
    var editedCollections: [JournalCollection] {
        [.entries, .entries, .entries, .notebooks, .tags].filter { !omittedCollections.contains($0) }
    }

    /// ` without deletes, /tags`; empty if the seed omits nothing.
    var omissions: String {
        let names = omittedEdits.map(\.rawValue).sorted() + omittedCollections.map(\.rawValue).sorted()
        return names.isEmpty ? "" : " without \(names.joined(separator: ", "))"
    }

    var faults: Faults {
        guard hasFaults else { return .none }
        var faults = Faults.all(0.03)
        // An older write that arrives after a newer one wins there, and no client can prevent that.
        if !hasVersions { faults.late = 0 }
        return faults
    }
}
