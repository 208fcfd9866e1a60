import Foundation
import LockstepHTTP
import LockstepRemotes

extension ConformanceCase {
    /// Whether each change is applied once, and only to the version and the members that it was made for.
    static let writing = [
        ConformanceCase(
            "changes sent twice", question: "Is a creation that is sent again applied once?",
            grade: .duplicatesCreations,
            remedy: "Store the response to each Idempotency-Key, and return it if the key comes again.",
            ask: changesSentTwice),
        ConformanceCase(
            "reused keys", question: "Is another change with the same key refused?", grade: .losesChanges,
            remedy: "Compare the change with that of the key, and refuse another one with 422.", ask: reusedKeys),
        ConformanceCase(
            "outdated versions", question: "Is a change to an earlier version refused?", grade: .overwritesChanges,
            remedy: "Give each record a version, and respond with 412 if the condition names another one.",
            ask: outdatedVersions),
        ConformanceCase(
            "unsent members", question: "Does an update keep the members that it does not contain?",
            grade: .overwritesChanges, remedy: "Write only the members that an update contains.", ask: unsentMembers),
        ConformanceCase(
            "refused changes", question: "Are the other changes of a batch applied if one is refused?",
            grade: .losesChanges, remedy: "Apply each change in a savepoint of its own.", ask: refusedChanges),
    ]

    private static func changesSentTwice(_ stage: ConformanceStage) async throws -> Answer {
        var record = try stage.record()
        let change = try record.creation()
        let response = try await stage.send(change, creating: record)
        guard case .accepted = response else {
            await stage.created.settle(record, isAccepted: false)
            return .notAsked("the creation was \(stage.owner.text(of: response, to: change))")
        }
        record.confirm(response)
        await stage.created.settle(record, isAccepted: true)
        _ = try await stage.owner.attempt(change)
        var copies = try await self.copies(of: record, on: stage)
        guard copies.count == 1 else { return .failed("a creation that was sent twice made \(copies.count) records") }
        try await stage.delete(copies[0])
        _ = try await stage.owner.attempt(change)
        copies = try await self.copies(of: record, on: stage)
        return .verdict(
            copies.isEmpty, passed: "a creation that was sent again made no second record, and none after a deletion",
            failed: "a creation that was sent again after the record was deleted made it again")
    }

    /// The records with the same text. A device that reads everything finds them, even if deletions are not listed.
    private static func copies(of record: SampleRecord, on stage: ConformanceStage) async throws -> [SampleRecord] {
        let device = try await stage.currentDevice()
        let text = stage.subject.text(in: record.body)
        var copies: [SampleRecord] = []
        for seen in await device.records.values where stage.subject.text(in: seen.json) == text {
            var copy = record
            copy.identity = record.entity.identity(in: seen.json)
            copies.append(copy)
            await stage.created.find(copy)
        }
        return copies
    }

    private static func reusedKeys(_ stage: ConformanceStage) async throws -> Answer {
        let key = UUID().uuidString
        var responses: [String] = []
        var records: [SampleRecord] = []
        for _ in 1...2 {
            var record = try stage.record()
            await stage.created.expect(record)
            let change = try record.creation(key: key)
            let response = try await stage.owner.attempt(change)
            if let response { record.confirm(response) }
            await stage.created.settle(record, isAccepted: response?.isAccepted == true)
            responses.append(stage.owner.text(of: response, to: change))
            records += try await copies(of: record, on: stage)
        }
        guard responses[0] == "accepted" else { return .notAsked("the creation was \(responses[0])") }
        return .verdict(
            responses[1] != "accepted" || records.count == 2, passed: "another creation with a key was \(responses[1])",
            failed: "another creation with a key was accepted, and there is no such record")
    }

    private static func outdatedVersions(_ stage: ConformanceStage) async throws -> Answer {
        let record = try await stage.create()
        let device = try await stage.currentDevice()
        guard let version = record.version else {
            return .failed("the response to a creation has no version, so the last of two changes wins")
        }
        let texts = (first: SampleMaker.mark(), second: SampleMaker.mark())
        let first = try await stage.owner.send(try stage.update(record, text: texts.first, to: version))
        guard case .accepted = first else { return .failed("a change to the present version was refused") }
        let second = try stage.update(record, text: texts.second, to: version)
        let response = try await stage.owner.attempt(second)
        try await device.pull()
        return .verdict(
            await stage.text(of: record, on: device) == texts.first,
            passed: "a change to an earlier version was \(stage.owner.text(of: response, to: second))",
            failed: "a change to an earlier version replaced a later one")
    }

    private static func unsentMembers(_ stage: ConformanceStage) async throws -> Answer {
        guard let other = stage.subject.other, let path = stage.subject.entity.plan.columns[other].wire?.path else {
            return .notAsked("\(stage.subject.entity.name) has no second member that can be changed")
        }
        let record = try await stage.create()
        let device = try await stage.currentDevice()
        let isFlag = stage.subject.entity.plan.columns[other].type == .bool
        let value: JSONValue = isFlag ? .bool(true) : .string(SampleMaker.mark())
        let response = try await stage.owner.send(try record.update([(other, value)]))
        guard case .accepted = response else { return .notAsked("an update was refused") }
        try await stage.change(record)
        try await device.pull()
        let kept = await device.json(of: record)?.value(at: path)
        return .verdict(
            kept?.says(value) == true, passed: "an update kept a member that it did not contain",
            failed: "an update changed a member that it did not contain")
    }

    private static func refusedChanges(_ stage: ConformanceStage) async throws -> Answer {
        guard stage.owner.remote.traits.hasFeed else { return .notAsked("only feeds are asked") }
        let device = try await stage.currentDevice()
        var records = [try stage.record(), try stage.record(), try stage.record()]
        for record in records { await stage.created.expect(record) }
        // An object instead of a string.
        if let path = stage.subject.entity.plan.columns[stage.subject.text].wire?.path {
            records[1].body.set(["lockstep": 1], at: path)
        }
        let changes = try records.map { try $0.creation() }
        let results: [BatchResult]
        do { results = try await stage.owner.remote.send(batch: changes) } catch let error as SyncError {
            return .failed("the whole batch failed: \(error.reason)")
        }
        let isAccepted = results.map { if case .response(let response) = $0 { response.isAccepted } else { false } }
        for (record, isAccepted) in zip(records, isAccepted) where isAccepted {
            await stage.created.settle(record, isAccepted: true)
        }
        try await device.pull()
        var isThere: [Bool] = []
        for record in records { isThere.append(await device.has(record)) }
        return .verdict(
            isAccepted == [true, false, true] && isThere == isAccepted,
            passed: "one of three changes was refused, and the others were applied",
            failed: "one of three changes cannot be applied, and the others were not applied either")
    }
}
