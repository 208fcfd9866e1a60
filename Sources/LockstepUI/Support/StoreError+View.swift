import LockstepStore

extension StoreError {
    /// A view has no store.
    static let noStore = StoreError(
        .closed, doing: "reading the store of a view", reason: "the view's environment has no store",
        remedy: "Add `.store(store)` to the view, or to one that contains it.")
}
