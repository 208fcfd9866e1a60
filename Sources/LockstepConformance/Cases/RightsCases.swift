import LockstepRemotes

extension ConformanceCase {
    /// Whether another user can read or write records.
    static let rights = [
        ConformanceCase(
            "others' lists", question: "Are the records of one user left out of what another one reads?",
            grade: .showsOthersRows, remedy: "Filter what is listed by the scopes that the user reads.", needs: [],
            ask: othersLists),
        ConformanceCase(
            "others' records", question: "Is a record hidden from another user who knows its identity?",
            grade: .showsOthersRows,
            remedy: "Apply the same rights to single records and to tables: a policy for SELECT on each.", needs: [],
            ask: othersRecords),
        ConformanceCase(
            "others' changes", question: "Are changes and deletions by another user refused?", grade: .letsOthersWrite,
            remedy: "Apply changes with the rights of the user who sends them.", ask: othersChanges),
        ConformanceCase(
            "others' creations", question: "Is a record refused that another user adds to one's own records?",
            grade: .letsOthersWrite,
            remedy: "Check what a new record belongs to: a policy for INSERT with the scopes that the user writes.",
            ask: othersCreations),
    ]

    private static let missing = Answer.notAsked("it needs the token of a second user")

    private static func othersLists(_ stage: ConformanceStage) async throws -> Answer {
        guard let other = stage.other else { return missing }
        let record = try await stage.create()
        let device = stage.device(of: other)
        try await device.pull()
        return .verdict(
            await !device.has(record), passed: "a record was not in what another user reads",
            failed: "a record was in what another user reads")
    }

    private static func othersRecords(_ stage: ConformanceStage) async throws -> Answer {
        guard let other = stage.other else { return missing }
        let record = try await stage.create()
        for way in other.ways where try await way.reads(record) {
            return .failed("another user read a record by its identity")
        }
        return .passed("a record was hidden from another user who knows its identity")
    }

    private static func othersChanges(_ stage: ConformanceStage) async throws -> Answer {
        guard let other = stage.other else { return missing }
        let record = try await stage.create()
        let device = try await stage.currentDevice()
        let text = stage.subject.text(in: record.body)
        let update = try stage.update(record, text: SampleMaker.mark())
        let responses = try await other.attemptInAllWays(update)
        try await device.pull()
        guard await stage.text(of: record, on: device) == text else { return .failed("another user changed a record") }
        _ = try await other.attemptInAllWays(record.deletion())
        try await device.pull()
        // A deletion that is not listed would look like a refusal.
        let fresh = try await stage.currentDevice()
        let isThere = (await device.has(record), await fresh.has(record))
        return .verdict(
            isThere == (true, true), passed: "an update by another user was \(responses)",
            failed: "another user deleted a record")
    }

    private static func othersCreations(_ stage: ConformanceStage) async throws -> Answer {
        guard let other = stage.other else { return missing }
        let record = try stage.record()
        guard record.identity != nil else { return .notAsked("the server assigns identities") }
        let device = try await stage.currentDevice()
        await stage.created.add(record)
        let responses = try await other.attemptInAllWays(try record.creation())
        try await device.pull()
        return .verdict(
            await !device.has(record), passed: "what another user created (\(responses)) was not received",
            failed: "a user received a record that another one has created among theirs")
    }
}

extension ServerUser {
    /// Sends a change that must not be applied through all remotes of the user.
    ///
    /// - Returns: Descriptions of the responses.
    fileprivate func attemptInAllWays(_ change: OutgoingChange) async throws -> String {
        var responses: [String] = []
        for way in ways {
            let text = way.text(of: try await way.attempt(change), to: change)
            if !responses.contains(text) { responses.append(text) }
        }
        return responses.joined(separator: ", ")
    }
}
