import Foundation
import GRDB
import LockstepStore

// Embedded records whose identities the server makes (Rules.md, R10).
extension PushSession {
    /// Asks for a record that the server may have members of whose identities are not known here: an answer was lost,
    /// or had no body. Sent again without one, they would be made once more.
    ///
    /// - Returns: `.done` where the record has to be read again; `nil` where nothing is to be asked.
    func learnMembers(of record: PushRecord) async throws -> Outcome? {
        guard let identity = record.identity else { return nil }
        guard record.hasUnknownMembers else {
            if record.strangers.isEmpty { return nil }
            try await takeBackStrangers(of: record)
            return .done(nil)
        }
        return try await asking(record) {
            do {
                _ = try await refresh(record, identity)
            } catch let error as SyncError where error.code == .unsupported {
                // Then nobody can know.
            }
            try await environment.store.writeRaw("noting what the server has") {
                [plans = environment.store.plans] database, _ in
                let members = SentMembers(database: database, plans: plans)
                // What was not found is not there: it is one that was never sent.
                for member in try members.members(of: record.place) where member.state == .sent {
                    let writer = OutboxWriter(database, member.plan)
                    guard member.plan.isTracked, let change = try writer.change(of: member.key) else { continue }
                    switch change.kind {
                    case .create: try writer.takeBack(change)
                    case .delete where try member.isUnnamed(writer): try writer.forget(member.key, id: change.id)
                    case .delete, .update: break
                    }
                }
                try members.didAsk(record.place)
            }
            try await takeBackStrangers(of: record)
            return .done(nil)
        }
    }

    /// What was sent in a record, is in another one now, and is not known to have arrived: it is one that was never
    /// sent.
    private func takeBackStrangers(of record: PushRecord) async throws {
        guard !record.strangers.isEmpty else { return }
        try await environment.store.writeRaw("noting what the server has not") { database, _ in
            for stranger in record.strangers {
                let writer = OutboxWriter(database, stranger.plan)
                guard let change = try writer.change(of: stranger.change.key), change.kind == .create,
                    change.idempotencyKey == stranger.change.idempotencyKey
                else { continue }
                try writer.takeBack(change)
            }
        }
    }
}

extension SentMember {
    /// Whether nobody knows who it is on the server.
    fileprivate func isUnnamed(_ writer: OutboxWriter) throws -> Bool {
        guard let remote = plan.remoteColumn, let base = try writer.base(of: key) else { return true }
        return base[remote].isNull
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

    /// Reports what was changed of members that the server has taken and does not name: it cannot be told of them.
    func parkNameless(of record: PushRecord) throws {
        guard !record.nameless.isEmpty else { return }
        let names = Set(record.nameless.map(\.plan.name)).sorted().joined(separator: ", ")
        let reason = """
            the server has not said which identities the records inside of \(record.plan.name) \(record.key.text) have \
            (\(names)), so that changes of them cannot be sent; let it list them with their identities, pull, and retry
            """
        for settled in record.nameless {
            try OutboxWriter(database, settled.plan).park(
                settled.change, status: 0, body: Data(reason.utf8), error: reason)
        }
        try OutboxWriter(database, record.plan).parkTouched(record.key, reason: reason)
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
