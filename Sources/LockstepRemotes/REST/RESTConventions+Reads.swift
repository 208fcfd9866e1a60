public import Foundation

extension RESTConventions {
    /// How collections are requested, and how records are laid out in the responses.
    ///
    /// ```swift
    /// conventions.reads.paging = .pages(size: ("per_page", 100))  // ?page=1&per_page=100, until a page is empty
    /// conventions.reads.changes = .updatedSince(deletions: .marked(by: "deleted_at"))
    /// ```
    public struct Reads: Sendable {
        /// How records are laid out in a response with a collection, if ``RESTConventions/envelope`` does not say so.
        public var collections: Collections = .automatic
        /// How the further pages of a collection are requested.
        public var paging: RESTPaging = .link
        /// Whether all pages of a collection are consistent even if records are changed while they are read, for
        /// example because the server uses a cursor. Otherwise, records that are on no page are queried individually
        /// before they are deleted (rule M7).
        public var hasSnapshotPages = false
        /// How the server lists only what has changed since an earlier pull; `nil` if it lists whole collections only.
        public var changes: Changes?
        /// Additional parameters of each request for a collection, such as the order of the records.
        public var collectionQuery: (@Sendable (_ entity: RemoteEntity) -> [URLQueryItem])?

        public init() {}
    }

    /// How records are laid out in a response with a collection.
    public enum Collections: Sendable, Hashable {
        /// A bare array, or an object with the records under the last part of the collection's path: `{"articles":
        /// […]}`. An object without that key is rejected by the merge.
        ///
        /// If the schema has `wrap: article`, the elements of the array may be wrapped too, in every form of
        /// collections: `[{"article": {…}}]`, as with `include_root_in_json` in Rails.
        case automatic
        /// `[…]`
        case bare
        /// `{"data": […]}`
        case wrapped(key: String)
    }
}
