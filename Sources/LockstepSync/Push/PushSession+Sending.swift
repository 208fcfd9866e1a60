import Foundation
import GRDB
import LockstepStore
import LockstepSystem

extension PushSession {
    /// How often a change is sent again because the record was changed on the server meanwhile, before the others are
    /// sent.
    private static let conflictLimit = 8

    /// The findings of earlier attempts to send a record.
    private struct Attempts {
        /// The claim that was read for the first attempt.
        var claim: Claim?
        /// The confirmed operation.
        var sent: OutgoingChange.Kind?
        /// Whether the server was asked for what had to be known.
        var hasAsked = false
        /// The server's record, once it was requested for members that the schema does not know; null if there is none.
        var current: JSONValue?
        /// The version that the server has rejected.
        var refused: OutgoingChange.VersionAttribute?
        /// The version (ETag) that the server has rejected.
        var refusedTag: String?
        /// The last status with which it has reported another version.
        var conflictStatus: Int?
        var isOwnerThere = false
    }

    /// Sends one record's changes and records the outcome.
    ///
    /// - Parameter claim: The record that was read to be sent.
    func send(_ item: PushBatch.Item, claim: Claim) async throws -> Outcome {
        var attempts = Attempts(claim: claim)
        do {
            for _ in 0..<Self.conflictLimit {
                if let outcome = try await sendOnce(item, attempts: &attempts) { return outcome }
            }
            guard let record = try await read(item) else { return .done(attempts.sent) }
            return try await delayed(record, error: unsettled(record, status: attempts.conflictStatus))
        } catch let unknown as UnknownSpelling {
            let (date, error) = environment.waitToLearn(unknown.plan)
            return .later(date, error)
        }
    }

    /// - Returns: `nil` if the record has to be read and sent again.
    private func sendOnce(_ item: PushBatch.Item, attempts: inout Attempts) async throws -> Outcome? {
        let read: PushRecord?
        do {
            if let claim = attempts.claim {
                attempts.claim = nil
                read = try claim.get()
            } else {
                read = try await readToSend(item, hasAsked: attempts.hasAsked, current: attempts.current)
            }
        } catch let error as EncodingError {
            try await park(item, reason: "its JSON cannot be written: \(error)")
            return .parked(isResponse: false)
        }
        guard let record = read else { return .done(attempts.sent) }
        if !record.lost.isEmpty {
            try await release(record.lost)
            return nil
        }
        if let reason = record.unsentReason {
            try await park(record, status: 0, body: Data(reason.utf8))
            return .parked(isResponse: false)
        }
        if record.isEmpty {
            try await settle(record)
            return .done(attempts.sent)
        }
        if let reason = record.reasonNotToSend {
            try await hold(record, because: reason)
            return .parked(isResponse: false)
        }
        if !attempts.hasAsked, mustAsk(of: record) {
            attempts.hasAsked = true
            if let outcome = try await prepare(record) {
                if case .done = outcome { return nil }
                return outcome
            }
        }
        if record.replacesUnknown, attempts.current == nil {
            attempts.current = .null
            return try await learnUnknown(of: record, current: &attempts.current)
        }
        let decision: PushDecision
        do { decision = try await reconsider(attempt(record), of: record) } catch let error as SyncError {
            return try await failed(record, problem: error)
        }
        return try await carryOut(decision, for: record, attempts: &attempts)
    }

