import LockstepTables

/// The findings of one attempt of a merge that the next one has to know from its first record on.
///
/// Which record gets a unique value is known only after the whole payload is written. A record that does not get it is
/// refused with everything nested in it, which is written by then. So the merge begins again without such records: how
/// the payload was cut into batches, windows and pages must not affect the result (Rules.md, M11 and M12).
struct MergeRetryHints: Sendable {
    /// Why a record is refused.
    struct Refusal: Sendable {
        /// The columns whose values it cannot have.
        let columns: [Int]
        let reason: String
    }

    private var refusals: [Int: [KeyFingerprint: Refusal]] = [:]
    private var watched: [Int: Set<KeyFingerprint>] = [:]
    /// The treatment of records that were created locally, before anything is merged.
    var duplicates: [DuplicateResolution] = []

    var hasRefusals: Bool { !refusals.isEmpty }

    /// Refuses a record wherever it occurs in the payload.
    mutating func refuse(_ identity: KeyFingerprint, of entity: MergeEntity, refusal: Refusal) {
        refusals[entity.index, default: [:]][identity] = refusal
    }

    /// The refused records of an entity, by identity; `nil` if there are none.
    func refusals(of entity: MergeEntity) -> [KeyFingerprint: Refusal]? { refusals[entity.index] }

    /// Registers a record that competes with another for a unique value: it is not written until the value is assigned.
    ///
    /// - Returns: Whether it was not registered before.
    mutating func watch(_ identity: KeyFingerprint, of entity: MergeEntity) -> Bool {
        watched[entity.index, default: []].insert(identity).inserted
    }

    /// The records of an entity that are deferred because of unique values, by identity; `nil` if there are none.
    func watched(of entity: MergeEntity) -> Set<KeyFingerprint>? { watched[entity.index] }
}

extension UnsafeMutablePointer<Cell> {
    /// Identifies a record in each attempt of a merge, in which a key that is created locally differs.
    func identityFingerprint(_ entity: MergeEntity) -> KeyFingerprint {
        let columns = entity.wireKeyColumns
        return columns.allSatisfy { self[$0].isValue } ? fingerprint(ofKey: columns) : fingerprint(entity)
    }
}
