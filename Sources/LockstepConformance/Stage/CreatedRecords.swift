import LockstepRemotes

/// The records that were created, so that they are deleted at the end.
///
/// A record is added before its creation is sent, because the response may be lost. Unless the creation was accepted,
/// it is deleted only if it has the mark of this run: the record of somebody else can have the same identity.
actor CreatedRecords {
    private struct Entry {
        var record: SampleRecord
        /// The user who creates it; `nil` for the owner.
        let other: ServerUser?
        var isAccepted = false
    }

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
    ///   - isAccepted: Whether the creation was accepted. Otherwise, it was refused.
    func settle(_ record: SampleRecord, isAccepted: Bool) {
        guard let index = entries.lastIndex(where: { $0.record.mark == record.mark }) else { return }
        if isAccepted {
            entries[index].record = record
            entries[index].isAccepted = true
        } else if record.identity == nil {
            entries.remove(at: index)
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
            entries.append(Entry(record: record, other: nil, isAccepted: true))
        }
    }

    /// Deletes all, the last first, because they refer to earlier ones.
    ///
    /// - Returns: The names of those that could not be deleted.
    func delete() async -> [String] {
        var remaining: [String] = []
        for entry in entries.reversed() where await !isGone(entry) { remaining.append(entry.record.name) }
        entries = []
        return remaining
    }

    /// Deletes a record of this run.
    ///
    /// - Returns: Whether the server does not have it any more.
    private func isGone(_ entry: Entry) async -> Bool {
        guard entry.record.identity != nil else { return false }
        if !entry.isAccepted {
            guard let isThere = try? await (entry.other ?? owner).reads(entry.record, isMarked: true) else {
                return false
            }
            if !isThere { return true }
        }
        let change = entry.record.deletion()
        if let other = entry.other, case .accepted? = try? await other.send(change) { return true }
        switch try? await owner.send(change) {
        case .accepted?: return true
        // What the owner does not read may be there for the other user.
        case .absent?: return entry.other == nil
        default: return false
        }
    }
}
