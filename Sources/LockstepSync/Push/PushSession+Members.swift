import Foundation
import GRDB
import LockstepStore

// Embedded records whose identities the server assigns (Rules.md, R10).
extension PushSession {
    /// Requests a record that the server may have members of whose identities are not known locally, because a response
    /// was lost or had no body. If they were sent again without an identity, they would be created again.
    ///
    /// - Returns: Whether the record has to be read again.
    func learnMembers(of record: PushRecord) async throws -> Bool {
        if record.hasUnknownMembers {
            // If the record cannot be requested, the identities cannot be known.
            try await refresh(record, mustBePossible: false)
            try await noteMembers(of: record)
        }
        try await requeueUnlisted(of: record)
        return record.hasUnknownMembers || !record.unlistedMembers.isEmpty
    }

    /// Records that the server was asked for the members of a record.
    func noteMembers(of record: PushRecord) async throws {
        try await environment.store.writeRaw("noting what the server has") {
            [plans = environment.store.plans] database, _ in
            let members = SentMembers(database: database, plans: plans)
            // A member that was not found is not on the server: it counts as never sent.
            for member in try members.members(of: record.recordID) where member.state == .sent {
                let writer = OutboxWriter(database, plan: member.plan)
                guard member.plan.isTracked, let change = try writer.change(of: member.key) else { continue }
                switch change.kind {
                case .create: try writer.requeue(change)
                case .delete where try member.isUnnamed(writer): try writer.forget(member.key, id: change.id)
                case .delete, .update: break
                }
            }
            try members.didAsk(record.recordID)
        }
    }

    /// A record that was sent in one, is in another one now, and is not known to have arrived counts as never sent.
    private func requeueUnlisted(of record: PushRecord) async throws {
        guard !record.unlistedMembers.isEmpty else { return }
        try await environment.store.writeRaw("noting what the server has not") { database, _ in
            for member in record.unlistedMembers {
                let writer = OutboxWriter(database, plan: member.plan)
                guard let change = try writer.change(of: member.change.key), change.kind == .create,
                    change.idempotencyKey == member.change.idempotencyKey
                else { continue }
                try writer.requeue(change)
            }
        }
    }
}

extension SentMember {
    /// Whether its identity on the server is not known.
    fileprivate func isUnnamed(_ writer: OutboxWriter) throws -> Bool {
        guard let remote = plan.remoteColumn, let base = try writer.base(of: key) else { return true }
        return base[remote].isNull
    }
}

extension Confirmation {
    /// Reports members that the server has left out of a request that it has taken: they exist only locally.
    func parkLeftOut(of record: PushRecord) throws {
        let members = SentMembers(database: database, plans: plans)
        let leftOut = try members.members(of: record.recordID).filter { $0.state == .leftOut }
        if leftOut.isEmpty { return }
        let count = leftOut.count
        let names = Set(leftOut.map(\.relationship)).sorted().joined(separator: ", ")
        try OutboxWriter(database, plan: record.plan).parkTouched(
            record.key,
            reason: """
                the server has taken \(record.plan.name) \(record.key.text) and left \(count) embedded \
                \(count == 1 ? "record" : "records") out (\(names)); change what it does not accept, and retry
                """)
        try members.forget(record.recordID, in: .leftOut)
    }

    /// Reports changes of members that the server has taken without returning their identities: they cannot be sent.
    func parkNameless(of record: PushRecord) throws {
        guard !record.nameless.isEmpty else { return }
        let names = Set(record.nameless.map(\.plan.name)).sorted().joined(separator: ", ")
        let reason = """
            the server has not returned the identities of the records embedded in \(record.plan.name) \
            \(record.key.text) (\(names)), so that their changes cannot be sent; make it return them, pull, and retry
            """
        for settled in record.nameless {
            try OutboxWriter(database, plan: settled.plan).park(
                settled.change, status: 0, body: Data(reason.utf8), error: reason)
        }
        try OutboxWriter(database, plan: record.plan).parkTouched(record.key, reason: reason)
    }
}

extension OutboxWriter {
    /// Parks a record whose embedded records are parked, because it tells of them. Its own change can be settled
    /// already, by a request that had to leave these records out (Rules.md, R10.14).
    ///
    /// - Parameters:
    ///   - concerned: What is parked. Nothing is done if it includes a record that tells of itself.
    ///   - body: What the server says; `nil` for the reason.
    func parkOwner(
        _ key: RecordKey, of concerned: [(plan: EntityPlan, key: RecordKey)], status: Int = 0, body: Data? = nil,
        reason: String
    ) throws {
        if isTold(key, of: concerned) { return }
        try parkTouched(key, status: status, body: body, reason: reason)
    }

    /// Marks a record as changed whose embedded records wait, for the same reason.
    ///
    /// - Returns: The change; `nil` if the record is pending already, or one of those that wait tells of itself.
    func markOwner(_ key: RecordKey, of concerned: [(plan: EntityPlan, key: RecordKey)]) throws -> PendingChange? {
        if try isTold(key, of: concerned) || change(of: key) != nil { return nil }
        guard try touch(key), let change = try change(of: key) else { return nil }
        try mark(change, marks: .embedded)
        return try self.change(of: key)
    }

    /// Whether one of the records that a request concerns is shown by itself, or there is none.
    private func isTold(_ key: RecordKey, of concerned: [(plan: EntityPlan, key: RecordKey)]) -> Bool {
        concerned.isEmpty || concerned.contains { !$0.plan.travelsInside || $0.plan === plan && $0.key == key }
    }

    /// Parks a record because its embedded records were not taken. One that was edited meanwhile is sent anyway.
    ///
    /// - Parameter body: What the server says; `nil` for the reason.
    func parkTouched(_ key: RecordKey, status: Int = 0, body: Data? = nil, reason: String) throws {
        let isPending = try change(of: key) != nil
        guard try touch(key), let change = try change(of: key) else { return }
        try mark(change, marks: .embedded)
        guard !isPending, let marked = try self.change(of: key) else { return }
        try park(marked, status: status, body: body ?? Data(reason.utf8), error: reason)
    }
}
