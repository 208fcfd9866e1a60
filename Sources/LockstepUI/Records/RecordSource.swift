public import LockstepStore
public import Observation

/// Where the record on screen comes from: the one with an identity, in the store of the view's environment.
@MainActor @Observable
public final class RecordSource<Object: Model> {
    private var results: LiveResults<Object, Unsectioned>?
    @ObservationIgnored private var store: Store?
    @ObservationIgnored private var identity: Object.Identity?

    init() {}

    /// The record, including an unsaved one; `nil` if there is none, or it was deleted.
    public var object: Object? {
        guard let results, let identity else { return nil }
        if let object = results.sections.first?.first, object.recordState != .deleted { return object }
        guard let object = Object.known(identity, in: results.context) else { return nil }
        // Reading the state follows its deletion, rollback and undo.
        return object.recordState == .deleted ? nil : object
    }

    /// Why the record may be out of date: the latest change could not be read, or the environment has no store.
    public var error: StoreError? { store == nil ? .noStore : results?.error }

    /// Follows the record with an identity in a store.
    func follow(_ store: Store?, identity: Object.Identity?) {
        guard store !== self.store || identity != self.identity else { return }
        self.store = store
        self.identity = identity
        results?.stop()
        guard let store, let identity else {
            if results != nil { results = nil }
            return
        }
        results = store.results(Object.request(of: identity.recordKey))
    }
}
