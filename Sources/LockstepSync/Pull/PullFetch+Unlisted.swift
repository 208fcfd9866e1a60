import Foundation
import LockstepMerge
import LockstepStore

extension PullFetch {
    /// Merges all pages of a collection, and deletes records that none of them contains.
    ///
    /// A list can lack records that exist. Pages that are read one after the other may shift: if a record is deleted
    /// from a page that was read, the first record of the next page moves to it, and is on no page that is read. A
    /// replica may not have what the server has confirmed a moment ago. A list that lacks most records may be faulty.
    /// Then the missing records are queried first. This happens between two transactions, because no write may wait for
    /// the network: the first transaction finds the missing records, and is rolled back if there are any to query.
    func mergeWhole(_ pages: [Page]) async throws {
        let doubt = ListDoubt(
            hasShiftingPages: pages.count > 1 && !pages.allSatisfy(\.isSnapshot),
            shareLimit: options.unlistedShareLimit, now: environment.clock.now)
        do {
            try await merge(pages, isPartial: false, unlisted: .unlessDoubtful(doubt))
        } catch let unlisted as UnlistedRecords {
            let responses = try await ask(for: unlisted)
            // Their current state is newer than the list.
            try await merge(responses.present, isPartial: true, deletes: false)
            let isRight = doubt.hasShiftingPages || responses.present.isEmpty
            let deletion = responses.deletion(of: unlisted, entity: type.entity.name, at: doubt.now)
            try await merge(
                pages, isPartial: false, unlisted: deletion.rule, keepsValidators: deletion.note == nil && isRight,
                isDone: responses.notAsked == 0 && isRight)
        }
    }

    /// The server's responses about records that its list does not contain.
    private struct Responses {
        var gone: Set<RecordKey> = []
        var present: [Page] = []
        /// The number of records whose response was unclear.
        var unclear = 0
        /// The number of records that were not queried.
        var notAsked = 0
        /// Whether records could have been queried that were not.
        var hasEndedEarly = false
        var cannotAsk = false

        /// Returns the records that may be deleted, with notes about the others.
        func deletion(
            of unlisted: UnlistedRecords, entity: String, at now: Date
        ) -> (rule: UnlistedDeletion, note: MergeNote?) {
            let keptCount = unlisted.keys.count - gone.count
            switch unlisted.reason {
            case .pages:
                let note = note(
                    entity, count: keptCount - present.count, doubt: "it came in pages, which may have shifted")
                return (.only(gone: gone, note: note), note)
            case .confirmed:
                let note = note(
                    entity, count: keptCount - present.count,
                    doubt: "it may be older than what the server has confirmed")
                return (.unlessConfirmed(gone: gone, now: now, note: note), note)
            case .share(let missing, let known):
                // What is doubted is the list: it is right if it is right about all that were queried. Those that were
                // confirmed a moment ago say nothing about the others.
                let isRight = present.isEmpty && unclear == 0 && !hasEndedEarly
                if isRight, unlisted.others.contains(where: gone.contains) {
                    return (.unlessConfirmed(gone: gone, now: now, note: nil), nil)
                }
                let doubt = "it lacks \(missing) of \(known), more than unlistedShareLimit allows"
                let note = note(entity, count: keptCount, doubt: doubt)
                return (.only(gone: gone, note: note), note)
            }
        }

        private func note(_ entity: String, count: Int, doubt: String) -> MergeNote? {
            guard count > 0 else { return nil }
            var reasons: [String] = []
            if !present.isEmpty { reasons.append("the server has \(present.count) that were queried") }
            if cannotAsk {
                reasons.append("the remote cannot request one record")
            } else if notAsked > 0 {
                reasons.append("\(notAsked) were not queried (unlistedRequestLimit)")
            }
            if unclear > 0 { reasons.append("for \(unclear), the server did not report whether they were deleted") }
            return MergeNote(
                .unconfirmedDeletion, entity: entity,
                text: "\(count) records that the list lacks were kept, as \(doubt): \(reasons.joined(separator: ", "))")
        }
    }

    /// Queries records by their identities, one after the other.
    ///
    /// - Throws: ``/LockstepHTTP/SyncError`` if the server cannot be reached, or requires other credentials.
    private func ask(for unlisted: UnlistedRecords) async throws -> Responses {
        var responses = Responses()
        let keys = unlisted.keys
        let asked = try await identities(of: chosen(unlisted))
        responses.notAsked = keys.count - asked.count
        for (number, (key, identity)) in asked.enumerated() {
            try Task.checkCancellation()
            do {
                try await ask(for: identity, key: key, responses: &responses)
            } catch let error as SyncError where error.code == .unsupported {
                (responses.notAsked, responses.cannotAsk, responses.hasEndedEarly) = (keys.count, true, true)
                break
            } catch let error as SyncError where !error.concernsAll {
                responses.unclear += 1
                guard error.asksToWait else { continue }
                responses.notAsked += asked.count - number - 1
                responses.hasEndedEarly = true
                break
            }
        }
        return responses
    }

    /// The identities of records on the server; `nil` if it is not known how the server spells one, or the record is
    /// not there any more.
    private func identities(of keys: [RecordKey]) async throws -> [(key: RecordKey, identity: RemoteIdentity?)] {
        try await environment.store.reading("reading what a list lacks") { [plan = type.entity.plan] database in
            let spellings = try IdentitySpellings(database)
            return try keys.map { key in
                guard let row = try database.valueRows(plan.findSQL, with: key.values).first else {
                    return (key, nil)
                }
                do {
                    return (key, try spellings.identity(of: row, plan: plan).map { RemoteIdentity($0) })
                } catch is UnknownSpelling { return (key, nil) }
            }
        }
    }

    private func ask(for identity: RemoteIdentity?, key: RecordKey, responses: inout Responses) async throws {
        guard let identity else {
            responses.unclear += 1
            return
        }
        summary.requests += 1
        let request = RemoteRequest(entity: RemoteEntity(type.entity.plan), target: .record(identity))
        switch try await environment.remote.fetch(request) {
        case .absent, .gone: responses.gone.insert(key)
        case .records(let records):
            responses.present.append(
                Page(
                    body: try await gather(records.body), shape: records.payload, isSnapshot: false, address: nil,
                    validators: nil, version: nil))
        case .notModified, .expired: responses.unclear += 1
        }
    }

    /// As many as may be queried, first of those that were confirmed a moment ago.
    private func chosen(_ unlisted: UnlistedRecords) -> [RecordKey] {
        let limit = max(0, options.unlistedRequestLimit)
        let confirmed = some(limit, of: unlisted.confirmed)
        return confirmed + some(limit - confirmed.count, of: unlisted.others)
    }

    /// At most as many as the limit, from all parts of the list. If there are more, others are chosen each time.
    private func some(_ limit: Int, of keys: [RecordKey]) -> [RecordKey] {
        guard keys.count > limit else { return keys }
        let start = Int(environment.random() * Double(keys.count))
        return (0..<limit).map { keys[(start + $0 * keys.count / limit) % keys.count] }
    }
}

extension SyncError {
    /// Whether the next request would fail, too.
    fileprivate var concernsAll: Bool {
        switch code {
        case .network, .timeout, .unauthorized, .updateNeeded, .insecureAddress, .store: true
        default: false
        }
    }

    /// Whether the server asks for fewer requests.
    fileprivate var asksToWait: Bool { retryAfter != nil || code == .unavailable(status: 429) }
}
