/// How a remote lists what has changed in a collection since an earlier pull (rule H2).
public struct RemoteChanges: Sendable, Hashable {
    /// Identifies the list and the form of its watermarks. Watermarks of another name are not used: after the address
    /// or the parameter has changed, the whole collection is read first.
    package var name: String
    /// Whether deleted records are listed (``FetchResponse/Records/deleted``). Otherwise, they are only noticed by a
    /// pull of the whole collection.
    package var includesDeletions: Bool

    public init(name: String, includesDeletions: Bool) {
        self.name = name
        self.includesDeletions = includesDeletions
    }
}
