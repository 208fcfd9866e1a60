public import Foundation
public import LockstepTables

extension RESTConventions {
    /// How the server lists only what has changed since an earlier pull (rule H2).
    ///
    /// ```swift
    /// // GET /articles?updated_since=2026-03-01T08:25:00Z
    /// conventions.reads.changes = .updatedSince()
    /// // The same, with deleted records as {"id": 7, "deleted_at": "2026-03-01T08:29:11Z"} in the list
    /// conventions.reads.changes = .updatedSince(deletions: .marked(by: "deleted_at"))
    /// // GET /articles?sync_token=bz01; the last page has the token of the next list
    /// conventions.reads.changes = .token(
    ///     in: "next_sync_token", parameter: "sync_token", deletions: .listed(in: "deleted"))
    /// ```
    ///
    /// The page <doc:Remotes> says what such a list guarantees, and what the server must do.
    public struct Changes: Sendable, Hashable {
        /// How a request says since when.
        var start: Start
        /// How the server lists deleted records.
        package var deletions: Deletions
        /// The statuses with which the server responds that it no longer knows what has changed since then. The whole
        /// collection is requested instead.
        public var expiredStatuses: Set<Int> = [410]

        enum Start: Sendable, Hashable {
            case time(TimeParameter)
            case token(parameter: String, path: WirePath)
        }

        struct TimeParameter: Sendable, Hashable {
            let name: String
            let comparison: String
            let format: DateFormat
            let attribute: WirePath?
            let overlapSeconds: TimeInterval
        }

        /// How the server lists deleted records. Deletes are only applied by a pull whose options delete records.
        public enum Deletions: Sendable, Hashable {
            /// Not at all. They are noticed when the whole collection is pulled: see `RunOptions(wholePullSeconds:)`.
            case unlisted
            /// As records in lists, by a member with a time or `true`: `{"id": 7, "deleted_at":
            /// "2026-03-01T08:29:11Z"}`. `null`, `false`, 0 and an empty text mean that the record is not deleted. Such
            /// a record needs no other members but its identity. If it is requested by itself, it counts as absent.
            case marked(by: WirePath)
            /// In a list of their own on each page: `{"articles": […], "deleted": [7, 9]}`. An element is the identity,
            /// or an object that contains it.
            case listed(in: WirePath)
        }

        /// Five minutes.
        @usableFromInline package static let defaultOverlapSeconds: TimeInterval = 300

        /// Records that were changed at a time, or after it.
        ///
        /// The time is that of the server: the `Date` of the response with the first page of the last pull, less the
        /// time that this response took, less the overlap. The overlap must be longer than the longest transaction on
        /// the server takes, because a change with an earlier time may become visible later; and longer than the clocks
        /// of the server's machines differ.
        ///
        /// With an attribute, the time is the latest that a record in the list has, and no later than the `Date` of the
        /// first page. Without a `Date`, it is the latest of the first page, and no later than the time of the device.
        /// Use this if the server has no `Date`, or if the clock of its database is behind that of its responses.
        /// Changes within the overlap are then received again until there are later ones.
        ///
        /// - Parameters:
        ///   - parameter: The parameter with the time.
        ///   - comparison: What precedes the time: `gte.` for PostgREST.
        ///   - format: The form of the time, and of the attribute.
        ///   - attribute: The member of each record with the time of its last change: `updated_at`.
        ///   - overlapSeconds: The overlap with the last pull.
        ///   - deletions: How the server lists deleted records.
        public static func updatedSince(
            _ parameter: String = "updated_since", comparison: String = "", format: DateFormat = .iso8601,
            attribute: WirePath? = nil, overlapSeconds: TimeInterval = defaultOverlapSeconds,
            deletions: Deletions = .unlisted
        ) -> Changes {
            let time = TimeParameter(
                name: parameter, comparison: comparison, format: format, attribute: attribute,
                overlapSeconds: overlapSeconds)
            return Changes(start: .time(time), deletions: deletions)
        }

        /// The changes since a response that contained a token.
        ///
        /// The server decides what the token means. It must be one of the time before the first page was read.
        ///
        /// - Parameters:
        ///   - path: The keys that lead to the token, a text or a whole number, on the last page of a list.
        ///   - parameter: The parameter with the token of the last pull.
        ///   - deletions: How the server lists deleted records.
        public static func token(in path: WirePath, parameter: String, deletions: Deletions = .unlisted) -> Changes {
            Changes(start: .token(parameter: parameter, path: path), deletions: deletions)
        }
    }
}

extension RESTConventions.Changes {
    /// Whether what a page says about changes is in its body.
    ///
    /// - Parameter isCollection: Whether the page is of the whole collection, so that it has a watermark.
    func readsPages(isCollection: Bool) -> Bool {
        if deletions != .unlisted { return true }
        switch start {
        case .token: return isCollection
        case .time(let time): return isCollection && time.attribute != nil
        }
    }

    /// Whether a watermark is the time of a request by the server's clock.
    var isByServerTime: Bool { if case .time(let time) = start { time.attribute == nil } else { false } }

    /// Identifies the form of the watermarks.
    var name: String {
        switch start {
        case .time(let time): time.name
        case .token(let parameter, _): "token \(parameter)"
        }
    }

    /// The parameter of a request for what has changed.
    ///
    /// - Parameter watermark: As ``RESTRemote`` has returned it.
    func parameter(since watermark: String) -> URLQueryItem {
        switch start {
        case .token(let parameter, _): URLQueryItem(name: parameter, value: watermark)
        case .time(let time): URLQueryItem(name: time.name, value: time.comparison + time.text(since: watermark))
        }
    }
}

/// A time on the server, as a watermark: the number of microseconds since 1970, and the latest number that further
/// pages of the same list can raise it to.
struct TimeWatermark: Hashable {
    var microseconds: Int64
    var limit: Int64

    init(_ microseconds: Int64, limit: Int64) {
        self.microseconds = min(microseconds, limit)
        self.limit = limit
    }

    init?(_ text: String) {
        let parts = text.split(separator: "/").map { Int64($0) }
        guard let first = parts.first, let microseconds = first else { return nil }
        self.init(microseconds, limit: parts.count > 1 ? parts[1] ?? microseconds : microseconds)
    }

    var text: String { "\(microseconds)/\(limit)" }

    /// Rounded down.
    static func microseconds(of date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1_000_000).rounded(.down)) }
}

extension RESTConventions.Changes.TimeParameter {
    /// The time that a list of changes begins with.
    fileprivate func text(since watermark: String) -> String {
        let microseconds = TimeWatermark(watermark)?.microseconds ?? 0
        return text(microseconds: microseconds - Int64((overlapSeconds * 1_000_000).rounded(.up)))
    }

    /// A time that is not later, in the format.
    private func text(microseconds: Int64) -> String {
        func floored(_ unit: Int64) -> Int64 { Int64((Double(microseconds) / Double(unit)).rounded(.down)) }
        let date = Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
        switch format {
        case .iso8601: return ISO8601.text(of: date) ?? "1970-01-01T00:00:00Z"
        case .pattern(let pattern): return PatternFormatters.text(of: date, pattern: pattern)
        case .secondsSince1970: return String(floored(1_000_000))
        case .millisecondsSince1970: return String(floored(1_000))
        case .microsecondsSince1970: return String(microseconds)
        case .fractionalSecondsSince1970: return "\(Decimal(microseconds) / 1_000_000)"
        case .fractionalMillisecondsSince1970: return "\(Decimal(microseconds) / 1_000)"
        }
    }
}
