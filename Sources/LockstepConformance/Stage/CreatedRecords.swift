import LockstepHTTP
import LockstepRemotes

/// The records that were created, so that they are deleted at the end.
///
/// A record is added before its creation is sent, because the response may be lost. Unless the creation was accepted,
/// it is deleted only if it has the mark of this run: the record of somebody else can have the same identity. If it was
/// refused, or never sent, it is named only if the server is known to have the record.
actor CreatedRecords {
    private struct Entry {
        var record: SampleRecord
        /// The user who creates it; `nil` for the owner.
        let other: ServerUser?
        var state = State.sent
    }

    private enum State { case sent, accepted, refused }

    private let owner: ServerUser
    private var entries: [Entry] = []

    init(owner: ServerUser) { self.owner = owner }

    /// Adds a record whose creation is sent next.
    ///
    /// - Parameter other: The user who creates it; `nil` for the owner.
    func expect(_ record: SampleRecord, by other: ServerUser? = nil) {
        entries.append(Entry(record: record, other: other))
    }

    /// Stores the response to the creation of a record.
    ///
    /// - Parameters:
    ///   - record: The record, with the identity that the server has assigned.
    ///   - isAccepted: Whether the creation was accepted. Otherwise, it was refused, or never sent.
    func settle(_ record: SampleRecord, isAccepted: Bool) {
        guard let index = entries.lastIndex(where: { $0.record.mark == record.mark }) else { return }
        if isAccepted {
            entries[index].record = record
            entries[index].state = .accepted
        } else if record.identity == nil {
            entries.remove(at: index)
        } else {
            entries[index].state = .refused
        }
    }

    /// Adds a record of the owner that was found by its mark.
    func find(_ record: SampleRecord) {
        let index = entries.lastIndex {
            $0.record.mark == record.mark && ($0.record.identity == nil || $0.record.key == record.key)
        }
        if let index {
            entries[index].record.identity = record.identity
        } else {
            entries.append(Entry(record: record, other: nil, state: .accepted))
        }
    }

    /// Deletes all, the last first, because they refer to earlier ones.
    ///
    /// After the first request without a response, no other one is sent, because each would take as long.
    ///
    /// - Parameter begin: Called before the first request, with the number of records that the server may have.
    /// - Returns: The names of those that could not be deleted.
    func delete(begin: @Sendable (Int) -> Void = { _ in }) async -> [String] {
        var remaining: [String] = []
        var isConnected = true
        let count = entries.count { $0.state != .refused }
        if count > 0 { begin(count) }
        for entry in entries.reversed() {
            var mayExist = entry.state != .refused
            if isConnected {
                do { mayExist = try await !isGone(entry) } catch {
                    if (error as? SyncError)?.endsConnection == true { isConnected = false }
                }
            }
            if mayExist { remaining.append(entry.record.name) }
        }
        entries = []
        return remaining
    }

    /// Deletes a record of this run.
    ///
    /// - Returns: Whether the server does not have it any more.
    private func isGone(_ entry: Entry) async throws -> Bool {
        guard entry.record.identity != nil else { return false }
        if entry.state != .accepted {
            guard try await (entry.other ?? owner).reads(entry.record, isMarked: true) else { return true }
        }
        let change = entry.record.deletion()
        if let other = entry.other, case .accepted? = try await response(to: change, by: other) { return true }
        switch try await response(to: change, by: owner) {
        case .accepted?: return true
        // What the owner does not read may be there for the other user.
        case .absent?: return entry.other == nil
        default: return false
        }
    }

    /// - Returns: `nil` if there was an error.
    /// - Throws: `SyncError` if the server does not respond.
    private func response(to change: OutgoingChange, by user: ServerUser) async throws -> SendResponse? {
        do { return try await user.send(change) } catch let error as SyncError {
            if error.endsConnection { throw error }
            return nil
        }
    }
}
