import Foundation
import LockstepStore

extension PushSession {
    /// The maximum size of one record, in bytes: the response to one change is held in memory.
    static let bodyLimit = 64 * 1024 * 1024

    /// How often a creation is tried that the server rejects while it responds to requests for the record with errors.
    private static let maximumUselessResponses = 4

    /// Decides again about a creation that the server rejects and may have taken before, from an earlier attempt or
    /// from a duplicate of this one that the network made: requests the record by its identity (Rules.md, P10).
    ///
    /// - Returns: The new decision; `decision` if nothing can be learned.
    /// - Throws: ``/LockstepHTTP/SyncError`` if the server cannot be reached now and the creation would be parked.
    func reconsider(_ decision: PushDecision, of record: PushRecord) async throws -> PushDecision {
        guard record.kind == .create, decision.isParking || record.isRepeated && decision.isDelaying,
            let identity = record.identity
        else { return decision }
        let request = RemoteRequest(entity: RemoteEntity(record.plan), target: .record(identity))
        do {
            switch try await fetch(request) {
            case .record(let body, let version):
                return decide(decision, body: body, version: version, for: record, identity: identity)
            case .absent, .gone:
                // The repeated creation was rejected.
                return decision.isParking && record.isRepeated && !record.isDeletedMeanwhile ? .sendAgain : decision
            case .notModified: return decision
            }
        } catch let error as SyncError
            where error.code != .unauthorized && !error.isUpdateNeeded
            && !(decision.isParking && isWorthAskingAgain(after: error, for: record))
        {
            // The change waits anyway, or the record cannot be requested: the rejection stands as if nothing had been
            // requested.
            return decision
        } catch let error as SyncError {
            guard case .park(let status, _) = decision else { throw error }
            throw error.adding("the creation was rejected (\(status)), and may have arrived before")
        }
    }

    /// Whether a later request may show if the server has a record whose creation it rejects. A server that responds
    /// to each such request with an error, or with a page, never shows it: then the rejection counts, because a
    /// correction of the record would wait for ever.
    private func isWorthAskingAgain(after error: SyncError, for record: PushRecord) -> Bool {
        switch error.code {
        // The server asks to come later (RFC 6585, 4; RFC 9110, 15.6.4).
        case .network, .timeout, .unavailable(status: 429), .unavailable(status: 503): true
        default: error.isTransient && record.attempts < Self.maximumUselessResponses
        }
    }

    /// The response to a request for one record.
    enum FetchedRecord: Sendable {
        case record(Data, version: String?)
        case absent, gone, notModified
    }

    /// Requests one record.
    func fetch(_ request: RemoteRequest) async throws -> FetchedRecord {
        try await flights.travel {
            switch try await environment.remote.fetch(request) {
            case .records(let records):
                .record(try await records.body.collected(upTo: Self.bodyLimit), version: records.version)
            case .absent: .absent
            case .gone: .gone
            case .notModified, .expired: .notModified
            }
        }
    }

    /// Decides by the record on the server.
    private func decide(
        _ decision: PushDecision, body: Data, version: String?, for record: PushRecord, identity: RemoteIdentity
    ) -> PushDecision {
        let response = ResponseRecord(body, plan: record.plan, known: identity)
        // Anything but the record proves nothing.
        guard response.json != nil, response.problem(for: record) == nil else { return decision }
        if record.isAlone || record.isSaid(by: body) {
            return .confirm(body: body, version: version, identity: identity)
        }
        // A record that others have created is not deleted because the same one was created and deleted locally.
        if record.isDeletedMeanwhile { return decision.isParking ? decision : .park(status: 409, body: Data()) }
        return .mergeAndSendAgain(current: body, version: version)
    }
}

extension PushDecision {
    fileprivate var isParking: Bool { if case .park = self { true } else { false } }

    fileprivate var isDelaying: Bool { if case .later = self { true } else { false } }
}

extension PushRecord {
    /// Whether no other request can have created the record: neither one of another device, when both create a record
    /// again that the server has lost, nor an earlier one of this device with other values.
    fileprivate var isAlone: Bool { plan.hasOwnIdentity && !isAnotherTry }

    /// Whether a record of the server has everything that was sent. The server may have filled in empty values.
    fileprivate func isSaid(by response: Data) -> Bool {
        guard let sent = try? JSONValue(json: body), let there = try? JSONValue(json: response) else { return false }
        return there.says(sent)
    }
}
