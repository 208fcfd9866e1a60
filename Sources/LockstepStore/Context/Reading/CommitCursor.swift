/// How far a context has taken over the commits of its store.
final class CommitCursor {
    /// What was committed and not taken over yet.
    let inbox: ContextInbox
    /// The number of the newest commit that was taken over.
    var seenCommit: UInt64
    /// Whether the rows that are being read may be of a later commit than what the context shows.
    var mayBeBehind = false
    /// Records that could not be read again, or were gone and have changes that are kept: what they show is not what
    /// the store has, should it have them.
    var unreadObjects: Set<ObjectIdentifier> = []

    init(_ hub: ChangeHub, wake: (@Sendable () -> Void)?) {
        inbox = ContextInbox(wake: wake)
        seenCommit = hub.register(inbox)
    }

    func isUnread(_ object: ManagedObject) -> Bool {
        !unreadObjects.isEmpty && unreadObjects.contains(ObjectIdentifier(object))
    }

    /// The object shows what the store has.
    func markRead(_ object: ManagedObject) {
        if !unreadObjects.isEmpty { unreadObjects.remove(ObjectIdentifier(object)) }
    }
}
