import Foundation
public import LockstepStore
public import LockstepSync

/// A Firebase-style server for tests: the REST dialect, entity tags, and the stream of events.
///
/// `GET`, `PUT`, `PATCH`, `POST` and `DELETE` of any place with `.json` behind it; nothing empty is kept; objects with
/// small whole numbers as keys are shown as arrays; `X-Firebase-ETag` and `if-match`; `print` and `shallow`; `auth=`,
/// `access_token=` and bearer tokens. It has no rules, indexes and queries (`orderBy`).
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
    public let connections: FakeConnections

    /// A server in process, without a socket until it is told to ``FakeServer/listen(port:)``.
    ///
    /// - Parameters:
    ///   - clock: The server's time.
    ///   - redirectsStreams: Whether a stream is opened at another address than is asked first, as the real one does.
    public init(clock: any SyncClock = SystemClock(), redirectsStreams: Bool = true) {
        let dialect = FirebaseDialect(redirectsStreams: redirectsStreams)
        connections = FakeConnections(ServerCore(dialect: dialect, clock: clock))
    }

    /// What is at a place, as it is kept: objects only. `null` where nothing is.
    public func value(at path: String) -> JSONValue {
        core.state.withLock { $0.server.tree.value(at: Self.parts(path)) }
    }

    /// Writes to a place, as another client would. Streams are told. `null` takes it away.
    public func set(_ value: JSONValue, at path: String) {
        core.change { state in
            state.server.write(value.keptByFirebase(now: state.server.now), at: Self.parts(path))
        }
    }

    /// Writes some members of a place, as another client would. Streams are told.
    public func patch(_ members: [String: JSONValue], at path: String) {
        core.change { state in
            let kept = members.mapValues { $0.keptByFirebase(now: state.server.now) }
            state.server.patch(kept, at: Self.parts(path))
        }
    }

    /// What is under a place, in the order of the keys.
    public func records(of path: String) -> [JSONValue] {
        guard case .object(let members) = value(at: path) else { return [] }
        return members.sorted { $0.key < $1.key }.map(\.value)
    }

    public func record(_ id: String, of path: String) -> JSONValue? {
        let value = core.state.withLock { $0.server.tree.value(at: Self.parts(path) + [id]) }
        return value == .null ? nil : value
    }

    /// Sends `keep-alive` over every stream, as the real one does every half minute.
    public func keepStreamsAlive() { core.tellStreams(FirebaseEvent.text("keep-alive", .null)) }

    /// Ends every stream with `cancel`, as the real one does where its rules no longer allow reading.
    public func cancelStreams() {
        core.tellStreams(FirebaseEvent.text("cancel", .null))
        core.endStreams(throwing: nil)
    }

    /// Ends every stream with `auth_revoked`, as the real one does where a token has expired.
    public func revokeStreams() {
        core.tellStreams(FirebaseEvent.text("auth_revoked", "credential is no longer valid"))
        core.endStreams(throwing: nil)
    }

    /// Breaks every stream, and nothing else.
    public func breakStreams() {
        core.endStreams(throwing: SyncError.lostConnection(reading: "the next event"))
    }

    private static func parts(_ path: String) -> [String] { path.split(separator: "/").map(String.init) }
}
