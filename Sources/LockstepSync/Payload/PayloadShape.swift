/// How the records lie in a payload.
public enum PayloadShape: Sendable, Hashable {
    /// An array of records, or one record.
    case records
    /// An object that has, under this key, an array of records or one record: `{"entries": […], "count": 2}`.
    case wrapped(key: String)
    /// An object whose keys are the identities, as Firebase has it: `{"7": {…}, "9": {…}}`.
    ///
    /// `null` is the empty map. An array is a map whose keys are the places; a `null` in it is a place without record.
    case map
}
