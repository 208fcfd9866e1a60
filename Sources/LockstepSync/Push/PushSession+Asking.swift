import Foundation
import LockstepStore

extension PushSession {
    /// One record is no more than this, in bytes: what a server answers to one change is held in memory.
    static let bodyLimit = 64 * 1024 * 1024

    /// Decides anew about a creation that the server refuses, and may have taken before, from an earlier attempt or
    /// from a copy of this one that the network made: asks whether the record is there (Rules.md, P10).
    ///
    /// - Returns: What is done; `decision` where nothing can be learnt.
    /// - Throws: ``/LockstepHTTP/SyncError`` where the server cannot be asked now, and the creation would be given up.
    func reconsider(_ decision: PushDecision, of record: PushRecord) async throws -> PushDecision {
        guard record.kind == .create, decision.isParking || record.isRepeated && decision.isDelaying,
            let identity = record.identity
        else { return decision }
        let request = RemoteRequest(entity: RemoteEntity(record.plan), target: .record(identity))
        do {
            switch try await environment.remote.fetch(request) {
            case .records(let records):
                let body = try await records.body.collected(upTo: Self.bodyLimit)
                return decide(decision, body, records.version, record, identity)
            case .absent:
                // What was sent once is refused.
                return decision.isParking && record.isRepeated && !record.isDeletedMeanwhile ? .sendAnew : decision
            case .notModified: return decision
            }
        } catch let error as SyncError
            where error.code != .unauthorized && !(error.isTransient && decision.isParking && record.isRepeated)
        {
            // It waits anyway, or the remote has no single records: it is as if nobody had asked. What is refused the
            // first time is said to be, rather than that nobody knows of a copy.
            return decision
        }
    }

    /// Decides by the record that is there.
    private func decide(
        _ decision: PushDecision, _ body: Data, _ version: String?, _ record: PushRecord, _ identity: RemoteIdentity
    ) -> PushDecision {
        let answer = ResponseRecord(body, record.plan, identity)
        // Something else than the record proves nothing.
        guard answer.json != nil, answer.problem(for: record) == nil else { return decision }
        if record.isAlone || record.isSaid(by: body) {
            return .confirm(body: body, version: version, identity: identity)
        }
        // What others have made is not deleted because the same was made and deleted here.
        if record.isDeletedMeanwhile { return decision.isParking ? decision : .park(status: 409, body: Data()) }
        return .mergeAndSendAgain(current: body, version: version)
    }
}

extension PushDecision {
    fileprivate var isParking: Bool { if case .park = self { true } else { false } }

    fileprivate var isDelaying: Bool { if case .later = self { true } else { false } }
}

extension PushRecord {
    /// Whether no other request can have made the record: none of another device, as where both make again what the
    /// server has lost, and none of this one that said something else.
    fileprivate var isAlone: Bool { plan.hasOwnIdentity && !isAnotherTry }

    /// Whether a record of the server has all that was sent. What was sent empty the server may have filled in.
    fileprivate func isSaid(by answer: Data) -> Bool {
        guard let sent = try? JSONValue(json: body), let there = try? JSONValue(json: answer) else { return false }
        return there.says(sent)
    }
}

extension JSONValue {
    /// Whether it has each value of another, however dates and numbers are spelt.
    func says(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (_, .null): true
        case (_, .array(let others)) where others.isEmpty: true
        case (.object(let members), .object(let others)):
            others.allSatisfy { key, value in (members[key] ?? .null).says(value) }
        case (.array(let values), .array(let others)):
            values.count == others.count && zip(values, others).allSatisfy { $0.says($1) }
        case (.string(let text), .string(let other)) where text != other:
            ISO8601.date(from: text).map { $0 == ISO8601.date(from: other) } ?? false
        case (.string(let text), .integer), (.string(let text), .decimal), (.string(let text), .double):
            (try? JSONValue(json: Data(text.utf8))) == other
        case (.integer, .string(let text)), (.decimal, .string(let text)), (.double, .string(let text)):
            (try? JSONValue(json: Data(text.utf8))) == self
        default: self == other
        }
    }
}
