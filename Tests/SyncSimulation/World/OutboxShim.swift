import LockstepStore
import LockstepSync

extension Outbox {
    func discard(_ change: PendingChange) async throws {}
    func discardAll() async throws {}
    func retry(_ change: PendingChange) async throws {}
}
