import Foundation
import GRDB
import LockstepStore
import LockstepSystem

extension PushSession {
    /// Sends one record's changes and records the outcome.
    ///
    /// - Parameter claim: The record that was read for the first attempt.
    func send(_ item: PushBatch.Item, claim: Claim) async throws -> Outcome {
        var attempt = PushAttempt()
        var claim: Claim? = claim
        var record: PushRecord?
        // The server's record, once it was requested for members that the schema does not know.
        var current: JSONValue?
        var effect = PushAttempt.first
        do {
            while true {
                switch (effect, record) {
                case (.read(let hasAsked, let hasLearned), _):
                    if !hasLearned { current = nil }
                    effect = attempt.next(
                        try await read(item, claim: &claim, hasAsked: hasAsked, current: current, record: &record))
                case (.step(let step), let record?):
                    effect = attempt.next(try await carryOut(step, of: record, current: &current))
                case (.giveUp(let status), _):
                    // What was done last may have left nothing to send.
                    guard let now = try await self.read(item) else {
                        effect = attempt.next(.read(nil))
                        break
                    }
                    return try await delayed(now, error: unsettled(now, status: status))
                case (.end(let end), let record?): return try await conclude(end, of: record)
                case (.parkUnread(let reason), _):
                    try await park(item, reason: reason)
                    return .parked(isResponse: false)
                case (.done(let kind), _): return .done(kind)
                case (.isParked, _): return .parked(isResponse: true)
                case (.step, nil), (.end, nil): return .done(nil)
                }
            }
        } catch let unknown as UnknownSpelling {
            let (date, error) = environment.waitToLearn(unknown.plan)
            return .later(date, error)
        }
    }

    private func read(
        _ item: PushBatch.Item, claim: inout Claim?, hasAsked: Bool, current: JSONValue?, record: inout PushRecord?
    ) async throws -> PushAttempt.Event {
        do {
            if let first = claim {
                claim = nil
                record = try first.get()
            } else {
                record = try await readToSend(item, hasAsked: hasAsked, current: current)
            }
        } catch let error as EncodingError { return .unwritable("its JSON cannot be written: \(error)") }
        return .read(record.map(facts))
    }

    private func facts(of record: PushRecord) -> PushAttempt.Facts {
        PushAttempt.Facts(
            kind: record.kind, hasLost: !record.lost.isEmpty, unsentReason: record.unsentReason,
            heldReason: record.reasonNotToSend, isEmpty: record.isEmpty, mustAsk: mustAsk(of: record),
            replacesUnknown: record.replacesUnknown, version: record.version,
            versionAttribute: record.versionAttribute, namesMembers: record.namesMembers && record.identity != nil,
            isDeletedMeanwhile: record.isDeletedMeanwhile)
    }

    /// - Parameter current: Set to the server's record if it is requested for members that the schema does not know.
    private func carryOut(
        _ step: PushAttempt.Step, of record: PushRecord, current: inout JSONValue?
    ) async throws -> PushAttempt.Event {
        do {
            switch step {
            case .send: return .decided(try await reconsider(attempt(record), of: record))
            case .confirm(let body, let version, let identity):
                // What was deleted, or was not there, is not the record.
                if record.kind == .delete, try await isRespelled(record) { break }
                guard try await confirm(record, body: body, version: version, identity: identity) else {
                    return .unapplied(isParked: try await isParked(record))
                }
                if selection?(record.plan, record.key) ?? false { hasForced.withLock { $0 = true } }
                return .confirmed
            case .ask: if try await !prepare(record) { return .isKnown }
            case .learn: current = try await refresh(record, mustBePossible: false).current ?? .null
            case .release: try await release(record.lost)
            case .askForOwner: try await askForOwner(of: record)
            case .merge(let body, let version): try await take(body, version: version, of: record)
            case .takeDeletion: try await takeDeletion(record)
            case .requeue: try await requeue(record)
            }
        } catch let error as SyncError where step.isRequest { return .failed(error) }
        return .changed
    }

