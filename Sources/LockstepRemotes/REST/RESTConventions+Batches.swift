import Foundation
public import LockstepTables

extension RESTConventions {
    /// A request that contains several others, as in the JSON batches of Microsoft Graph (rule P19):
    ///
    /// ```
    /// POST /batch
    /// {"requests": [
    ///     {"id": "1", "method": "PATCH", "url": "/articles/7", "headers": {…}, "body": {"title": "New"}}, …
    /// ]}
    ///
    /// 200 OK
    /// {"responses": [{"id": "1", "status": 200, "headers": {"ETag": "\"8\""}, "body": {…}}, …]}
    /// ```
    ///
    /// Each of the requests is what would be sent by itself, with its `Idempotency-Key` and `If-Match`, and each of the
    /// responses is read in the same way. Responses may come in any order. The server must handle each request whether
    /// or not others fail. Updates that read the record first (``Updates/wholeRecord``) are sent by themselves.
    public struct Batches: Sendable, Hashable {
        /// The path that batches are sent to.
        package var path: String
        /// The maximum number of requests in a batch.
        package var count: Int
        /// The keys that lead to the requests.
        public var requests: WirePath = "requests"
        /// The keys that lead to the responses.
        public var responses: WirePath = "responses"

        /// - Parameters:
        ///   - path: The path that batches are sent to, after the address of the remote: `/batch`.
        ///   - count: The maximum number of requests in a batch.
        public init(_ path: String, of count: Int) {
            self.path = path
            self.count = count
        }
    }
}
