import Foundation
import LockstepMerge
import LockstepStore

extension PullFetch {
    /// Merges all pages of a collection, and deletes records that none of them contains.
    ///
    /// Pages that are read one after the other may shift: if a record is deleted from a page that was read, the first
    /// record of the next page moves to it, and is on no page that is read. So records that are missing from several
    /// pages are queried first, unless the server guarantees consistent pages. This happens between two transactions,
    /// because no write may wait for the network: the first transaction finds the missing records, and is rolled back
    /// if there are any.
    func mergeWhole(_ pages: [Page]) async throws {
        guard pages.count > 1, !pages.allSatisfy(\.isSnapshot) else { return try await merge(pages, isPartial: false) }
        do {
            try await merge(pages, isPartial: false, unlisted: .none)
        } catch let unlisted as UnlistedRecords {
            let answers = try await ask(for: unlisted.candidates)
            // They have moved while the list was read, so their current state is newer.
            for page in answers.present { try await merge([page], isPartial: true) }
            let note = answers.note(of: type.entity.name)
            try await merge(
                pages, isPartial: false, unlisted: .only(gone: answers.gone, note: note), keepsValidators: note == nil,
                isDone: answers.notAsked == 0)
        }
    }

    /// The server's responses about records that its list does not contain.
    private struct Answers {
        var gone: Set<RecordKey> = []
        var present: [Page] = []
        /// The number of records whose response was unclear.
        var unclear = 0
        /// The number of records that were not queried.
        var notAsked = 0

        func note(of entity: String) -> MergeNote? {
            guard unclear + notAsked > 0 else { return nil }
            var reasons: [String] = []
            if notAsked > 0 { reasons.append("\(notAsked) were not queried (unlistedRequestLimit)") }
            if unclear > 0 { reasons.append("for \(unclear), the server did not report whether they were deleted") }
            return MergeNote(
                .unconfirmedDeletion, entity: entity,
                """
                \(unclear + notAsked) records that the list lacks were kept, as it came in pages, which may have shifted: \
                \(reasons.joined(separator: ", "))
                """)
        }
    }

    /// Queries records by their identities, one after the other.
    ///
    /// - Throws: ``/LockstepHTTP/SyncError`` if the server cannot be reached, or requires other credentials.
    private func ask(for candidates: [UnlistedRecords.Candidate]) async throws -> Answers {
        var answers = Answers()
        let asked = chosen(candidates)
        answers.notAsked = candidates.count - asked.count
        for (number, candidate) in asked.enumerated() {
            try Task.checkCancellation()
            do {
                try await ask(for: candidate, &answers)
            } catch let error as SyncError where !error.concernsAll {
                answers.unclear += 1
                guard error.asksToWait else { continue }
                answers.notAsked += asked.count - number - 1
                break
            }
        }
        return answers
    }

    private func ask(for candidate: UnlistedRecords.Candidate, _ answers: inout Answers) async throws {
        summary.requests += 1
        let request = RemoteRequest(entity: RemoteEntity(type.entity.plan), target: .record(candidate.identity))
        switch try await environment.remote.fetch(request) {
        case .absent: answers.gone.insert(candidate.key)
        case .records(let records):
            answers.present.append(
                Page(
                    body: try await gather(records.body), shape: records.payload, isSnapshot: false, address: nil,
                    validators: nil, version: nil))
        case .notModified, .expired: answers.unclear += 1
        }
    }

    /// As many as may be queried. If there are more, others are chosen each time.
    private func chosen(_ candidates: [UnlistedRecords.Candidate]) -> [UnlistedRecords.Candidate] {
        let limit = max(0, options.unlistedRequestLimit)
        guard candidates.count > limit else { return candidates }
        let start = Int(environment.random() * Double(candidates.count))
        return (0..<limit).map { candidates[(start + $0) % candidates.count] }
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
