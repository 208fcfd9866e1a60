import Foundation
import GRDB
import LockstepStore

// Embedded records whose identities the server makes (Rules.md, R10).
extension PushDrain {
    /// Asks for a record that the server may have members of whose identities are not known here: an answer was lost, or
    /// had no body. Sent again without one, they would be made once more.
    ///
    /// - Returns: `.done` where the record has to be read again; `nil` where nothing is to be asked.
    func learnMembers(of record: PushRecord) async throws -> Outcome? {
        guard record.kind == .update, record.hasUnknownMembers, let identity = record.identity else { return nil }
        return try await asking(record) {
            do {
                _ = try await refresh(record, identity)
            } catch let error as SyncError where error.code == .unsupported {
                // Then nobody can know.
            }
            try await sync.store.writeRaw("noting what the server has") { [plans = sync.store.plans] database, _ in
                try SentMembers(database: database, plans: plans).didAsk(record.place)
            }
            return .done(nil)
        }
    }
}

extension Confirmation {
    /// Reports members that the server has left out of a request that it has taken: they are no more than here.
    func parkLeftOut(of record: PushRecord) throws {
        let members = SentMembers(database: database, plans: plans)
        let leftOut = try members.members(of: record.place).filter { $0.state == .leftOut }
        if leftOut.isEmpty { return }
        let count = leftOut.count
        let names = Set(leftOut.map(\.relationship)).sorted().joined(separator: ", ")
        try OutboxWriter(database, record.plan).parkTouched(
            record.key,
            reason: """
                the server has taken \(record.plan.name) \(record.key.text) and left \(count) embedded \
                \(count == 1 ? "record" : "records") out (\(names)); change what it does not take, and retry
                """)
        try members.forget(record.place, .leftOut)
    }
}

extension OutboxWriter {
    /// Parks a record as one whose embedded records were not taken. One that was edited meanwhile goes out anyway.
    func parkTouched(_ key: RecordKey, reason: String) throws {
        let isPending = try change(of: key) != nil
        guard try touch(key), let change = try change(of: key) else { return }
        try mark(change, .embedded)
        guard !isPending, let marked = try self.change(of: key) else { return }
        try park(marked, status: 0, body: Data(reason.utf8), error: reason)
    }
}
