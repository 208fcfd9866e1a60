public import HTTPTypes

/// The names that options had before they were grouped.
extension RESTConventions {
    /// The former name of ``Reads/collections``.
    @available(*, deprecated, renamed: "reads.collections")
    public var collections: Collections {
        get { reads.collections }
        set { reads.collections = newValue }
    }

    /// The former name of ``Reads/paging``.
    @available(*, deprecated, renamed: "reads.paging")
    public var paging: RESTPaging {
        get { reads.paging }
        set { reads.paging = newValue }
    }

    /// The former name of ``Reads/hasSnapshotPages``.
    @available(*, deprecated, renamed: "reads.hasSnapshotPages")
    public var hasSnapshotPages: Bool {
        get { reads.hasSnapshotPages }
        set { reads.hasSnapshotPages = newValue }
    }

    /// The former name of ``Reads/changes``.
    @available(*, deprecated, renamed: "reads.changes")
    public var changes: Changes? {
        get { reads.changes }
        set { reads.changes = newValue }
    }

    /// The former name of ``Writes/updates``.
    @available(*, deprecated, renamed: "writes.updates")
    public var updates: Updates {
        get { writes.updates }
        set { writes.updates = newValue }
    }

    /// The former name of ``Writes/createsByPut``.
    @available(*, deprecated, renamed: "writes.createsByPut")
    public var createsByPut: Bool {
        get { writes.createsByPut }
        set { writes.createsByPut = newValue }
    }

    /// The former name of ``Writes/deletesTellVersion``.
    @available(*, deprecated, renamed: "writes.deletesTellVersion")
    public var deletesTellVersion: Bool {
        get { writes.deletesTellVersion }
        set { writes.deletesTellVersion = newValue }
    }

    /// The former name of ``Writes/nestedDeletion``.
    @available(*, deprecated, renamed: "writes.nestedDeletion")
    public var nestedDeletion: NestedDeletion? {
        get { writes.nestedDeletion }
        set { writes.nestedDeletion = newValue }
    }

    /// The former name of ``Writes/batches``.
    @available(*, deprecated, renamed: "writes.batches")
    public var batches: Batches? {
        get { writes.batches }
        set { writes.batches = newValue }
    }

    /// The former name of ``Writes/acknowledgements``.
    @available(*, deprecated, renamed: "writes.acknowledgements")
    public var acknowledgements: Acknowledgements {
        get { writes.acknowledgements }
        set { writes.acknowledgements = newValue }
    }

    /// The former name of ``Addresses/collectionPath``.
    @available(*, deprecated, renamed: "addresses.collectionPath")
    public var collectionPath: (@Sendable (_ entity: RemoteEntity, _ method: HTTPRequest.Method) -> String)? {
        get { addresses.collectionPath }
        set { addresses.collectionPath = newValue }
    }

    /// The former name of ``Addresses/recordPath``.
    @available(*, deprecated, renamed: "addresses.recordPath")
    public var recordPath:
        (@Sendable (_ entity: RemoteEntity, _ identity: String, _ method: HTTPRequest.Method) -> String)?
    {
        get { addresses.recordPath }
        set { addresses.recordPath = newValue }
    }
}
