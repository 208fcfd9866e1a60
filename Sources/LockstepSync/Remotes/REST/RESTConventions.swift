import Foundation
public import HTTPTypes
import LockstepStore

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
    /// Whether all pages of a collection are of one moment, whatever is changed while they are read: a cursor of the
    /// server's. Else what no page has is asked for by itself before it is deleted (rule M7).
    public var hasSnapshotPages = false
    /// How an existing record is written.
    public var updates: Updates = .changedMembers
    /// What confirms a write beside the record as JSON (rule P13).
    public var acknowledgements = Acknowledgements()
    /// Whether a new record whose identity the device makes is put at its own address, `PUT /entries/ID`, rather than
    /// posted to the collection: sent twice, it is made once. Where the remote uses versions, the request says
    /// `If-None-Match: *` and replaces nothing; elsewhere it replaces what is there.
    public var createsByPut = false
    /// Whether a delete of a record with a version attribute tells the version as a parameter: `DELETE
    /// /entries/7?lock_version=3`.
    public var deletesTellVersion = true
    /// How the server is told of an embedded record that was deleted here and that it keeps unless it is told (R10): in
    /// lists such as `lines_attributes` as `{"id": 6, "_destroy": true}`. `nil` for a server that replaces those lists,
    /// too. It is that of the remote, not of single entities.
    public var nestedDeletion: NestedDeletion? = NestedDeletion("_destroy")
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

    /// Which answers of the kind 2xx confirm a write that do not have the record: what an answer does not prove has not
    /// happened (rule P13). Anything else may be a network's sign-in page, and is tried again.
    ///
    /// ```swift
    /// conventions.acknowledgements.texts = ["OK", #"{"status":"ok"}"#]  // 200 text/plain, or an envelope
    /// conventions.acknowledgements.emptyStatuses.insert(202)
    /// ```
    public struct Acknowledgements: Sendable, Hashable {
        /// The statuses with which an empty body, or `null`, confirms a write. 202 is not among them: it says that the
        /// write will be looked at later.
        public var emptyStatuses: Set<Int> = [200, 201, 204]
        /// Bodies that confirm a write as an empty one does, without the white space around them. JSON is compared by
        /// its value: `{"success": true}`.
        public var texts: Set<String> = []
        /// Whether a page for people (HTML) with the status 403, 404 or 410 is the server's own word: that it refuses
        /// the write, or that the record is gone. Elsewhere it may be that of a proxy, and is tried again.
        public var includeErrorPages = false

        public init() {}

        func includes(text body: Data) -> Bool {
            guard !texts.isEmpty else { return false }
            let text = String(decoding: body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            if texts.contains(text) { return true }
            guard let json = try? JSONValue(json: body) else { return false }
            return texts.contains { (try? JSONValue(json: Data($0.utf8))) == json }
        }
    }

    /// How an existing record is written.
    public enum Updates: Sendable, Hashable {
        /// `PATCH` with the members that have changed: what others have changed meanwhile stays.
        case changedMembers
        /// `PUT` with the whole record: it is read first, so that members which the schema does not know stay, and
        /// written on condition that it is still the same where the server gives an `ETag`. Two requests for one
        /// change.
        case wholeRecord
    }
}
