/// How the records lie in a payload.
public enum PayloadShape: Hashable, Sendable {
    /// An array of records, or one record: `[{"id": 1}, {"id": 2}]`, `{"id": 1}`. `null` is no records.
    case records
    /// An object that holds the records, or the one record, under this key: `{"products": [{"id": 1}], "page": 1}`.
    ///
    /// The other keys are checked to be JSON and ignored. Where the key is missing, the payload is refused; where it
    /// comes several times, the last one counts.
    case wrapped(key: String)
    /// An object of records by their identities, as Firebase has it: `{"p1": {"price": 1}, "p2": {"price": 2}}`.
    ///
    /// `null`, of the whole or in place of a record, is no record. Where the identities are small whole numbers, an
    /// array may come instead: `[null, {"price": 1}]` is the record 1. The key is the identity of a record that does
    /// not tell its own.
    case map
}
