import Foundation
package import LockstepTesting
import LockstepSync
import TestSupport

/// Everything that a seed decides before anything happens. What is switched off afterwards changes no other decision.
package struct Scenario: Sendable {
    package let seed: UInt64
    let domain: Domain
    let server: ServerKind
    let policy: Policy
    let deviceCount: Int
    /// How many steps are done before all becomes quiet.
    package var stepCount: Int
    /// Steps that are left out.
    package var skipped: Set<Int> = []
    /// What does not happen.
    package var withoutTroubles: Set<Trouble> = []
    private let chosenFaults: Faults
    /// By how many seconds the devices' clocks are wrong.
    let skews: [Double]
    let pageSize: Int?
    let respondsWithBody: Bool
    /// Whether others who delete a record on the server take what belongs to it along.
    let serverCascades: Bool
    /// Whether Rails has records and lists in an envelope, with a cursor.
    let isEnveloped: Bool
    /// How many changes a request to Rails has at most.
    private let chosenBatchCount: Int
    /// How Rails lists what has changed; `nil` if it lists everything only.
    let feed: Feed?
    /// Whether few records are made, so that many edits are of one record.
    let isCrowded: Bool
    /// Whether every response arrives, and no device is killed: a copy of a write comes from nowhere then.
    let isCalm: Bool
    private let chosenConcurrency: Int
    private let chosenListLag: Double
    private let chosenVersionDigits: Int?
    private let chosenUppercase: Bool
    /// What devices do to records, and what others do on the server, without what the seed omits.
    let edits: EditTable
    let othersEdits: EditTable

    enum Policy: String, Sendable, CaseIterable { case localChangesWin, serverWins, newestWins }

    /// A list of what has changed since a time.
    struct Feed: Sendable, Hashable {
        /// Whether deleted records are in it.
        let tellsDeletions: Bool
        /// Whether the time is the latest of the records, and not the server's.
        let isByRecords: Bool
        /// The longest transaction on the server, in seconds.
        let commitSeconds: Int
        /// How many seconds before the last pull a list begins.
        var overlapSeconds: Double { Double(commitSeconds) + 1 }
    }

    package init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        self.seed = seed
        let first = random.element(of: Domain.all)
        var later = SeededRandom(seed: seed &* 613 &+ 7)
        var latest = SeededRandom(seed: seed &* 919 &+ 5)
        let domain =
            latest.isOne(in: 14)
            ? latest.element(of: Domain.latest) : later.isOne(in: 6) ? later.element(of: Domain.later) : first
        server = random.element(of: ServerKind.allCases.filter { $0.fits(domain) })
        self.domain = domain.on(server)
        let policies: [Policy] = [.localChangesWin, .localChangesWin, .localChangesWin, .serverWins, .newestWins]
        let policy = random.element(of: policies)
        self.policy = policy == .newestWins && domain.name != "Journal" ? .serverWins : policy
        deviceCount = Int.random(in: 2...4, using: &random)
        stepCount = Int.random(in: 12...60, using: &random)
        let level = random.element(of: [0, 0.01, 0.025, 0.05, 0.1])
        var faults = Faults.all(level)
        for kind in Fault.Kind.allCases where kind != .portal && random.isOne(in: 3) { faults[kind] = 0 }
        var skews: [Double] = []
        for _ in 0..<4 {
            skews.append(random.isOne(in: 2) ? 0 : Double(Int.random(in: -7_200...7_200, using: &random)))
        }
        self.skews = skews
        pageSize = random.element(of: [nil, nil, 2, 3, 10])
        respondsWithBody = !random.isOne(in: 4)
        serverCascades = !random.isOne(in: 3)
        // By a number of its own, so that the other stories stay as they are.
        var dialect = SeededRandom(seed: seed &* 977 &+ 11)
        isEnveloped = server.isRails && dialect.isOne(in: 3)
        var feeds = SeededRandom(seed: seed &* 397 &+ 3)
        let isFed = server.isRails && !server.embeds && feeds.isOne(in: 2)
        let feed = Feed(
            tellsDeletions: !feeds.isOne(in: 3), isByRecords: feeds.isOne(in: 3),
            commitSeconds: feeds.element(of: [0, 5, 60, 600]))
        self.feed = isFed ? feed : nil
        var batches = SeededRandom(seed: seed &* 541 &+ 9)
        chosenBatchCount = server.isRails ? batches.element(of: [1, 1, 2, 5]) : 1
        if random.isOne(in: 4) { withoutTroubles.insert(.kill) }
        if random.isOne(in: 3) { faults[.portal] = 0 }
        isCrowded = random.isOne(in: 3)
        isCalm = random.isOne(in: 6)
        if isCalm {
            withoutTroubles.insert(.kill)
            faults = .none
        }
        chosenFaults = faults
        var concurrency = SeededRandom(seed: seed &* 733 &+ 11)
        chosenConcurrency = concurrency.element(of: [1, 2, 4, 4, 8])
        var habits = SeededRandom(seed: seed &* 829 &+ 13)
        chosenListLag = habits.element(of: [0, 0, 2, 10, 60])
        chosenVersionDigits = server.isRails ? habits.element(of: [nil, 7, 9]) : nil
        var spellings = SeededRandom(seed: seed &* 853 &+ 19)
        chosenUppercase = domain.hasUUIDs && spellings.isOne(in: 2)
        let omitted = Self.omittedEdits(seed)
        edits = .devices.without(omitted.devices)
        othersEdits = .others.without(omitted.others)
    }

    /// What the network does, without what this kind of server cannot bear: see ``Guarantees``.
    var faults: Faults {
        var faults = chosenFaults
        for kind in Fault.Kind.allCases where !Guarantees.of(server).bears(kind, domain) { faults[kind] = 0 }
        for case .network(let kind) in withoutTroubles { faults[kind] = 0 }
        return faults
    }

    /// How many changes a device sends at the same time.
    var maximumConcurrentPushes: Int { withoutTroubles.contains(.parallel) ? 1 : chosenConcurrency }

    /// Whether the UUIDs of others' records are in upper case, as Apple devices write them. The server compares texts.
    var othersAreUppercase: Bool { chosenUppercase && !withoutTroubles.contains(.uppercase) }

    /// How many changes a request has at most.
    var batchCount: Int { withoutTroubles.contains(.batches) ? 1 : chosenBatchCount }

    /// For how many seconds lists lack a new record.
    var listLagSeconds: Double { withoutTroubles.contains(.lag) ? 0 : chosenListLag }

    /// How many digits after the second versions have that are times; `nil` for versions that are numbers.
    var versionDigits: Int? { withoutTroubles.contains(.digits) ? nil : chosenVersionDigits }

    /// Whether lists of what has changed begin early enough for late commits.
    var hasOverlap: Bool { !withoutTroubles.contains(.overlap) }

    func skew(ofDevice number: Int) -> Double { withoutTroubles.contains(.clocks) ? 0 : skews[number] }

    /// `Shop, 3 devices, memory with versions, localChangesWin, 40 steps`
    package var description: String {
        """
        \(domain.name), \(deviceCount) devices, \(server.rawValue), \(policy.rawValue), \(stepCount) steps\
        \(pageSize.map { ", pages of \($0)" } ?? "")\(respondsWithBody ? "" : ", responses without bodies")\
        \(serverCascades ? "" : ", a server that does not cascade")\(isEnveloped ? ", an envelope" : "")\
        \(feed.map { ", \($0)" } ?? "")\
        \(maximumConcurrentPushes > 1 ? ", \(maximumConcurrentPushes) requests at a time" : "")\
        \(batchCount > 1 ? ", \(batchCount) changes in a request" : "")\
        \(listLagSeconds > 0 ? ", lists that lag by \(Int(listLagSeconds)) s" : "")\
        \(othersAreUppercase ? ", identities in upper case" : "")\
        \(isCrowded ? ", few records" : "")\(isCalm ? ", a calm network" : "")\
        \(omittedEditNames.isEmpty ? "" : ", without " + omittedEditNames.joined(separator: ", "))
        """
    }
}

