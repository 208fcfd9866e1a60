/// Something of a merge that its counts do not tell: what was kept although the server no longer lists it, and why
/// nothing could be deleted.
public struct MergeNote: Sendable, Hashable {
    /// What kind of note it is.
    public let code: Code
    /// The entity, by its name in the schema.
    public let entity: String
    /// The record's identity; `nil` where the note is not of one record.
    public let record: String?
    /// What happened, and why: for developers. It shows no values but identities.
    public let text: String

    /// The kinds of notes.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The scope names a record that is not here, or a value that cannot be read: nothing was deleted.
        case unresolvedScope
        /// The payload is not all that the server has: nothing was deleted.
        case incompletePayload
        /// The entity's records cannot be told from others, or the scope cannot be deleted in: nothing was deleted.
        case cannotDelete
        /// What a list in pages lacks was kept, because the server was not asked for it, or did not say that it is
        /// gone.
        case unconfirmedDeletion
        /// A record that the server no longer lists was kept: a rule of the schema denies the delete, or a record that
        /// must stay cannot be without it.
        case keptRecord
        /// Two records have the same value where the schema allows it once: one of the payload was left out.
        case uniqueConflict
        /// A record that was made here is one of the server's, as both have the same value that is there once: it has
        /// the server's identity now.
        case adopted
        /// A record that was made here has another value now, as one of the server's has the one that it had.
        case renamed
        /// Something else that is worth knowing.
        case remark
    }

    package init(_ code: Code, entity: String, record: String? = nil, _ text: String) {
        self.code = code
        self.entity = entity
        self.record = record
        self.text = text
    }
}

extension MergeNote {
    /// The same where nothing was to be deleted anyway.
    var withoutDeleting: MergeNote {
        let ending = ", so nothing was deleted"
        guard text.hasSuffix(ending) else { return self }
        return MergeNote(code, entity: entity, record: record, String(text.dropLast(ending.count)))
    }
}

extension MergeNote: CustomStringConvertible {
    /// What the note is of, its text and its code:
    /// `Show: Stage “777” is not in the store yet, so nothing was deleted [unresolvedScope]`
    public var description: String {
        let subject = record.map { "\(entity) “\($0)”" } ?? entity
        return "\(subject): \(text) [\(code.rawValue)]"
    }
}
