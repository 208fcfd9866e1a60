import LockstepTables

extension RecordKey {
    /// Represents the key where many keys are kept. It is equal to the fingerprint of its cells.
    var fingerprint: KeyFingerprint {
        if let integer { return Cell(integer: integer).fingerprint }
        if let uuid {
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { text in
                uuid.write(lowercaseText: text)
                return Cell(text: UnsafeBufferPointer(text)).fingerprint
            }
        }
        let arena = TextArena()
        return withExtendedLifetime(arena) { values.map { Cell($0, arena: arena) }.fingerprint }
    }
}
