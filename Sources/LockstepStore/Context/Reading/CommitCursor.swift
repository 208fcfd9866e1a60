/// How far a context has picked up the commits of its store.
final class CommitCursor {
    /// The commits that were not picked up yet.
    let inbox: ContextInbox
    /// The number of the newest commit that was picked up.
    var seenCommit: UInt64
    /// Whether the rows that are being read may be from a later commit than what the context shows.
    var mayBeBehind = false
    /// Records that could not be read again, or that were deleted and have changes that are kept. What they show may
    /// differ from what the store has.
    var unreadObjects: Set<ObjectIdentifier> = []

    init(_ hub: ChangeHub, wake: (@Sendable () -> Void)?) {
        inbox = ContextInbox(wake: wake)
        seenCommit = hub.register(inbox)
    }

    func isUnread(_ object: ManagedObject) -> Bool {
        !unreadObjects.isEmpty && unreadObjects.contains(ObjectIdentifier(object))
    }

    /// Records that the object shows what the store has.
    func markRead(_ object: ManagedObject) {
        if !unreadObjects.isEmpty { unreadObjects.remove(ObjectIdentifier(object)) }
    }
}
