import LockstepRemotes

/// The records that were created, so that they are deleted at the end.
actor CreatedRecords {
    private var records: [SampleRecord] = []

    func add(_ record: SampleRecord) { records.append(record) }

    /// Deletes all, the last first, because they refer to earlier ones.
    ///
    /// - Returns: The names of those that could not be deleted.
    func delete(by user: ServerUser) async -> [String] {
        var remaining: [String] = []
        for record in records.reversed() where record.identity != nil {
            switch try? await user.send(record.deletion()) {
            case .accepted?, .absent?: break
            default: remaining.append(record.name)
            }
        }
        records = []
        return remaining
    }
}
