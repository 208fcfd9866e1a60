/// How a date is spelt in JSON.
public enum DateFormat: Sendable, Hashable {
    /// `2024-03-01T08:30:00Z`, with a fraction where there is one.
    case iso8601
    /// A number of seconds, with a fraction where there is one.
    case secondsSince1970
    /// A number of milliseconds.
    case millisecondsSince1970
    /// A Unicode date pattern (UTS #35), read and written in the locale `en_US_POSIX` and in UTC.
    case pattern(String)
}
