import Foundation
public import LockstepStore
public import LockstepSync
import LockstepSystem

/// A Firebase-style server for tests: the REST dialect, entity tags, and the stream of events.
///
/// It supports `GET`, `PUT`, `PATCH`, `POST` and `DELETE` of any path that ends in `.json`; `X-Firebase-ETag` and
/// `if-match`; `print` and `shallow`; `auth=`, `access_token=` and bearer tokens. Empty values are not stored, and
/// objects with small whole numbers as keys are returned as arrays. It has no rules, indexes and queries (`orderBy`).
///
/// ```swift
/// let server = try await FakeFirebase.start()
/// server.set(["title": "Monday"], at: "/entries/7")
/// // … sync with server.url …
/// #expect(server.value(at: "/entries/7/title") == "Tuesday")
/// await server.stop()
/// ```
///
/// Source: https://firebase.google.com/docs/reference/rest/database
public final class FakeFirebase: FakeServer {
    @_spi(Requirements) public let connections: FakeConnections

    /// Creates a server in process. It has no socket until ``FakeServer/listen(port:)`` is called.
    ///
    /// - Parameters:
    ///   - clock: The server's time.
    ///   - redirectsStreams: Whether requests for a stream are redirected to another address, as by the real server.
    public init(clock: any SyncClock = SystemClock(), redirectsStreams: Bool = true) {
        let dialect = FirebaseDialect(redirectsStreams: redirectsStreams)
        connections = FakeConnections(ServerCore(dialect: dialect, clock: clock))
    }

    /// The value at a path, as it is stored: with objects instead of arrays. `null` if there is none.
    public func value(at path: String) -> JSONValue {
        core.state.withLock { $0.server.tree.stored(at: Self.parts(path)) }
    }

    /// Writes a value to a path, as another client would, and notifies streams. `null` removes it.
    public func set(_ value: JSONValue, at path: String) {
        core.change { state in
            state.server.write(value.keptByFirebase(now: state.server.now), at: Self.parts(path))
        }
    }

    /// Writes some members at a path, as another client would, and notifies streams.
    package func patch(_ members: JSONObject, at path: String) {
        core.change { state in
            let kept = members.mapValues { $0.keptByFirebase(now: state.server.now) }
            state.server.patch(kept, at: Self.parts(path))
        }
    }

    /// The values below a path, in the order of their keys.
    @_spi(Requirements) public func records(of path: String) -> [JSONValue] {
        guard case .object(let members) = value(at: path) else { return [] }
        return members.sortedMembers.map(\.value)
    }

    @_spi(Requirements) public func record(_ id: String, of path: String) -> JSONValue? {
        let value = core.state.withLock { $0.server.tree.stored(at: Self.parts(path) + [id]) }
        return value == .null ? nil : value
    }

    /// Sends `keep-alive` over every stream, as the real server does every half minute.
    public func keepStreamsAlive() { core.tellStreams(FirebaseEvent.text("keep-alive", value: .null)) }

    /// Ends every stream with `cancel`, as the real server does if its rules no longer allow reading.
    public func cancelStreams() {
        core.tellStreams(FirebaseEvent.text("cancel", value: .null))
        core.endStreams(throwing: nil)
    }

    /// Ends every stream with `auth_revoked`, as the real server does if a token has expired.
    public func revokeStreams() {
        core.tellStreams(FirebaseEvent.text("auth_revoked", value: "credential is no longer valid"))
        core.endStreams(throwing: nil)
    }

    /// Breaks every stream, but no other connection.
    public func breakStreams() {
        core.endStreams(throwing: SyncError.lostConnection(reading: "the next event"))
    }

    private static func parts(_ path: String) -> [String] { path.split(separator: "/").map(String.init) }
}
