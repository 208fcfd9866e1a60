import Foundation

/// How one record's changes are sent: each event leads to the next effect. It performs nothing itself.
///
/// A record is read, what has to be known first is requested, the change is sent, and what the response says is
/// recorded. Whatever changes the record or what is known of it leads back to reading it.
struct PushAttempt {
    /// What matters about a record that was read to be sent.
    struct Facts {
        var kind = OutgoingChange.Kind.update
        /// Whether records have moved into it from an owner that was deleted: they are created again first.
        var hasLost = false
        /// Why nothing can be sent although something was changed.
        var unsentReason: String?
        /// Why the schema does not let it be sent.
        var heldReason: String?
        var isEmpty = false
        /// Whether the server has to be asked for something first, if it was not.
        var mustAsk = false
        /// Whether the request would overwrite members that the schema does not know, so that they are requested first.
        var replacesUnknown = false
        /// The version (ETag) that the request names.
        var version: String?
        var versionAttribute: OutgoingChange.VersionAttribute?
        /// Whether the request names records that are embedded, and the record can be requested.
        var namesMembers = false
        /// Whether it was deleted locally after its creation was sent.
        var isDeletedMeanwhile = false
    }

    /// What happens next.
    enum Effect {
        /// Reads the record, and notes what is sent of it if nothing is in the way.
        ///
        /// - `hasAsked`: Whether the server was asked for what has to be known.
        /// - `hasLearned`: Whether the members are known that the schema does not know.
        case read(hasAsked: Bool, hasLearned: Bool)
        /// Something is done with the record that was read, and an ``Event`` follows.
        case step(Step)
        /// Nothing more is sent of the record that was read for now.
        case end(End)
        /// No JSON can be made of the record, which is parked.
        case parkUnread(String)
        /// The operation that has taken effect; `nil` if there was nothing to do.
        case done(OutgoingChange.Kind?)
        /// The record is parked already.
        case isParked
        /// What is left of the change is retried later, because the record has changed each time. The status is the
        /// last one with which the server has said so.
        case giveUp(status: Int?)
    }

    enum Step {
        /// Creates records again that the server has lost with their owners.
        case release
        /// Requests what has to be known.
        case ask
        /// Requests the record for the members that the schema does not know (Rules.md, V11).
        case learn
        case send
        /// Records that the change has taken effect, and merges the response.
        case confirm(body: Data?, version: String?, identity: RemoteIdentity?)
        /// Requests the record, since the response may be about one that is embedded in it (Rules.md, R10.16).
        case askForOwner
        /// Accepts that the server no longer has the record (Rules.md, C3).
        case takeDeletion
        /// Merges the server's record; requests it if it is `nil` (Rules.md, C4).
        case merge(current: Data?, version: String?)
        /// Counts a creation as never sent (Rules.md, P10).
        case requeue

        /// Whether something is requested, so that an error means something for the change.
        var isRequest: Bool {
            switch self {
            case .ask, .learn, .send, .askForOwner, .merge: true
            case .release, .confirm, .takeDeletion, .requeue: false
            }
        }
    }

    enum End {
        /// Nothing has to be sent: the change was undone.
        case settle(OutgoingChange.Kind?)
        /// The schema does not let it be sent (Rules.md, V8).
        case hold(String)
        /// It is sent again if the app asks for it (Rules.md, P8).
        case park(status: Int, body: Data, because: String? = nil)
        /// It is retried, and the others are sent meanwhile.
        case later(seconds: TimeInterval, status: Int)
        /// The same, because the response did not come from the API (Rules.md, P13).
        case unproven(seconds: TimeInterval, status: Int?, String)
        /// Nothing is sent until then.
        case pause(seconds: TimeInterval, status: Int)
        /// What an error means for it.
        case fail(SyncError)
    }

    enum Event {
        /// The record was read; `nil` if nothing of it is pending.
        case read(Facts?)
        /// No JSON can be made of the record.
        case unwritable(String)
        /// What has to be known is known, or cannot be.
        case isKnown
        /// The record or what is known of it has changed.
        case changed
        case decided(PushDecision)
        /// The change has taken effect.
        case confirmed
        /// The response was recorded, but nothing was applied.
        case unapplied(isParked: Bool)
        case failed(SyncError)
    }

