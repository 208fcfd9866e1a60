package import Foundation
package import HTTPTypes
package import LockstepHTTP
import LockstepRemotes

/// The interface through which a server is tested.
package enum ConformanceDialect: Sendable {
    /// The functions `lockstep_changes` and `lockstep_push`, and the tables of PostgREST in addition.
    case feed
    /// REST with the conventions of Rails, as described by ``RESTConventions``.
    case rest(Changes?)
    /// The tables of PostgREST, without the functions.
    case postgREST(Changes?)

    /// How a server lists changes.
    package struct Changes: Sendable {
        let parameter: String
        let attribute: String?
        let deletionMark: String?

        /// - Parameters:
        ///   - parameter: The query parameter with the time.
        ///   - attribute: The member of each record with the time of its change; `nil` for the `Date` of the response.
        ///   - deletionMark: The member that marks deleted records; `nil` if they are not listed.
        package init(parameter: String, attribute: String?, deletionMark: String?) {
            self.parameter = parameter
            self.attribute = attribute
            self.deletionMark = deletionMark
        }
    }

    package var name: String {
        switch self {
        case .feed: "feed"
        case .rest: "rest"
        case .postgREST: "postgrest"
        }
    }

    /// A user of the server, with the remote that an app would use.
    ///
    /// - Parameters:
    ///   - url: The address of the server.
    ///   - client: Sends the requests, and adds the token.
    ///   - headers: Additional fields of each request.
    package func user(at url: URL, client: any HTTPClient, headers: HTTPFields) -> ServerUser {
        switch self {
        case .feed:
            // The generated tables have the names of the schema's tables, not those of its paths.
            var tables = RESTConventions.postgREST()
            tables.addresses.collectionPath = { entity, _ in "/" + entity.plan.table }
            // A row that the user may create but not read cannot be returned.
            tables.writes.preferences = { _ in "return=minimal" }
            return ServerUser(
                PostgRESTRemote(url, client: client, headers: headers),
                tables: RESTRemote(url, client: client, conventions: tables.adding(headers)),
                singly: PostgRESTRemote(url, client: client, headers: headers, pageSize: 1))
        case .rest(let changes):
            return user(at: url, client: client, headers: headers, conventions: RESTConventions(), changes: changes)
        case .postgREST(let changes):
            return user(
                at: url, client: client, headers: headers, conventions: .postgREST(), changes: changes,
                comparison: "gte.")
        }
    }

    private func user(
        at url: URL, client: any HTTPClient, headers: HTTPFields, conventions: RESTConventions, changes: Changes?,
        comparison: String = ""
    ) -> ServerUser {
        var conventions = conventions.adding(headers)
        // Without an overlap, which only makes losses less likely.
        conventions.reads.changes = changes.map { changes in
            .updatedSince(
                changes.parameter, comparison: comparison, attribute: changes.attribute.map { [$0] }.map(WirePath.init),
                overlapSeconds: 0,
                deletions: changes.deletionMark.map { .marked(by: WirePath([$0])) } ?? .unlisted)
        }
        return ServerUser(RESTRemote(url, client: client, conventions: conventions, usesVersions: true))
    }
}

extension RESTConventions {
    fileprivate func adding(_ fields: HTTPFields) -> RESTConventions {
        var conventions = self
        for field in fields { conventions.headers[field.name] = field.value }
        return conventions
    }
}