    /// - Returns: `nil` if the record has to be read and sent again.
    private func carryOut(
        _ decision: PushDecision, for record: PushRecord, attempts: inout Attempts
    ) async throws -> Outcome? {
        // What was deleted, or was not there, is not the record.
        if case .confirm = decision, record.kind == .delete, try await isRespelled(record) { return nil }
        switch decision {
        case .confirm(let body, let version, let identity):
            guard try await confirm(record, body: body, version: version, identity: identity) else {
                // One that was edited before the response came is not parked.
                return try await isParked(record) ? .parked(isResponse: true) : nil
            }
            attempts.sent = record.kind
            if selection?(record.plan, record.key) ?? false { hasForced.withLock { $0 = true } }
            // It may have been deleted locally while its creation was sent: the delete is sent too.
            return record.isDeletedMeanwhile ? nil : .done(attempts.sent)
        case .goneThere where attempts.isOwnerThere:
            try await park(record, status: 404, body: Data(Self.goneMember.utf8))
            return .parked(isResponse: true)
        case .goneThere: return try await takeDeletion(record, orGoneMember: &attempts.isOwnerThere)
        // The server still has this version: the record was not changed.
        case .mergeAndSendAgain where record.version != nil && attempts.refusedTag == record.version:
            try await park(record, status: 412, body: Data(), because: Self.refusedTag)
            return .parked(isResponse: true)
        case .mergeAndSendAgain(let current, let version):
            (attempts.conflictStatus, attempts.current, attempts.refusedTag) = (412, nil, record.version)
            return try await take(current, version: version, of: record)
        // If the server still has this version, it rejects the change for another reason.
        case .stale(let status, let body) where attempts.refused == record.versionAttribute:
            try await park(record, status: status, body: body)
            return .parked(isResponse: true)
        case .stale(let status, _):
            (attempts.refused, attempts.conflictStatus, attempts.current) = (record.versionAttribute, status, nil)
            return try await take(nil, version: nil, of: record)
        case .sendAgain:
            try await requeue(record)
            return nil
        case .park(let status, let body):
            try await park(record, status: status, body: body)
            return .parked(isResponse: true)
        case .later(let seconds, let status):
            return try await delayed(record, error: unavailable(status, for: record), seconds: seconds)
        case .unproven(let seconds, let status, let reason):
            return try await delayed(record, error: unexpected(status, reason: reason, for: record), seconds: seconds)
        case .pause(let seconds, let status):
            return try await paused(record, error: unavailable(status, for: record), seconds: seconds)
        }
    }

    private static let refusedTag = """
        the server responded with 412 to the ETag that it returns for the record, which was not changed: something \
        between the two changes the ETag, such as a proxy that compresses responses, or the server rejects the change \
        for another reason
        """

    private static let goneMember = "the server has the record, but not one that the request embeds in it"

    /// Accepts that the server no longer has a record if the response says so. Rails responds in the same way if it
    /// lacks a record that the request names: then the record itself is requested, and its embedded records are known.
    private func takeDeletion(_ record: PushRecord, orGoneMember isOwnerThere: inout Bool) async throws -> Outcome? {
        guard record.namesMembers, let identity = record.identity else {
            try await takeDeletion(record)
            return nil
        }
        isOwnerThere = true
        return try await asking(record) {
            do { _ = try await refresh(record, identity: identity) } catch let error as SyncError
                where error.code == .unsupported
            {
                try await takeDeletion(record)
            }
            return nil
        }
    }

    /// Whether something must be known before a change is sent.
    func mustAsk(of record: PushRecord) -> Bool {
        guard record.kind == .update, record.identity != nil else { return false }
        return record.hasUnknownMembers || !record.unlistedMembers.isEmpty || lacksVersion(record)
    }

    private func lacksVersion(_ record: PushRecord) -> Bool {
        environment.remote.traits.hasVersions && record.version == nil || record.lacksVersionAttribute
    }

    /// Requests what must be known before a change is sent.
    ///
    /// - Returns: `.done` if the record has to be read again; the outcome if it cannot be sent; `nil` if it can.
    private func prepare(_ record: PushRecord) async throws -> Outcome? {
        if let outcome = try await learnMembers(of: record) { return outcome }
        guard let identity = record.identity, lacksVersion(record) else { return nil }
        let hasVersions = environment.remote.traits.hasVersions
        // A write needs the version that it was made against, and a list of records does not contain it (Rules.md, C4).
        return try await asking(record) {
            do { return try await refresh(record, identity: identity) ? .done(nil) : nil } catch let error as SyncError
                where error.code == .unsupported && !hasVersions
            {
                // The server decides whether it accepts that.
                return nil
            }
        }
    }

