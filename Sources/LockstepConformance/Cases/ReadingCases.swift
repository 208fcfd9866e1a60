import Foundation
import LockstepRemotes
import LockstepSystem

extension ConformanceCase {
    /// Whether a device receives every change.
    static let reading = [
        ConformanceCase(
            "next changes", question: "Is each change in the next list of changes?", grade: .losesChanges,
            remedy: "Return everything after the cursor, beginning with the first change that is greater than it.",
            needs: [], ask: nextChanges),
        ConformanceCase(
            "direct writes", question: "Is a change that is made in the database itself in the next list?",
            grade: .losesChanges,
            remedy: "Record changes by triggers of the tables, not in the code of the server.", ask: directWrites),
        ConformanceCase(
            "late commits", question: "Is a change received that is committed after a later one was read?",
            grade: .losesLateCommits,
            remedy: "Number changes under a lock until the commit. With times, use a long overlap.",
            needs: ["next changes", "direct writes"], ask: lateCommits),
    ]

    private static let rounds = 3

    private static func nextChanges(_ stage: ConformanceStage) async throws -> Answer {
        let device = try await stage.currentDevice()
        let record = try await stage.create()
        try await device.pull()
        guard await device.has(record) else { return .failed("a new record was not in the next list") }
        for round in 1...rounds {
            let text = try await stage.change(record)
            try await device.pull()
            guard await stage.text(of: record, on: device) == text else {
                return .failed("change \(round) of a record was not in the next list")
            }
        }
        return .passed("a creation and \(rounds) updates were each in the next list")
    }

    private static func directWrites(_ stage: ConformanceStage) async throws -> Answer {
        guard let database = stage.database else { return .notAsked("it needs --database") }
        let session = try DatabaseSession(database)
        defer { session.end() }
        let record = try await stage.create()
        let device = try await stage.currentDevice()
        let text = SampleMaker.mark()
        try await session.write(text, to: record, of: stage)
        try await device.pull()
        return .verdict(
            await stage.text(of: record, on: device) == text, passed: "an UPDATE by psql was in the next list",
            failed: "an UPDATE by psql was not in the next list")
    }

    // MARK: Late commits

    private static func lateCommits(_ stage: ConformanceStage) async throws -> Answer {
        if let database = stage.database { return try await heldCommit(stage, database: database) }
        return try await simultaneousCommits(stage)
    }

    /// Keeps a transaction open while a later one is committed and read.
    private static func heldCommit(_ stage: ConformanceStage, database: String) async throws -> Answer {
        let session = try DatabaseSession(database)
        defer { session.end() }
        let (early, late) = (try await stage.create(), try await stage.create())
        let device = try await stage.currentDevice()
        let texts = (early: SampleMaker.mark(), late: SampleMaker.mark())
        try await session.rows("BEGIN")
        try await session.write(texts.early, to: early, of: stage)
        let isWritten = Locked(false)
        let change = try stage.update(late, text: texts.late)
        async let write = Self.sent(change, by: stage.owner, isDone: isWritten)
        while !isWritten.withLock({ $0 }), try await !session.blocksOthers() {
            // PostgreSQL does not tell when another session begins to wait. The end does not depend on the time.
            try await Task.sleep(for: .milliseconds(10))
        }
        let didWait = !isWritten.withLock { $0 }
        if !didWait {
            // A list of changes by time may begin with the second in which the last one was read.
            if !stage.owner.remote.traits.hasFeed { try await Task.sleep(for: .seconds(2)) }
            try await device.pull()
        }
        try await session.rows("COMMIT")
        let response = try await write
        guard case .accepted = response else {
            return .notAsked("the second change was \(stage.owner.text(of: response, to: change))")
        }
        try await device.pull()
        let seen = (await stage.text(of: early, on: device), await stage.text(of: late, on: device))
        guard seen == (texts.early, texts.late) else {
            return .failed("exact: a transaction was held open by psql, and its change was never received")
        }
        return .passed(
            didWait
                ? "exact: the second transaction waited for the first, and both were received"
                : "exact: the first of two transactions ended last, and both were received")
    }

    private static func sent(
        _ change: OutgoingChange, by user: ServerUser, isDone: Locked<Bool>
    ) async throws -> SendResponse {
        defer { isDone.withLock { $0 = true } }
        return try await user.send(change)
    }

    private static let writerCount = 8
    private static let creationCount = 4

    /// Many writers and one reader: whether a loss is found depends on chance.
    private static func simultaneousCommits(_ stage: ConformanceStage) async throws -> Answer {
        let device = try await stage.currentDevice()
        let isDone = Locked(false)
        async let writing = Self.created(on: stage, isDone: isDone)
        while !isDone.withLock({ $0 }) { try await device.pull() }
        let records = try await writing
        try await device.pull()
        var lostCount = 0
        for record in records where await !device.has(record) { lostCount += 1 }
        return .verdict(
            lostCount == 0,
            passed:
                "by chance: \(records.count) creations by \(writerCount) writers were received; --database is exact",
            failed: "\(lostCount) of \(records.count) creations by \(writerCount) writers were never received")
    }

    /// Creates records at the same time.
    private static func created(on stage: ConformanceStage, isDone: Locked<Bool>) async throws -> [SampleRecord] {
        defer { isDone.withLock { $0 = true } }
        return try await withThrowingTaskGroup(of: [SampleRecord].self) { group in
            for _ in 0..<writerCount {
                group.addTask {
                    var records: [SampleRecord] = []
                    for _ in 0..<creationCount { records.append(try await stage.create()) }
                    return records
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }
}

extension DatabaseSession {
    /// Changes the text of a record.
    ///
    /// - Throws: ``ConformanceFailure`` if the table does not have it.
    fileprivate func write(_ text: String, to record: SampleRecord, of stage: ConformanceStage) async throws {
        guard try await rows(stage.subject.updateSQL(of: record, text: text)) == ["1"] else {
            throw ConformanceFailure(
                "the table '\(record.entity.plan.table)' of the database does not have \(record.name)",
                remedy: "Pass the database of this server with --database, or none.")
        }
    }
}
