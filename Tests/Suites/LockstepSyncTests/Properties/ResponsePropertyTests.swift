import Foundation
import HTTPTypes
import Journal
import LockstepHTTP
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import TestSupport
import Testing

/// Any response to a change: its status, its fields, and a body of any kind.
@Suite("P6 P7 P8 P10 P13 P17 What any response to a change means")
struct ResponsePropertyTests {
    @Test(
        """
        C4.7 P6 P7.3 P7.9 P8 P10.2 P10.7 P13 P17 A response confirms, parks, delays or ends what the rules say, \
        and nothing else
        """,
        arguments: Seeds.some(60, of: UInt64(0)...999))
    func responses(seed: UInt64) async throws {
        let stage = try await ResponseStage(seed: seed)
        try await stage.push()
        try await stage.pushLater()
    }
}

/// A response by its parts.
private struct AnyResponse: CustomStringConvertible {
    enum Body: CaseIterable {
        case record, unnamed, another, empty, null, emptyObject, gateway, error, list, page, text, broken
    }

    var status: Int
    var body: Body
    /// How long the server wants no request, in seconds.
    var retryAfter: Double?
    /// If that is a date: by how many seconds the server's clock differs; `nil` for a number of seconds.
    var skew: Double?

    init(_ random: inout SeededRandom) {
        status = random.element(of: [
            200, 200, 200, 201, 202, 204, 206, 400, 403, 404, 404, 409, 410, 422, 408, 425, 426, 426, 429, 500, 501,
            502,
            503, 503, 504,
        ])
        body = status == 204 ? .empty : random.element(of: Body.allCases)
        if status >= 400, random.isOne(in: 2) { retryAfter = random.element(of: [1, 30, 200, 3_600]) }
        if random.isOne(in: 2) { skew = random.element(of: [-86_400, -100, 0, 3_600]) }
    }

    var isAccepted: Bool { (200..<300).contains(status) }
    var isTemporary: Bool { [408, 425, 429].contains(status) || status >= 500 }
    /// A time that applies to all changes.
    var isForAll: Bool { status == 429 || status == 503 && retryAfter != nil }

    var description: String { "\(status) \(body) \(retryAfter.map { "after \($0) s" } ?? "")" }
}

/// A device with a change of one entry, and then one of another.
private final class ResponseStage {
    private enum Outcome: Equatable { case confirmed, unproven, recreated, parked(Int), delayed, paused, ended }

    private static let (id, other) = (UUID(), UUID())
    private static let message = "Please update the app."
    private static let mostSeconds = 400.0

    private var random: SeededRandom
    private let kind: PendingChange.Kind
    private let response: AnyResponse
    /// The response to a request for the entry, after its creation was rejected.
    private let found: Int
    private let clock = ManualClock()
    private let store: Store
    private let sync: Sync
    private let client: RespondingClient
    private var outcome = Outcome.unproven

    init(seed: UInt64) async throws {
        random = SeededRandom(seed: seed)
        kind = random.element(of: [.create, .update, .delete])
        response = AnyResponse(&random)
        found = random.element(of: [200, 404, 403, 500, 503])
        store = try Store(JournalSchema.self, at: .inMemory)
        client = RespondingClient()
        // An update would request the version first.
        let (isDelete, isVersioned) = (kind == .delete, random.isOne(in: 2))
        var conventions = RESTConventions()
        // A rejection of a version, but only if the change has one (C4).
        if random.isOne(in: 2) { conventions.writes.conflictStatuses = [409] }
        sync = Sync(
            store: store,
            remote: RESTRemote(
                URL(string: "https://example.com")!, client: client, conventions: conventions,
                usesVersions: isDelete && isVersioned, clock: clock),
            retries: RetrySchedule(attemptsPerPush: 1), maximumConcurrentPushes: 1, clock: clock, random: { 0.5 })
        let ids = kind == .create ? [Self.other] : [Self.id, Self.other]
        let records = ids.map { JSONValue.object(["identifier": .string(Self.key($0)), "title": "former"]) }
        try await store.merge(JSONValue.array(records).json(), into: Entry.self)
        try await store.perform { [kind] context in
            if kind == .create { Entry(identifier: Self.id, title: "mine", context: context) }
            let entry = try Entry.find(Self.id, in: context)
            if kind == .update { entry?.title = "mine" }
            if kind == .delete, let entry { context.delete(entry) }
            try context.save()
        }
        try await store.perform { context in
            try #require(try Entry.find(Self.other, in: context)).title = "other"
            try context.save()
        }
    }

    private static func key(_ id: UUID) -> String { id.uuidString.lowercased() }

    private var state: Comment { "\(kind): \(response), then \(found): \(client.log)" }

    // MARK: The server

    private func body(_ body: AnyResponse.Body) -> String {
        switch body {
        case .record: #"{"identifier": "\#(Self.key(Self.id))", "title": "mine"}"#
        case .unnamed: #"{"title": "mine", "saved": true}"#
        case .another: #"{"identifier": "\#(Self.key(Self.other))", "title": "x"}"#
        case .empty: ""
        case .null: "null"
        case .emptyObject: "{}"
        case .gateway: #"{"status": "ok"}"#
        case .error: #"{"error": {"message": "\#(Self.message)"}}"#
        case .list: "[]"
        case .page: "<!DOCTYPE html><html><body>Welcome</body></html>"
        case .text: "OK"
        case .broken: #"{"identifier": "#
        }
    }

