import Foundation
import HTTPTypes
public import LockstepStore
import LockstepSync
import Testing

/// A client that returns scripted responses, in order, and records the requests.
actor ScriptedClient: HTTPClient {
    private var responses: [Response]
    /// The requests: method and address, each header field, the body.
    private(set) var requests: [String] = []

    struct Response: Sendable {
        var status = 200
        var fields: HTTPFields = [:]
        var body = ""
        /// Whether the connection breaks after the body.
        var breaksOff = false
        /// The address after redirects.
        var address: URL?
    }

    init(_ responses: Response...) { self.responses = responses }

    init(_ responses: [Response]) { self.responses = responses }

    func send(_ request: HTTPRequest, body: Data?) throws -> HTTPClientResponse {
        let address = "\(request.scheme ?? "")://\(request.authority ?? "")\(request.path ?? "")"
        let fields = request.headerFields.map { "\($0.name.rawName): \($0.value)" }
        let lines =
            ["\(request.method.rawValue) \(address)"] + fields
            + (body.map { [String(decoding: $0, as: UTF8.self)] } ?? [])
        requests.append(lines.joined(separator: "\n"))
        guard !responses.isEmpty else {
            throw SyncError(.network, reason: "nothing responds to \(address)", remedy: "Script another response.")
        }
        return responses.removeFirst().response
    }
}

extension ScriptedClient.Response {
    fileprivate var response: HTTPClientResponse {
        let pieces = AsyncThrowingStream<Data, any Error> { continuation in
            // In two pieces, so that no test relies on a single one.
            let bytes = Data(body.utf8)
            if bytes.count > 1 { continuation.yield(bytes.prefix(bytes.count / 2)) }
            if !bytes.isEmpty { continuation.yield(bytes.count > 1 ? bytes.dropFirst(bytes.count / 2) : bytes) }
            continuation.finish(
                throwing: breaksOff ? SyncError(.network, reason: "the connection broke", remedy: "Try again.") : nil)
        }
        return HTTPClientResponse(
            HTTPResponse(status: .init(code: status), headerFields: fields), body: HTTPBody(pieces), address: address)
    }
}

extension FetchResponse {
    /// The body as text; `nil` if there are no records.
    func text() async throws -> String? {
        guard case .records(let records) = self else { return nil }
        return String(decoding: try await records.body.collected(upTo: 1 << 20), as: UTF8.self)
    }

    var records: Records? { if case .records(let records) = self { records } else { nil } }
    var isAbsent: Bool { if case .absent = self { true } else { false } }
    var isGone: Bool { if case .gone = self { true } else { false } }
    var notModified: String? { if case .notModified(let address) = self { address } else { nil } }
}

extension SendResponse {
    /// The response in one line.
    var text: String {
        func shown(_ body: Data?) -> String { body.map { String(decoding: $0, as: UTF8.self) } ?? "nothing" }
        switch self {
        case .accepted(let body, let version, let identity):
            return "accepted \(shown(body)), \(version ?? "no version"), \(identity?.text ?? "no identity")"
        case .absent: return "absent"
        case .outdated(let current, let version): return "outdated \(shown(current)), \(version ?? "no version")"
        case .refused(let status, let body): return "refused \(status) \(shown(body))"
        case .unavailable(let status, let retryAfter):
            return "unavailable \(status), \(retryAfter.map { "\($0) s" } ?? "no delay")"
        }
    }
}

extension RemoteEntity {
    init<Object: Model>(_ model: Object.Type) { self.init(Object.entity.plan) }
}

extension RemoteIdentity: ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral {
    public init(integerLiteral value: Int64) { self.init([.integer(value)]) }
    public init(arrayLiteral elements: JSONValue...) { self.init(elements) }
}

extension OutgoingChange {
    static func create<Object: Model>(
        _ model: Object.Type, _ body: String, key: String = "key-1"
    ) -> OutgoingChange {
        create(model, nil, body, key: key)
    }

    static func create<Object: Model>(
        _ model: Object.Type, _ identity: RemoteIdentity?, _ body: String, key: String = "key-1"
    ) -> OutgoingChange {
        OutgoingChange(
            kind: .create, entity: RemoteEntity(model), identity: identity, body: Data(body.utf8),
            changes: Data(body.utf8), idempotencyKey: key)
    }

    static func update<Object: Model>(
        _ model: Object.Type, _ identity: RemoteIdentity, _ changes: String, body: String = "{}",
        version: String? = nil
    ) -> OutgoingChange {
        OutgoingChange(
            kind: .update, entity: RemoteEntity(model), identity: identity, body: Data(body.utf8),
            changes: Data(changes.utf8), idempotencyKey: "key-1", version: version)
    }

    static func delete<Object: Model>(
        _ model: Object.Type, _ identity: RemoteIdentity, version: String? = nil
    ) -> OutgoingChange {
        OutgoingChange(
            kind: .delete, entity: RemoteEntity(model), identity: identity, body: Data(), changes: Data(),
            idempotencyKey: "key-1", version: version)
    }
}

/// The error thrown by an operation.
func syncError<Value>(
    isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async throws -> SyncError {
    try #require(
        await #expect(throws: SyncError.self, sourceLocation: sourceLocation) { _ = try await body() },
        sourceLocation: sourceLocation)
}

/// A time that stands still.
struct FixedClock: SyncClock {
    var now: Date

    func sleep(until deadline: Date) async throws {}
}
