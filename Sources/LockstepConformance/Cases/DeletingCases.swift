import LockstepEvolution
import LockstepRemotes

extension ConformanceCase {
    /// Whether a device is notified of deletions and of scopes that the user no longer reads.
    static let deleting = [
        ConformanceCase(
            "deletions", question: "Does a device that has a record learn of its deletion?", grade: .losesDeletions,
            remedy: "List deleted records, and keep them until no device can be older than that.", ask: deletions),
        ConformanceCase(
            "deletions while reading",
            question: "Does a device learn of a deletion between two pages of its first read?",
            grade: .losesDeletions,
            remedy: "Send the deletions that are newer than the beginning of a first read.",
            needs: ["next changes", "deletions"], ask: deletionsWhileReading),
        ConformanceCase(
            "lost scopes", question: "Does a device learn that a user no longer reads a scope?", grade: .losesDeletions,
            remedy: "Name the scopes of the cursor that the user does not read in 'lost'.",
            needs: ["next changes", "deletions"], ask: lostScopes),
        ConformanceCase(
            "unknown cursors", question: "Is a cursor that the server has not made rejected?", grade: .losesDeletions,
            remedy: "Respond with {\"expired\": true} to a cursor of another epoch, or of none.", needs: [],
            ask: unknownCursors),
    ]

    private static func deletions(_ stage: ConformanceStage) async throws -> Answer {
        let record = try await stage.create()
        let device = try await stage.currentDevice()
        try await stage.delete(record)
        try await device.pull()
        return .verdict(
            await !device.has(record), passed: "a deletion was in the next list",
            failed: "a deleted record stayed on the device")
    }

    /// A limit, because reading many pages of one record takes long.
    private static let readableCount = 2_000

    private static func deletionsWhileReading(_ stage: ConformanceStage) async throws -> Answer {
        guard let remote = stage.owner.singly else { return .notAsked("only feeds are asked") }
        let records = [try await stage.create(), try await stage.create(), try await stage.create()]
        let count = await (try stage.currentDevice()).receivedCount
        guard count <= readableCount else { return .notAsked("the user reads more than \(readableCount) records") }
        let device = stage.device(of: ServerUser(remote))
        var first: SampleRecord?
        while first == nil {
            guard try await device.readPage() else { return .notAsked("the first read has one page only") }
            for record in records where await device.has(record) { first = record }
        }
        guard let first else { return .notAsked("the first read has one page only") }
        try await stage.delete(first)
        try await device.pull()
        return .verdict(
            await !device.has(first), passed: "a record that was deleted between two pages was gone in the end",
            failed: "a record that was deleted between two pages stayed on the device")
    }

    private static func lostScopes(_ stage: ConformanceStage) async throws -> Answer {
        guard stage.owner.remote.traits.hasFeed else { return .notAsked("only feeds are asked") }
        var inner = ConformanceStage(
            stage.subject, maker: stage.maker, owner: stage.owner, other: nil, database: nil, created: stage.created)
        guard let root = try await inner.furnish(), stage.maker.scope(of: root.entity.plan) == .own else {
            return .notAsked("\(stage.subject.entity.name) does not belong to a record that is a scope")
        }
        let record = try await inner.create()
        let device = try await inner.currentDevice()
        guard await device.has(record) else { return .failed("a record of a new scope was not in a first read") }
        let change = root.deletion()
        let response = try await stage.owner.send(change)
        guard case .accepted = response else {
            return .notAsked("the deletion of \(root.name) was \(stage.owner.text(of: response, to: change))")
        }
        try await device.pull()
        return .verdict(
            await !device.has(record), passed: "the records of a deleted scope were gone",
            failed: "the records of a deleted scope stayed on the device")
    }

    private static func unknownCursors(_ stage: ConformanceStage) async throws -> Answer {
        guard stage.owner.remote.traits.hasFeed else { return .notAsked("only feeds are asked") }
        let page = try await stage.owner.remote.feed(after: "lockstep")
        return .verdict(
            page.isExpired, passed: "a cursor of another server has expired",
            failed: "a cursor of another server was accepted")
    }
}
