/// Where a model stands between its context and the store.
public enum RecordState: Sendable, Hashable, CaseIterable {
    /// New: stored by the next save.
    case inserted
    /// As in the store.
    case stored
    /// In the store, with changes that the next save writes.
    case changed
    /// Deleted, by the next save or already; or it never came to be, because its context was rolled back.
    case deleted
    /// A stand-in for a record that is not in the store: what a required to-one gives where its link points nowhere yet.
    case missing
}
