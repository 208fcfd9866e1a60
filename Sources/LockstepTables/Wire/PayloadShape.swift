/// How records are laid out in a payload.
public enum PayloadShape: Hashable, Sendable {
    /// An array of records, or one record: `[{"id": 1}, {"id": 2}]`, `{"id": 1}`. `null` contains no records.
    case records
    /// An object with the records, or the one record, under this key: `{"products": [{"id": 1}], "page": 1}`.
    ///
    /// The other keys are checked to be JSON and ignored. If the key is missing, the payload is rejected; if it occurs
    /// several times, the last occurrence counts.
    case wrapped(key: String)
    /// An object of records by their identities, as in Firebase: `{"p1": {"price": 1}, "p2": {"price": 2}}`.
    ///
    /// `null`, as the whole payload or in place of a record, is no record. If the identities are small integers, the
    /// payload may be an array: `[null, {"price": 1}]` has the record 1. The key is the identity of a record whose JSON
    /// lacks it.
    case map
}