/// Something that can go wrong, or a kind of edit, by a name that ``Scenario`` can be told without.
package enum Trouble: Hashable, Sendable {
    case network(Fault.Kind)
    case edit(EditKind)
    case othersEdit(EditKind)
    case kill, offline, restart, refusal, clocks, shift, echo, broken, session, orphan, parallel, overlap, batches,
        lag, digits, ignoring, uppercase

    package static let all: [Trouble] =
        [
            .kill, .offline, .restart, .refusal, .clocks, .shift, .echo, .broken, .session, .orphan, .parallel,
            .overlap, .batches, .lag, .digits, .ignoring, .uppercase,
        ]
        + Fault.Kind.allCases.map { .network($0) } + EditKind.allCases.map { .othersEdit($0) }
        + EditKind.allCases.map { .edit($0) }

    package var name: String {
        switch self {
        case .network(let kind): kind.rawValue
        case .edit(let kind): kind.rawValue
        case .othersEdit(let kind): "others\(kind.rawValue.capitalized)"
        case .kill: "kill"
        case .offline: "offline"
        case .restart: "restart"
        case .refusal: "refusal"
        case .clocks: "clocks"
        case .shift: "shift"
        case .echo: "echo"
        case .broken: "broken"
        case .session: "session"
        case .orphan: "orphan"
        case .parallel: "parallel"
        case .overlap: "overlap"
        case .batches: "batches"
        case .lag: "lag"
        case .digits: "digits"
        case .ignoring: "ignoring"
        case .uppercase: "uppercase"
        }
    }

    package init?(name: String) {
        guard let trouble = Self.all.first(where: { $0.name == name }) else { return nil }
        self = trouble
    }
}

extension Scenario.Feed: CustomStringConvertible {
    var description: String {
        """
        what has changed\(tellsDeletions ? ", with deletions" : ""), by the \(isByRecords ? "records'" : "server's") time, \
        commits within \(commitSeconds) s
        """
    }
}
