import LockstepTables

/// The spellings of UUIDs in the identities of a payload, until a batch is written.
final class ReceivedSpellings {
    /// The role in which an identity is read.
    enum Role { case record, link, other }

    var role = Role.record
    /// Whether the spelling that the schema writes by itself is noted, too: the store, or the payload, has another one
    /// of some record.
    var notesAll = false
    /// By entity and UUID.
    private(set) var records: [Int: [String: String]] = [:]
    private(set) var links: [Int: [String: String]] = [:]

    /// Links of all batches: their records may be deleted in the end.
    private(set) var openLinks: [Int: [String: String]] = [:]

    var isEmpty: Bool { records.isEmpty && links.isEmpty }

    fileprivate func note(_ spelling: String, of identity: String, entity: Int, isLink: Bool) {
        notesAll = true
        if isLink {
            links[entity, default: [:]][identity] = spelling
        } else {
            records[entity, default: [:]][identity] = spelling
        }
    }

    func leaveOpen(_ spelling: String, to identity: String, of entity: Int) {
        openLinks[entity, default: [:]][identity] = spelling
    }

    /// Removes what a batch has received.
    func removeAll() {
        (records, links) = ([:], [:])
    }
}

/// Notes the spellings of a column with UUIDs of an identity.
final class SpellingNotes {
    private let received: ReceivedSpellings
    /// The entity that the UUIDs identify.
    private let plan: EntityPlan
    private let entity: Int
    /// Whether the column is a part of another entity's identity.
    private let isLink: Bool
    /// Whether UUIDs in lower case are not what the schema writes.
    private let isLowercaseUnusual: Bool

    init(_ received: ReceivedSpellings, plan: EntityPlan, entity: Int, isLink: Bool) {
        self.received = received
        self.plan = plan
        self.entity = entity
        self.isLink = isLink
        isLowercaseUnusual = plan.spelled("a") != "a"
    }

    /// Whether UUIDs in lower case are noted.
    var notesAll: Bool { received.notesAll || isLowercaseUnusual }

    func note(_ spelling: UnsafeBufferPointer<UInt8>, of identity: UnsafeBufferPointer<UInt8>) {
        guard received.role != .other else { return }
        let spelling = String(decoding: spelling, as: UTF8.self)
        let identity = String(decoding: identity, as: UTF8.self)
        guard received.notesAll || spelling != plan.spelled(identity) else { return }
        received.note(spelling, of: identity, entity: entity, isLink: isLink || received.role == .link)
    }
}
