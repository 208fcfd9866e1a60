import Foundation
import LockstepTables

extension RESTConventions {
    /// A server of JSON:API 1.1: documents of resources, pages by `links.next`, and updates of the changed members.
    ///
    /// See ``Envelope/jsonAPI(type:)`` for what is read and sent.
    public static var jsonAPI: RESTConventions {
        var conventions = RESTConventions()
        conventions.mediaType = "application/vnd.api+json"
        conventions.envelope = .jsonAPI
        // A server omits the link, or sends null.
        conventions.reads.paging = .nextLink(in: ["links", "next"], ifMissing: .lastPage)
        return conventions
    }

    /// How new records are created with PostgREST.
    public enum PostgRESTCreations: Sendable, Hashable {
        /// `INSERT`. A creation that is sent twice is rejected the second time; the record is then requested, and
        /// counts as the response. What others have changed in the meantime stays.
        case insert
        /// `INSERT … ON CONFLICT DO UPDATE` (`Prefer: resolution=merge-duplicates`). A creation that is sent twice
        /// updates the record, including what others have changed in the meantime, and so does one with the key of a
        /// record that another device has created. The user also needs the permission to update.
        case upsert
    }

    /// A server of PostgREST, such as Supabase: a record is a filtered collection (`/tasks?id=eq.7`), pages are an
    /// offset and a limit in the order of the identity, and writes return the record.
    ///
    /// ```swift
    /// let url = URL(string: "https://abcd.supabase.co/rest/v1")!
    /// let remote = RESTRemote(url, client: client, conventions: .postgREST())
    /// ```
    ///
    /// The page <doc:PostgREST> describes tables, permissions, versions and errors.
    ///
    /// - Parameters:
    ///   - creations: How new records are created.
    ///   - pageSize: The number of records that a page has at most. The server's own limit may be lower.
    public static func postgREST(
        creations: PostgRESTCreations = .insert, pageSize: Int = 1_000
    ) -> RESTConventions {
        var conventions = RESTConventions()
        conventions.reads.collections = .bare
        conventions.addresses.records = .filter(comparison: "eq.")
        // An empty page is the end: the server's own limit (db-max-rows) is not known.
        conventions.reads.paging = .offset(limit: ("limit", pageSize))
        // Without an order, PostgreSQL returns rows in any, and a different one for each page.
        conventions.reads.collectionQuery = { entity in
            let columns = entity.identityPaths.compactMap(\.first).map { $0 + ".asc" }
            return columns.isEmpty ? [] : [URLQueryItem(name: "order", value: columns.joined(separator: ","))]
        }
        conventions.writes.preferences = { kind in
            kind == .create && creations == .upsert
                ? "return=representation,resolution=merge-duplicates" : "return=representation"
        }
        conventions.writes.nestedDeletion = nil
        conventions.errors.namesColumns = true
        return conventions
    }
}
