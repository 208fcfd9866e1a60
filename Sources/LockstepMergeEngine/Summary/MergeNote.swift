/// Information about a merge beyond its counts: what was kept although the server no longer lists it, why nothing could
/// be deleted, and which keys were not read although they look like those of relationships.
public struct MergeNote: Sendable, Hashable {
    /// The kind of the note.
    public let code: Code
    /// The entity, by its name in the schema.
    public let entity: String
    /// The record's identity; `nil` if the note is not about one record.
    public let record: String?
    /// The event and its reason, for developers. It contains no values except identities.
    public let text: String

    /// The kinds of notes.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The scope refers to a record that is not in the store, or to a value that cannot be read: nothing was
        /// deleted.
        case unresolvedScope
        /// The payload is not complete: nothing was deleted.
        case incompletePayload
        /// The entity's records have no identity, or deleting is impossible in the scope: nothing was deleted.
        case cannotDelete
        /// Records that a doubtful list lacks were kept, because the server was not asked for them, has some of them,
        /// or did not confirm that they were deleted. So was a record that the server does not have, but has confirmed
        /// a moment ago.
        case unconfirmedDeletion
        /// A record that the server no longer lists was kept: a rule of the schema denies the delete, or a record that
        /// must stay requires it.
        case keptRecord
        /// Two records have the same unique value: one record of the payload was skipped.
        case uniqueConflict
        /// A record that was created locally has the same unique value as one of the server's: it is the same record,
        /// and has the server's identity now.
        case adopted
        /// A record that was created locally had a unique value of one of the server's records, and has another value
        /// now.
        case renamed
        /// Both sides have changed the same attributes of a record since they last agreed, or a list of it that counts
        /// as one value was changed locally and differs. The note names them, and which side's values the record has
        /// now.
        case conflict
        /// A key that is not read looks like that of a relationship: the schema and the server may disagree about it.
        case unreadRelationship
        /// Other information.
        case remark
    }

    package init(_ code: Code, entity: String, record: String? = nil, text: String) {
        self.code = code
        self.entity = entity
        self.record = record
        self.text = text
    }
}

extension MergeNote {
    /// The note for a merge that would not have deleted anything.
    var withoutDeleting: MergeNote {
        let ending = ", so nothing was deleted"
        guard text.hasSuffix(ending) else { return self }
        return MergeNote(code, entity: entity, record: record, text: String(text.dropLast(ending.count)))
    }
}

extension MergeNote: CustomStringConvertible {
    /// The subject of the note, its text and its code: `Show: Stage “777” is not in the store yet, so nothing was
    /// deleted [unresolvedScope]`
    public var description: String {
        let subject = record.map { "\(entity) “\($0)”" } ?? entity
        return "\(subject): \(text) [\(code.rawValue)]"
    }
}
