/// The properties in which a server differs from others.
public struct RemoteTraits: Sendable, Hashable {
    /// How records are laid out in a response with a collection.
    public var payload: PayloadShape
    /// The meaning of a missing key in a record.
    public var missingKeys: MissingKeys
    /// Whether embedded records are sent inside their owner's body, and are not separate records on the server (rule
    /// R9). Those of an entity without identity or path always are.
    public var sendsEmbedded: Bool
    /// Whether records have versions (ETag), so that writes are conditional (rule C4).
    public var hasVersions: Bool
    /// Whether ``Remote/events(of:)`` returns a stream.
    public var hasEvents: Bool
    /// Whether ``Remote/feed(after:)`` returns what has changed in all collections (rule H3).
    public var hasFeed: Bool
    /// How the delete of an embedded record is sent if the server keeps records that are missing in a list; `nil` if a
    /// list is always complete (rule R10).
    public var nestedDeletion: NestedDeletion?
    /// How many requests with changes the server takes at the same time; `nil` for as many as a sync sends (rule
    /// P18).
    public var maximumConcurrentChanges: Int?
    /// Whether a request contains one change or several.
    public var sends: Sending
    /// Whether the creation of a record contains `null` for optional values and links that are not set. Otherwise, it
    /// lacks them, so that the server can use its own defaults (rule P3).
    public var sendsUnset: Bool

    /// How changes are sent.
    public enum Sending: Sendable, Hashable {
        /// Each by itself: ``Remote/send(_:)``.
        case changes
        /// Up to so many together: ``Remote/send(batch:)``. A change that has failed repeatedly is sent by itself.
        case batches(of: Int)
    }

    public init(
        payload: PayloadShape = .records, missingKeys: MissingKeys = .keep, sendsEmbedded: Bool = false,
        hasVersions: Bool = false, hasEvents: Bool = false,
        nestedDeletion: NestedDeletion? = nil, maximumConcurrentChanges: Int? = nil,
        sends: Sending = .changes, sendsUnset: Bool = false, hasFeed: Bool = false
    ) {
        self.hasFeed = hasFeed
        self.sendsUnset = sendsUnset
        self.sends = sends
        self.maximumConcurrentChanges = maximumConcurrentChanges
        self.nestedDeletion = nestedDeletion
        self.payload = payload
        self.missingKeys = missingKeys
        self.sendsEmbedded = sendsEmbedded
        self.hasVersions = hasVersions
        self.hasEvents = hasEvents
    }
}

/// How the delete of an embedded record is sent in its owner's list: `{"id": 6, "_destroy": true}`, as for Rails'
/// `accepts_nested_attributes_for(…, allow_destroy: true)`.
public struct NestedDeletion: Sendable, Hashable {
    /// The member that is `true`, in addition to the identity.
    package var key: String
    /// The suffix of the keys of such lists; `nil` for all lists. In other lists, the record is omitted.
    package var listSuffix: String?

    /// - Parameters:
    ///   - key: The member that is `true`, in addition to the identity.
    ///   - listSuffix: The suffix of the keys of such lists; `nil` for all lists. In other lists, the record is
    ///     omitted.
    public init(_ key: String, listSuffix: String? = "_attributes") {
        self.key = key
        self.listSuffix = listSuffix
    }

    package func includes(_ path: [String]) -> Bool {
        guard let listSuffix else { return true }
        return path.last?.hasSuffix(listSuffix) == true
    }
}
