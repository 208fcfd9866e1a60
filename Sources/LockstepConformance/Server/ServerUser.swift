import Foundation
import LockstepHTTP
package import LockstepRemotes
import LockstepSystem

/// A user of a server, with the remote that an app would use.
package struct ServerUser: Sendable {
    let remote: any Remote
    /// The tables of a server with a feed, if they are accessible.
    private let tables: (any Remote)?
    /// A remote to a feed whose pages have one record; `nil` without a feed.
    let singly: (any Remote)?
    /// Whether the server has responded to this user. From then on, 401 is the refusal of a request, not of the token.
    private let isKnown: Locked<Bool>

    package init(_ remote: any Remote, tables: (any Remote)? = nil, singly: (any Remote)? = nil) {
        self.init(remote, tables: tables, singly: singly, isKnown: Locked(false))
    }

    private init(_ remote: any Remote, tables: (any Remote)?, singly: (any Remote)?, isKnown: Locked<Bool>) {
        self.remote = remote
        self.tables = tables
        self.singly = singly
        self.isKnown = isKnown
    }

    /// All remotes to the records, for requests that must be refused.
    var ways: [ServerUser] {
        [self] + (tables.map { [ServerUser($0, tables: nil, singly: nil, isKnown: isKnown)] } ?? [])
    }

    /// Stores that the server has accepted the token.
    func confirmToken() { isKnown.withLock { $0 = true } }

    /// How often a change is sent to a server that is unavailable.
    private static let attempts = 5

    /// Sends a change, and sends it again if the server is temporarily unavailable.
    func send(_ change: OutgoingChange) async throws -> SendResponse {
        for attempt in 1..<Self.attempts {
            let response = try await remote.send(change)
            guard case .unavailable = response else { return response }
            // A deadlock (503) is over when one of its transactions has ended.
            try await Task.sleep(for: .milliseconds(50 * attempt))
        }
        return try await remote.send(change)
    }

    /// Sends a change that the server is expected to refuse, by a response or by an error.
    ///
    /// - Returns: The response; `nil` if the request failed with a permanent error.
    func attempt(_ change: OutgoingChange) async throws -> SendResponse? {
        do { return try await send(change) } catch let error as SyncError where isRefusal(error) { return nil }
    }

    /// A description of a response.
    func text(of response: SendResponse?, to change: OutgoingChange) -> String {
        switch response {
        case .accepted?: return "accepted"
        case .absent?: return "refused, because there is no such record"
        case .outdated?: return "refused, because of the version"
        case .unavailable(let status, _)?: return "unavailable (\(status))"
        case .refused(let status, let body)?:
            let problem = remote.problem(in: Redaction.body(body), status: status, of: change.entity)
            return "refused with \(status)\(problem.map { ": \($0)" } ?? "")"
        case nil: return "refused"
        }
    }

    /// Whether the user can read a record by its identity.
    ///
    /// - Parameter isMarked: Whether it must also have the mark of the record.
    func reads(_ record: SampleRecord, isMarked: Bool = false) async throws -> Bool {
        guard let identity = record.identity else { return false }
        do {
            let request = RemoteRequest(entity: record.entity, target: .record(identity))
            guard case .records(let records) = try await remote.fetch(request) else { return false }
            let body = try await records.body.collected(upTo: Self.recordLimitBytes)
            let json = try JSONValue(json: body)
            return record.entity.identity(in: json) != nil && (!isMarked || record.isMarked(json))
        } catch let error as SyncError where isRefusal(error) {
            return false
        }
    }

    private static let recordLimitBytes = 16 << 20

    /// Whether an error is permanent: the server would respond in the same way again.
    private func isRefusal(_ error: SyncError) -> Bool {
        switch error.code {
        case .refused, .notFound, .unsupported: true
        case .unauthorized: isKnown.withLock { $0 }
        case .unexpectedResponse(let status): (200..<500).contains(status)
        default: false
        }
    }
}

extension SendResponse {
    var isAccepted: Bool { if case .accepted = self { true } else { false } }
}