    /// How often a record is read because it has changed, before the others are sent.
    static let limit = 8

    private var readCount = 1
    private var facts = Facts()
    /// The confirmed operation.
    private var sent: OutgoingChange.Kind?
    private var hasAsked = false
    private var hasLearned = false
    private var isOwnerThere = false
    /// The version attribute that the server has rejected.
    private var refusedAttribute: OutgoingChange.VersionAttribute?
    /// The version (ETag) that the server has rejected.
    private var refusedVersion: String?
    /// The last status with which it has reported another version.
    private var conflictStatus: Int?

    static let first = Effect.read(hasAsked: false, hasLearned: false)

    mutating func next(_ event: Event) -> Effect {
        switch event {
        case .read(nil): .done(sent)
        case .read(let facts?): next(after: facts)
        case .unwritable(let reason): .parkUnread(reason)
        case .isKnown: learnOrSend()
        case .changed: readAgain()
        case .decided(let decision): next(after: decision)
        case .confirmed: nextAfterConfirmation()
        case .unapplied(isParked: true): .isParked
        // It was edited before the response came.
        case .unapplied(isParked: false): readAgain()
        case .failed(let error): .end(.fail(error))
        }
    }

    private mutating func readAgain() -> Effect {
        if readCount == Self.limit { return .giveUp(status: conflictStatus) }
        readCount += 1
        return .read(hasAsked: hasAsked, hasLearned: hasLearned)
    }

    private mutating func next(after facts: Facts) -> Effect {
        self.facts = facts
        if facts.hasLost { return .step(.release) }
        if let reason = facts.unsentReason { return .end(.park(status: 0, body: Data(reason.utf8))) }
        if facts.isEmpty { return .end(.settle(sent)) }
        if let reason = facts.heldReason { return .end(.hold(reason)) }
        if facts.mustAsk, !hasAsked {
            hasAsked = true
            return .step(.ask)
        }
        return learnOrSend()
    }

    private mutating func learnOrSend() -> Effect {
        guard facts.replacesUnknown, !hasLearned else { return .step(.send) }
        hasLearned = true
        return .step(.learn)
    }

    private mutating func nextAfterConfirmation() -> Effect {
        sent = facts.kind
        // It may have been deleted locally while its creation was sent: the delete is sent, too.
        return facts.isDeletedMeanwhile ? readAgain() : .done(sent)
    }

    private mutating func next(after decision: PushDecision) -> Effect {
        switch decision {
        case .confirm(let body, let version, let identity):
            return .step(.confirm(body: body, version: version, identity: identity))
        case .goneThere where isOwnerThere:
            return .end(.park(status: 404, body: Data(Self.goneMember.utf8)))
        case .goneThere where facts.namesMembers:
            isOwnerThere = true
            return .step(.askForOwner)
        case .goneThere: return .step(.takeDeletion)
        // The server still has this version: the record was not changed.
        case .mergeAndSendAgain where facts.version != nil && refusedVersion == facts.version:
            return .end(.park(status: 412, body: Data(), because: Self.refusedTag))
        case .mergeAndSendAgain(let current, let version):
            (conflictStatus, hasLearned, refusedVersion) = (412, false, facts.version)
            return .step(.merge(current: current, version: version))
        // If the server still has this version, it rejects the change for another reason.
        case .stale(let status, let body) where refusedAttribute == facts.versionAttribute:
            return .end(.park(status: status, body: body))
        case .stale(let status, _):
            (refusedAttribute, conflictStatus, hasLearned) = (facts.versionAttribute, status, false)
            return .step(.merge(current: nil, version: nil))
        case .sendAgain: return .step(.requeue)
        case .park(let status, let body): return .end(.park(status: status, body: body))
        case .later(let seconds, let status): return .end(.later(seconds: seconds, status: status))
        case .unproven(let seconds, let status, let reason):
            return .end(.unproven(seconds: seconds, status: status, reason))
        case .pause(let seconds, let status): return .end(.pause(seconds: seconds, status: status))
        }
    }

    private static let refusedTag = """
        the server responded with 412 to the ETag that it returns for the record, which was not changed: something \
        between the two changes the ETag, such as a proxy that compresses responses, or the server rejects the change \
        for another reason
        """

    private static let goneMember = "the server has the record, but not one that the request embeds in it"
}
