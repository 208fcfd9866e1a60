import LockstepStore

/// The key that a record stands under in a Firebase database.
enum FirebaseKey {
    /// Keys are "UTF-8 encoded, can be a maximum of 768 bytes, and cannot contain ., $, #, [, ], /, or ASCII control
    /// characters 0-31 or 127" (Firebase, Structure Your Database).
    static let limitBytes = 768
    private static let forbidden = Set(".#$[]/".unicodeScalars)

    /// The key of an identity; `DE_7` for several values.
    ///
    /// - Throws: `SyncError.invalidIdentity` where the database has no such key. A path with it would be that of
    ///   another record, or of all.
    static func text(of identity: RemoteIdentity?, in entity: RemoteEntity) throws(SyncError) -> String {
        let texts = identity?.texts ?? []
        let text = texts.joined(separator: "_")
        let problem: String? =
            if texts.isEmpty || texts.contains("") {
                "it is empty"
            } else if text.utf8.count > limitBytes {
                "it is longer than \(limitBytes) bytes"
            } else if text.unicodeScalars.contains(where: forbidden.contains) {
                "it has one of . # $ [ ] /"
            } else if text.utf8.contains(where: { $0 < 32 || $0 == 127 }) {
                "it has a control character"
            } else {
                nil
            }
        guard let problem else { return text }
        throw SyncError(
            .invalidIdentity, entity: entity.name, record: text,
            reason: "the identity cannot be a key on a Firebase server: \(problem)",
            remedy: "Give the record another identity, a UUID for example.")
    }

    /// The identity of a key; `nil` where it has several values, and the key does not tell where each ends.
    static func identity(of key: String, in entity: RemoteEntity) -> RemoteIdentity? {
        let count = entity.identityPaths.count
        guard count > 1 else { return RemoteIdentity([.string(key)]) }
        let texts = key.split(separator: "_", omittingEmptySubsequences: false)
        guard texts.count == count else { return nil }
        return RemoteIdentity(texts.map { .string(String($0)) })
    }
}
