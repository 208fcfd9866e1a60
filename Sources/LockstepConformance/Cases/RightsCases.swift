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
        other.confirmToken()
        return .verdict(
            await !device.has(record), passed: "a record was not in what another user reads",
            failed: "a record was in what another user reads")
    }

    private static func othersRecords(_ stage: ConformanceStage) async throws -> Answer {
        guard let other = stage.other else { return missing }
        let record = try await stage.create()
        var wasRead = false
        for (own, way) in zip(stage.owner.ways, other.ways) {
            // Otherwise, a wrong address would look like a refusal.
            guard try await own.reads(record) else { continue }
            wasRead = true
            if try await way.reads(record) { return .failed("another user read a record by its identity") }
        }
        guard wasRead else { return .notAsked("its user cannot read a record by its identity") }
        return .passed("a record was hidden from another user who knows its identity")
    }

    private static func othersChanges(_ stage: ConformanceStage) async throws -> Answer {
        guard let other = stage.other else { return missing }
        let record = try await stage.create()
        let device = try await stage.currentDevice()
        var (ways, responses): ([ServerUser], [String]) = ([], [])
        for (own, way) in zip(stage.owner.ways, other.ways) {
            let text = SampleMaker.mark()
            _ = try await own.attempt(try stage.update(record, text: text))
            try await device.pull()
            // Otherwise, a wrong address would look like a refusal.
            guard await stage.text(of: record, on: device) == text else { continue }
            ways.append(way)
            let update = try stage.update(record, text: SampleMaker.mark())
            responses.append(way.text(of: try await way.attempt(update), to: update))
            try await device.pull()
            guard await stage.text(of: record, on: device) == text else {
                return .failed("another user changed a record")
            }
        }
        guard !ways.isEmpty else { return .notAsked("its user cannot change a record") }
        for way in ways { _ = try await way.attempt(record.deletion()) }
        try await device.pull()
        // A deletion that is not listed would look like a refusal.
        let fresh = try await stage.currentDevice()
        let isThere = (await device.has(record), await fresh.has(record))
        return .verdict(
            isThere == (true, true), passed: "an update by another user was \(responses.distinct)",
            failed: "another user deleted a record")
    }

    private static func othersCreations(_ stage: ConformanceStage) async throws -> Answer {
        guard let other = stage.other else { return missing }
        let record = try stage.record()
        guard record.identity != nil else { return .notAsked("the server assigns identities") }
        let device = try await stage.currentDevice()
        await stage.created.expect(record, by: other)
        let creation = try record.creation()
        var (isAccepted, responses) = (false, [String]())
        for way in other.ways {
            let response = try await way.attempt(creation)
            isAccepted = isAccepted || response?.isAccepted == true
            await stage.created.settle(record, isAccepted: isAccepted)
            responses.append(way.text(of: response, to: creation))
        }
        try await device.pull()
        return .verdict(
            await !device.has(record), passed: "what another user created (\(responses.distinct)) was not received",
            failed: "a user received a record that another one has created among theirs")
    }
}

extension [String] {
    /// Each response once.
    fileprivate var distinct: String {
        reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: ", ")
    }
}
