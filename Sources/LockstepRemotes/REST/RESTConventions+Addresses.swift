public import HTTPTypes

extension RESTConventions {
    /// The addresses of collections and records.
    ///
    /// ```swift
    /// conventions.addresses.records = .filter(comparison: "")  // /articles?id=7
    /// conventions.addresses.collectionPath = { entity, method in "/v2" + entity.path }
    /// ```
    public struct Addresses: Sendable {
        /// How the address of a record contains its identity.
        public var records: RecordAddresses = .path
        /// The path of a collection, instead of the schema's.
        public var collectionPath: (@Sendable (_ entity: RemoteEntity, _ method: HTTPRequest.Method) -> String)?
        /// The path of a record, instead of the collection's path followed by the identity. The identity is passed as
        /// one escaped path segment.
        public var recordPath:
            (@Sendable (_ entity: RemoteEntity, _ identity: String, _ method: HTTPRequest.Method) -> String)?

        public init() {}
    }

    /// How the address of a record contains its identity.
    public enum RecordAddresses: Sendable, Hashable {
        /// As a part of the path: `/articles/7`.
        case path
        /// As a filter of the collection: `/articles?id=eq.7`, with one parameter for each attribute of the identity.
        /// A version attribute is such a parameter too, so that a write to another version finds nothing.
        ///
        /// The response is a list of at most one record; the record by itself is accepted, too. If a write returns an
        /// empty list, the record is read, because an empty list has several meanings: the record does not exist, it
        /// has another version, or the server does not permit the write, which parks the change.
        ///
        /// - Parameter comparison: What precedes the value: `eq.`, or an empty text.
        case filter(comparison: String)

        var isFilter: Bool { if case .filter = self { true } else { false } }
    }
}
