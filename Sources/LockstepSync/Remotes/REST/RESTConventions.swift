public import HTTPTypes

/// How a REST server is spoken to. What is not set is as Ruby on Rails has it.
///
/// ```swift
/// var conventions = RESTConventions()
/// conventions.collections = .wrapped(key: "data")
/// conventions.paging = .pages(size: ("per_page", 100))
/// conventions.headers[.userAgent] = "Journal/1.0"
/// ```
public struct RESTConventions: Sendable {
    /// Fields that each request has, besides those that the remote sets itself.
    public var headers: HTTPFields = [:]
    /// How the records lie in the answer of a collection.
    public var collections: Collections = .automatic
    /// How a collection goes on behind the records of one answer.
    public var paging: RESTPaging = .link
    /// How an existing record is written.
    public var updates: Updates = .changedMembers
    /// The path of a collection, instead of the schema's.
    public var collectionPath: (@Sendable (_ entity: RemoteEntity, _ method: HTTPRequest.Method) -> String)?
    /// The path of a record, instead of the collection's with the identity behind it. The identity comes as one segment
    /// of a path, escaped.
    public var recordPath:
        (@Sendable (_ entity: RemoteEntity, _ identity: String, _ method: HTTPRequest.Method) -> String)?

    public init() {}

    /// How the records lie in the answer of a collection.
    public enum Collections: Sendable, Hashable {
        /// A bare array is one; an object holds it under the last part of the collection's path: `{"articles": […]}`.
        /// An object without that key is refused when it is merged.
        case automatic
        /// `[…]`
        case bare
        /// `{"data": […]}`
        case wrapped(key: String)
    }

    /// How an existing record is written.
    public enum Updates: Sendable, Hashable {
        /// `PATCH` with the members that have changed: what others have changed meanwhile stays.
        case changedMembers
        /// `PUT` with the whole record. Members that the schema does not know are lost where the server takes this at
        /// its word.
        case wholeRecord
    }
}
