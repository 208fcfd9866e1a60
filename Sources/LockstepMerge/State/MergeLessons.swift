import LockstepStore

/// What one try of a merge has found out that the next one has to know from its first record on.
///
/// Who gets a value that is there once is known when all of the payload is written, and who does not get it takes along
/// what is nested in it, which is written by then. So the merge is begun again, without such records: how the payload
/// was cut into batches, windows and pages cannot show (Rules.md, M11 and M12).
struct MergeLessons: Sendable {
    /// Why a record is left out.
    struct Refusal: Sendable {
        /// The columns whose values it cannot have.
        let columns: [Int]
        let reason: String
    }

    private var refusals: [Int: [KeyFingerprint: Refusal]] = [:]
    private var watched: [Int: Set<KeyFingerprint>] = [:]
    /// What is done about records that were made here, before anything is merged.
    var twins: [TwinLesson] = []

    var hasRefusals: Bool { !refusals.isEmpty }

    /// Says that a record is left out, wherever the payload has it.
    mutating func refuse(_ identity: KeyFingerprint, of entity: MergeEntity, _ refusal: Refusal) {
        refusals[entity.place, default: [:]][identity] = refusal
    }

    /// The records of an entity that are left out, by identity; `nil` where there are none.
    func refusals(of entity: MergeEntity) -> [KeyFingerprint: Refusal]? { refusals[entity.place] }

    /// Says that a record wants a value that another one wants, too: it is not written before it is known whose it is.
    ///
    /// - Returns: Whether that is new.
    mutating func watch(_ identity: KeyFingerprint, of entity: MergeEntity) -> Bool {
        watched[entity.place, default: []].insert(identity).inserted
    }

    /// The records of an entity that wait for their values that are there once, by identity; `nil` where there are
    /// none.
    func watched(of entity: MergeEntity) -> Set<KeyFingerprint>? { watched[entity.place] }
}

extension UnsafeMutablePointer<Cell> {
    /// What tells a record from others in each try of a merge: a key that the device makes is another each time.
    func identityFingerprint(_ entity: MergeEntity) -> KeyFingerprint {
        let columns = entity.wireKeyColumns
        return columns.allSatisfy { self[$0].isValue } ? fingerprint(ofKey: columns) : fingerprint(entity)
    }
}
