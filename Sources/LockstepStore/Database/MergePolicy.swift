/// What a context does where an attribute or a link that it has changed was meanwhile saved elsewhere, with another
/// value.
///
/// Attributes that were changed on one side only are never in question: each side's stay.
public enum MergePolicy: Sendable, Hashable, CaseIterable {
    /// The context's value is saved. A record that was deleted elsewhere is inserted again, with all its values.
    case contextWins
    /// The store's value is taken, the context's other changes stay. A record that was deleted elsewhere is deleted
    /// here too, and its changes are dropped.
    case storeWins
    /// The save throws `StoreError`, `conflict` or `recordGone`, and writes nothing.
    ///
    /// Then `context.refresh(record)` lets the context's value be saved, and
    /// `context.refresh(record, keepingChanges: false)` takes the store's; or the context is given another policy.
    case error
}