    /// Requests a record for the members of embedded records that the schema does not know (Rules.md, V11).
    ///
    /// - Parameter current: Set to the server's record.
    /// - Returns: The outcome if it cannot be sent; `nil` if it has to be read again.
    private func learnUnknown(of record: PushRecord, current: inout JSONValue?) async throws -> Outcome? {
        guard let identity = record.identity else { return nil }
        return try await asking(record) {
            do { try await refresh(record, identity: identity, current: &current) } catch let error as SyncError
                where error.code == .unsupported
            {
                // Then they cannot be known.
            }
            return nil
        }
    }

    /// Merges the server's record as it is now, or its deletion.
    ///
    /// - Parameter isRejection: Whether the server has rejected the version that the request named.
    /// - Returns: Whether the record has to be read again.
    func refresh(_ record: PushRecord, identity: RemoteIdentity, isRejection: Bool = false) async throws -> Bool {
        var current: JSONValue?
        return try await refresh(record, identity: identity, current: &current, isRejection: isRejection)
    }

    /// - Parameter current: Set to the server's record, if there is one.
    @discardableResult
    private func refresh(
        _ record: PushRecord, identity: RemoteIdentity, current: inout JSONValue?, isRejection: Bool = false
    ) async throws -> Bool {
        let request = RemoteRequest(entity: RemoteEntity(record.plan), target: .record(identity))
        switch try await fetch(request) {
        case .record(let body, let version):
            try await mergeCurrent(body, version: version, of: record, isRejection: isRejection)
            current = try ResponseRecord(body, plan: record.plan, known: identity).json.map { try JSONValue(json: $0) }
            if version == nil, environment.remote.traits.hasVersions { environment.noteMissingVersion(of: record.plan) }
            return true
        case .absent:
            // A record that is to be deleted need not be there.
            let isCertain = record.kind == .delete
            guard try await takeDeletion(record, isCertain: isCertain) else { throw absentAfterConfirmation(record) }
            return true
        case .gone:
            try await takeDeletion(record)
            return true
        case .notModified: return false
        }
    }

    /// It is tried again until the confirmation is no longer recent, or the record is there.
    private func absentAfterConfirmation(_ record: PushRecord) -> SyncError {
        SyncError(
            .unexpectedResponse(status: 404), entity: record.plan.name, record: record.key.text,
            reason: "the server does not return the record, although it has confirmed it a moment ago",
            remedy: "It is retried automatically. If servers share the work, one of them may lag behind.")
    }

    /// Requests something about a record; failures are recorded.
    func asking(_ record: PushRecord, body: () async throws -> Outcome?) async throws -> Outcome? {
        do { return try await body() } catch let error as SyncError { return try await failed(record, problem: error) }
    }

    // MARK: One attempt

    private func attempt(_ record: PushRecord) async throws -> PushDecision {
        let key = try await notedKey(of: record)
        let change = OutgoingChange(
            kind: record.kind, entity: RemoteEntity(record.plan), identity: record.identity, body: record.body,
            changes: record.changes, idempotencyKey: key, version: record.kind == .create ? nil : record.version,
            versionAttribute: record.versionAttribute)
        let response: SendResponse
        do { response = try await send(change, isAlone: isAlone(record)) } catch {
            // It may have arrived nevertheless.
            await environment.mutex.noteExchange()
            throw error
        }
        await environment.mutex.noteExchange()
        return PushDecision(
            response, to: record.kind, of: change, isVersioned: record.versionAttribute != nil,
            attempts: record.attempts + 1, schedule: environment.retries, random: environment.random())
    }

    /// Whether a change is kept out of batches: the server responds to others, and has failed at this one repeatedly.
    private func isAlone(_ record: PushRecord) -> Bool { record.isSuspicious && serverResponds.withLock { $0 } }

    private func send(_ change: OutgoingChange, isAlone: Bool) async throws -> SendResponse {
        if environment.batchCount > 1 { return try await flights.travel(change, isAlone: isAlone) }
        return try await flights.travel(isOverloaded: \.isOverloaded) { try await environment.remote.send(change) }
    }