    /// Records how the attempt ends.
    private func conclude(_ end: PushAttempt.End, of record: PushRecord) async throws -> Outcome {
        switch end {
        case .settle(let kind):
            try await settle(record)
            return .done(kind)
        case .hold(let reason):
            try await hold(record, because: reason)
            return .parked(isResponse: false)
        case .park(let status, let body, let reason):
            try await park(record, status: status, body: body, because: reason)
            return .parked(isResponse: status != 0)
        case .later(let seconds, let status):
            return try await delayed(record, error: unavailable(status, for: record), seconds: seconds)
        case .unproven(let seconds, let status, let reason):
            return try await delayed(record, error: unexpected(status, reason: reason, for: record), seconds: seconds)
        case .pause(let seconds, let status):
            return try await paused(record, error: unavailable(status, for: record), seconds: seconds)
        case .fail(let error): return try await failed(record, problem: error)
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
    /// - Returns: Whether the record has to be read again.
    private func prepare(_ record: PushRecord) async throws -> Bool {
        if try await learnMembers(of: record) { return true }
        guard lacksVersion(record) else { return false }
        // A write needs the version that it was made against, and a list of records does not contain it (Rules.md, C4).
        // If the remote has none and cannot request the record, the server decides whether it accepts that.
        return try await refresh(record, mustBePossible: environment.remote.traits.hasVersions).isChanged
    }

    /// Requests the record that the server says it lacks. Rails responds in the same way if it lacks a record that the
    /// request embeds: then the record is there, and its embedded records are known.
    private func askForOwner(of record: PushRecord) async throws {
        do { try await refresh(record) } catch let error as SyncError where error.code == .unsupported {
            try await takeDeletion(record)
        }
    }

    /// Merges the server's record as it is now, or its deletion.
    ///
    /// - Parameters:
    ///   - isRejection: Whether the server has the record instead of the change.
    ///   - mustBePossible: Whether it is an error if the remote cannot request a record.
    /// - Returns: Whether the record has to be read again, and the server's record if there is one.
    @discardableResult
    func refresh(
        _ record: PushRecord, isRejection: Bool = false, mustBePossible: Bool = true
    ) async throws -> (isChanged: Bool, current: JSONValue?) {
        guard let identity = record.identity else { return (false, nil) }
        let response: FetchedRecord
        do {
            response = try await fetch(RemoteRequest(entity: RemoteEntity(record.plan), target: .record(identity)))
        } catch let error as SyncError where error.code == .unsupported && !mustBePossible { return (false, nil) }
        switch response {
        case .record(let body, let version):
            let content = ResponseRecord(body, plan: record.plan, known: identity)
            guard let json = content.json, let found = content.identity,
                RemoteEntity(record.plan).isSame(found, identity)
            else { throw isNotRecord(record) }
            try await mergeCurrent(content, version: version, of: record, isRejection: isRejection)
            if version == nil, environment.remote.traits.hasVersions { environment.noteMissingVersion(of: record.plan) }
            return (true, try JSONValue(json: json))
        case .absent:
            // A record that is to be deleted need not be there.
            let isCertain = record.kind == .delete
            guard try await takeDeletion(record, isCertain: isCertain) else { throw absentAfterConfirmation(record) }
            return (true, nil)
        case .gone:
            try await takeDeletion(record)
            return (true, nil)
        case .notModified: return (false, nil)
        }
    }

    /// Without the record, nothing is known that a request depends on (Rules.md, P13).
    private func isNotRecord(_ record: PushRecord) -> SyncError {
        SyncError(
            .malformed, entity: record.plan.name, record: record.key.text,
            reason: "the response to the request for the record does not contain it",
            remedy: RemoteExchange.unexpectedRemedy)
    }

    /// It is tried again until the confirmation is no longer recent, or the record is there.
    private func absentAfterConfirmation(_ record: PushRecord) -> SyncError {
        SyncError(
            .unexpectedResponse(status: 404), entity: record.plan.name, record: record.key.text,
            reason: "the server does not return the record, although it has confirmed it a moment ago",
            remedy: "It is retried automatically. If servers share the work, one of them may lag behind.")
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
            reason: "the record has changed again and again while its change was being sent")
    }

    private func error(
        _ code: SyncError.Code, for record: PushRecord, reason: String,
        remedy: String = "The change is retried automatically, and stays in the outbox until then."
    ) -> SyncError {
        SyncError(code, entity: record.plan.name, record: record.key.text, reason: reason, remedy: remedy)
    }
}
