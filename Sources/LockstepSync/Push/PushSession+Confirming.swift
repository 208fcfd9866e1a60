import Foundation
import GRDB
import LockstepStore

/// A change that the server has accepted, to be recorded.
struct PushSettlement: Sendable {
    let record: PushRecord
    let response: ResponseRecord
    let version: String?
    /// The values that the server has not applied (Rules.md, P21).
    let unapplied: [UnappliedValue]

    /// Whether the response contains the record that is merged.
    fileprivate var merged: Data? { record.kind == .delete ? nil : response.json }
}

extension PushSession {
    /// Records that the server has taken changes, and merges the responses: those that have come together in one
    /// transaction. If that is not possible, because one of them collides with something, each gets its own.
    ///
    /// - Returns: The result for each.
    func record(_ settlements: [PushSettlement]) async -> [Result<Void, any Error>] {
        if settlements.count > 1, !settlements.contains(where: \.record.isRepeated) {
            do {
                if try await !haveOld(settlements) {
                    environment.note(try await environment.store.mergeJointly(settlements.map(part)))
                    return settlements.map { _ in .success(()) }
                }
            } catch {
                // Each fails for itself, or does not.
            }
        }
        var results: [Result<Void, any Error>] = []
        for settlement in settlements {
            do { results.append(.success(try await record(settlement))) } catch { results.append(.failure(error)) }
        }
        return results
    }

    private func record(_ settlement: PushSettlement) async throws {
        let isOld = try await haveOld([settlement])
        let isNewer = if isOld { true } else { try await isBroughtAlready(settlement) }
        guard !isNewer, let json = settlement.merged else {
            let participant = participant(settlement, isMerged: false)
            return try await environment.store.writeRaw("confirming a change", suppressesOutbox: true) {
                try participant.confirm($0, changes: $1)
                try participant.keepVersion($0)
                // What others have made of the record since is not sent again.
                if isOld { try ValidatorTable.forget(participant.record.plan.name, in: $0) }
            }
        }
        try await environment.mergeAny(json, into: settlement.record.plan, options: options(settlement))
    }

    private func part(_ settlement: PushSettlement) -> JointMergePart {
        if let json = settlement.merged, let type = environment.store.model(named: settlement.record.plan.name) {
            return .merge(json, type, options(settlement))
        }
        let participant = participant(settlement, isMerged: false)
        return .write {
            try participant.confirm($0, changes: $1)
            try participant.keepVersion($0)
        }
    }

    /// - Parameter isMerged: Whether the response is merged. Otherwise, the version of a record in a feed is not
    ///   stored: the feed still has to bring what the server has made of the record (Rules.md, H3).
    private func participant(_ settlement: PushSettlement, isMerged: Bool) -> ConfirmationParticipant {
        let hasFeed = environment.remote.traits.hasFeed
        return ConfirmationParticipant(
            record: settlement.record, response: settlement.response, version: settlement.version,
            keepsVersion: isMerged || !hasFeed, unapplied: settlement.unapplied, isPaused: isPausedByServer,
            plans: environment.store.plans,
            hasFeed: hasFeed, now: environment.clock.now)
    }

    private func options(_ settlement: PushSettlement) -> MergeOptions {
        var options = environment.options()
        options.participants = [participant(settlement, isMerged: true)]
        options.sentRecord = settlement.record.sent
        options.listsIdentities = false
        return options
    }

    /// Whether the feed has brought a later version of a record than a response has: the server may have stored the
    /// response, and repeated it. If the response to a creation or an update lacks the record, the same version is old,
    /// too: the server had applied the change before, and the version may be that of a later change by others.
    private func haveOld(_ settlements: [PushSettlement]) async throws -> Bool {
        guard environment.remote.traits.hasFeed else { return false }
        return try await environment.store.reading("reading what was pulled") { database in
            try settlements.contains { settlement in
                guard let version = settlement.version.flatMap({ Int64($0) }) else { return false }
                let record = settlement.record
                let known = try VersionTable.number(of: record.key, in: record.plan, database: database)
                let isShown = settlement.merged != nil || record.kind == .delete
                return known.map { isShown ? $0 > version : $0 >= version } ?? false
            }
        }
    }

    /// Whether a pull has brought what a creation made whose response was lost: the response to its repetition is
    /// older.
    private func isBroughtAlready(_ settlement: PushSettlement) async throws -> Bool {
        let (record, response) = (settlement.record, settlement.response)
        guard record.isRepeated else { return false }
        return try await environment.store.reading("reading what was pulled") {
            [plans = environment.store.plans] database in
            guard let duplicate = try Confirmation.duplicate(database, for: record, response: response) else {
                return false
            }
            let members = SentMembers(database: database, plans: plans)
            // A response with embedded records contains their identities, which the pull could not match. It lacks
            // those that were sent with the other row.
            return try members.members(of: record.recordID).isEmpty || !members.members(of: duplicate).isEmpty
        }
    }

    /// Whether the record has come in another spelling of its identity since the request was made.
    func isRespelled(_ record: PushRecord) async throws -> Bool {
        let plan = record.plan
        let parts = zip(plan.serverKeyColumns, record.identity?.values ?? []).filter {
            plan.uuidOwner(of: $0.0) != nil
        }
        if parts.isEmpty { return false }
        return try await environment.store.reading("reading the store") { database in
            let spellings = try IdentitySpellings(database)
            return try !parts.allSatisfy { column, value in
                try spellings.isAddress(value, of: value.stored(in: plan.columns[column]), column: column, plan: plan)
            }
        }
    }
}
