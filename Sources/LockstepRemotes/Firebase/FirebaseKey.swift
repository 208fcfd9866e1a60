import LockstepTables

/// The key of a record in a Firebase database.
enum FirebaseKey {
    /// Keys are "UTF-8 encoded, can be a maximum of 768 bytes, and cannot contain ., $, #, [, ], /, or ASCII control
    /// characters 0-31 or 127" (Firebase, Structure Your Database).
    static let limitBytes = 768
    private static let forbidden = Set(".#$[]/".unicodeScalars)

    /// The key of an identity; `DE_7` for several values.
    ///
    /// - Throws: `SyncError.invalidIdentity` if the database does not allow the key. A path with it would be that of
    ///   another record, or of the whole collection.
    static func text(of identity: RemoteIdentity?, in entity: RemoteEntity) throws(SyncError) -> String {
        let texts = identity?.texts ?? []
        let text = identity.map(entity.text) ?? ""
        let problem: String? =
            if texts.isEmpty || texts.contains("") {
                "it is empty"
            } else if text.utf8.count > limitBytes {
                "it is longer than \(limitBytes) bytes"
            } else if text.unicodeScalars.contains(where: forbidden.contains) {
                "it contains one of . # $ [ ] /"
            } else if text.utf8.contains(where: { $0 < 32 || $0 == 127 }) {
                "it contains a control character"
            } else {
                nil
            }
        guard let problem else { return text }
        throw SyncError(
            .invalidIdentity, entity: entity.name, record: text,
            reason: "the identity cannot be a key on a Firebase server: \(problem)",
            remedy: "Give the record another identity, for example a UUID.")
    }

}
