/// The resolution of a conflict: a context saves an attribute or a link that was meanwhile saved elsewhere with another
/// value.
///
/// Attributes that were changed on one side only never conflict: both sides' changes are kept.
public enum MergePolicy: Sendable, Hashable, CaseIterable {
    /// The context's value is saved. A record that was deleted elsewhere is inserted again, with all its values.
    case contextWins
    /// The store's value is used, and the context's other changes are kept. A record that was deleted elsewhere is
    /// deleted here too, and its changes are dropped.
    case storeWins
    /// The save throws `StoreError` (`conflict` or `recordGone`) and writes nothing.
    ///
    /// After that, call `context.refresh(record)` to save the context's value, or `context.refresh(record,
    /// keepingChanges: false)` to use the store's, or set another policy.
    case error
}
