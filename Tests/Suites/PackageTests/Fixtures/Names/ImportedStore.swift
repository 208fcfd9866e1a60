import ComposableArchitecture
import Diary
import LockstepSync
import class LockstepStore.Store

/// The import of one declaration goes before those of modules: `Store` is Lockstep's in this file.
struct OtherDependency {
    var store: Store
    var feature: StoreOf<Counter>
}

struct Counter: Reducer {
    typealias State = Int
    typealias Action = Never
}