    /// Uploads what a record refers to, and notes what is sent of it, unless that was done when it was read.
    ///
    /// - Returns: The idempotency key.
    private func notedKey(of record: PushRecord) async throws -> String {
        if let key = record.notedKey { return key }
        let key = record.idempotencyKey(of: try await storeIdentity())
        try await uploadAttachments(of: record)
        try await noteAttempt(record, idempotencyKey: key)
        return key
    }
}

extension PushSession {
    // MARK: What failed

    /// Records why an attempt failed.
    func failed(_ record: PushRecord, problem: SyncError) async throws -> Outcome {
        switch problem.code {
        case .network, .timeout: return .unreachable(record, problem)
        case .unavailable(let status):
            let response = SendResponse.unavailable(status: status, retryAfter: problem.retryAfter)
            switch PushDecision(
                response, to: record.kind, attempts: record.attempts + 1, schedule: environment.retries,
                random: environment.random())
            {
            case .pause(let seconds, _): return try await paused(record, error: problem, seconds: seconds)
            case .later(let seconds, _): return try await delayed(record, error: problem, seconds: seconds)
            default: throw problem
            }
        // A response that cannot be read proves nothing, and may be different the next time (Rules.md, P13).
        case .unexpectedResponse, .malformed: return try await delayed(record, error: problem)
        case .insecureAddress where problem.isAboutResponse: return try await delayed(record, error: problem)
        case .updateNeeded:
            // A newer version of the app sends it in its own form.
            if record.kind == .create, !record.isRepeated { try await requeueSent(record) }
            throw problem
        // The file of an attachment concerns only what refers to it (Rules.md, P14).
        case .store where problem.isAboutAttachment: return try await failed(record, withFile: problem)
        // It would be the same for each change.
        case .unauthorized, .insecureAddress, .store, .pendingChanges, .signedOut: throw problem
        case .refused(let status):
            try await park(record, status: status, body: Data(problem.reason.utf8))
            return .parked(isResponse: true)
        case .notFound, .invalidIdentity, .unsupported, .nothingToSend:
            try await park(record, status: 0, body: Data(problem.reason.utf8))
            return .parked(isResponse: problem.isFromServer)
        }
    }

    /// Retries a change later.
    ///
    /// - Parameter seconds: The delay; `nil` for that of the schedule.
    func delayed(_ record: PushRecord, error: SyncError, seconds: TimeInterval? = nil) async throws -> Outcome {
        let seconds =
            seconds ?? environment.retries.delaySeconds(after: record.attempts + 1, random: environment.random())
        return .later(try await delay(record, seconds: seconds, error: error), error)
    }

    /// Sends nothing until the time that the server has set.
    private func paused(_ record: PushRecord, error: SyncError, seconds: TimeInterval) async throws -> Outcome {
        // Another request that has travelled at the same time may have to wait longer.
        let wait = environment.wait(seconds: seconds)
        let date = serverPause.withLock { pause in
            let date = max(wait.end, pause ?? .distantPast)
            pause = date
            return date
        }
        let latest = StoredWait(start: wait.start, end: date)
        try await pause([record], pause: SyncPause(wait: latest, attempts: 1, isServers: true, error: error))
        return .paused(date, error)
    }

    private func unexpected(_ status: Int?, reason: String, for record: PushRecord) -> SyncError {
        error(
            status.map { .unexpectedResponse(status: $0) } ?? .malformed, for: record, reason: reason,
            remedy: RemoteExchange.unexpectedRemedy)
    }

    private func unavailable(_ status: Int, for record: PushRecord) -> SyncError {
        error(.unavailable(status: status), for: record, reason: "the server responded with \(status)")
    }

    /// The error of a change that could not be sent because the record changes on the server all the time.
    private func unsettled(_ record: PushRecord, status: Int?) -> SyncError {
        error(
            status.map { .refused(status: $0) } ?? .malformed, for: record,
            reason:
                "the record was changed on the server each of the \(Self.conflictLimit) times that the change was sent")
    }

    private func error(
        _ code: SyncError.Code, for record: PushRecord, reason: String,
        remedy: String = "The change is retried automatically, and stays in the outbox until then."
    ) -> SyncError {
        SyncError(code, entity: record.plan.name, record: record.key.text, reason: reason, remedy: remedy)
    }
}