    private func respond(_ request: HTTPRequest) -> HTTPClientResponse {
        var fields: HTTPFields = [.contentType: response.body == .page ? "text/html" : "application/json"]
        if let seconds = response.retryAfter {
            fields[.retryAfter] = String(Int(seconds))
            if let skew = response.skew {
                fields[.date] = HTTPDate.text(of: clock.now + skew)
                fields[.retryAfter] = HTTPDate.text(of: clock.now + skew + seconds)
            }
        }
        let body = Data(body(response.body).utf8)
        return HTTPClientResponse(
            HTTPResponse(status: .init(code: response.status), headerFields: fields), body: .data(body), address: nil)
    }

    /// The entry itself, or an error; the other entry, whose version an update needs.
    private func respond(toFetch request: HTTPRequest) -> HTTPClientResponse {
        let isOther = request.path?.hasSuffix(Self.key(Self.other)) == true
        let body = isOther ? body(.another) : found == 200 ? body(.record) : #"{"error": "no"}"#
        return HTTPClientResponse(
            HTTPResponse(
                status: .init(code: isOther ? 200 : found),
                headerFields: [.contentType: "application/json", .eTag: #""v1""#]),
            body: .data(Data(body.utf8)), address: nil)
    }

    /// What a body says to the user: its text, an error, or a title.
    private var message: String? {
        switch response.body {
        case .error: Self.message
        case .text: "OK"
        case .record, .unnamed: "mine"
        case .another: "x"
        case .empty, .null, .emptyObject, .gateway, .list, .page, .broken: nil
        }
    }

    // MARK: What the rules say

    private func expectedOutcome() -> Outcome {
        let isRejection = response.status >= 400 && !response.isTemporary && response.status != 426
        switch response.status {
        case 426: return .ended
        case _ where response.isForAll: return .paused
        case _ where response.isTemporary: return .delayed
        case 403 where response.body == .page, 404 where response.body == .page, 410 where response.body == .page:
            return .unproven
        case 404 where kind == .delete, 410 where kind == .delete: return .confirmed
        case 404 where kind == .update, 410 where kind == .update: return .recreated
        case _ where isRejection && kind == .create: return afterRejection()
        case _ where isRejection: return .parked(response.status)
        default: return isProof() ? .confirmed : .unproven
        }
    }

    /// A creation may have arrived before: the entry is requested.
    private func afterRejection() -> Outcome {
        switch found {
        case 200: .confirmed
        case 500, 503: .unproven
        default: .parked(response.status)
        }
    }

    private func isProof() -> Bool {
        switch response.body {
        case .record: response.status != 206
        case .unnamed: [200, 201].contains(response.status) && kind != .delete
        case .empty, .null: [200, 201, 204].contains(response.status)
        case .emptyObject: [200, 201].contains(response.status) && kind == .delete
        default: false
        }
    }

    // MARK: Pushing

    func push() async throws {
        client.respond { [self] request in
            if request.method == .get { return respond(toFetch: request) }
            return client.isFirst ? respond(request) : nil
        }
        outcome = expectedOutcome()
        var error: SyncError?
        var summary: PushSummary?
        do { summary = try await sync.push() } catch let thrown as SyncError { error = thrown }
        let pending = try await store.outbox.pending()
        let own = pending.first { $0.record == Self.key(Self.id) }
        let isOtherSent = !pending.contains { $0.record == Self.key(Self.other) }
        switch outcome {
        case .confirmed, .recreated:
            #expect(pending.isEmpty && error == nil, state)
            #expect((summary?.created == 1) == (kind == .create || outcome == .recreated), state)
        case .parked(let status):
            #expect(own?.parked?.status == status && pending.count == 1, state)
        case .unproven, .delayed:
            #expect(own != nil && own?.parked == nil && isOtherSent, state)
        case .paused:
            #expect(own != nil && own?.parked == nil && !isOtherSent, state)
            #expect(error?.code == .unavailable(status: response.status), state)
        case .ended:
            #expect(error?.code == .updateNeeded(message: message), state)
            #expect(own != nil && own?.parked == nil && !isOtherSent, state)
        }
        if outcome == .delayed {
            // Each failure is stored as what it was, for a relaunch.
            #expect(own?.lastError?.contains("\(response.status)") == true, state)
        }
    }

    /// What was delayed is sent when it is time, and not before.
    func pushLater() async throws {
        guard [.delayed, .paused, .unproven].contains(outcome) else { return }
        let count = client.log.count
        if let seconds = response.retryAfter, outcome != .unproven {
            clock.advance(by: seconds - 0.9)
            _ = try? await sync.push()
            #expect(client.log.count == count, state)
            clock.advance(by: 1)
        } else {
            clock.advance(by: Self.mostSeconds)
        }
        client.respond { [self] request in request.method == .get ? respond(toFetch: request) : nil }
        _ = try? await sync.push()
        #expect(try await store.outbox.pending().isEmpty, state)
    }
}

/// A client whose responses a test makes; without one, a change is accepted without a body.
private final class RespondingClient: HTTPClient {
    typealias Respond = (HTTPRequest) -> HTTPClientResponse?

    private let requests = Locked<[String]>([])
    private nonisolated(unsafe) var respond: Respond = { _ in nil }

    var log: [String] { requests.withLock { $0 } }

    /// Whether the current request is the first.
    var isFirst: Bool { log.count == 1 }

    func respond(_ body: @escaping Respond) { respond = body }

    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        requests.withLock { $0.append("\(request.method.rawValue) \(request.path ?? "")") }
        return respond(request)
            ?? HTTPClientResponse(HTTPResponse(status: .ok), body: .data(Data()), address: nil)
    }
}
