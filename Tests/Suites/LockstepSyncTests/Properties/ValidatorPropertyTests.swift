import Foundation
import HTTPTypes
import LockstepHTTP
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import Shop
import TestSupport
import Testing

/// Servers with any `ETag`, and devices whose clocks are wrong.
@Suite("H1 C4 Conditional requests to any server")
struct ValidatorPropertyTests {
    @Test(
        "H1 A conditional request names no time after the start of the earlier one, whatever the device's clock shows",
        arguments: Seeds.some(10, of: UInt64(0)...299))
    func times(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let server = DatedServer()
        let skew = random.element(of: [-86_400, -61, 0, 5, 3_600, 1_000_000.0])
        let clock = ManualClock(now: server.now + skew)
        let store = try Store(ShopSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: RESTRemote(URL(string: "https://example.com")!, client: server, clock: clock),
            clock: clock, random: { 0.5 })
        for _ in 1...3 {
            let started = server.now
            let latency = random.element(of: [0, 0.4, 7, 90])
            server.respond { request in
                // While it responds, others change records.
                server.pass(latency)
                clock.advance(by: latency)
                let fields: HTTPFields = [
                    .contentType: "application/json", .date: HTTPDate.text(of: server.now),
                    .lastModified: HTTPDate.text(of: server.now - 1),
                ]
                return HTTPClientResponse(
                    HTTPResponse(status: .ok, headerFields: fields), body: .data(Data("[]".utf8)), address: nil)
            }
            try await sync.pull(Article.self)
            server.pass(100)
            clock.advance(by: 100)
            server.respond { request in
                let text = request.headerFields[.ifModifiedSince]
                let date = text.flatMap { HTTPDate.date(from: $0, now: server.now) }
                #expect(date.map { $0 <= started } ?? false, "\(text ?? "-") is after \(HTTPDate.text(of: started))")
                return HTTPClientResponse(HTTPResponse(status: .notModified), body: .data(Data()), address: nil)
            }
            try await sync.pull(Article.self)
        }
    }

    @Test(
        "C4.9 A strong ETag is the condition of the next update, and no other one is",
        arguments: Seeds.some(10, of: UInt64(0)...299))
    func tags(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let (server, store) = (DatedServer(), try Store(ShopSchema.self, at: .inMemory))
        let sync = Sync(
            store: store, remote: RESTRemote(URL(string: "https://example.com")!, client: server, usesVersions: true),
            retries: RetrySchedule(attemptsPerPush: 1), clock: ManualClock(), random: { 0.5 })
        for number in 1...4 {
            let tag = random.element(of: [
                #""a""#, #""""#, #""x-\#(number)""#, #"W/"a""#, #"W/"x-\#(number)""#, "a", nil,
            ])
            let isStrong = tag?.hasPrefix("W/") == false
            server.respond { request in
                var fields: HTTPFields = [.contentType: "application/json"]
                fields[.eTag] = tag
                if request.method == .patch { #expect(request.headerFields[.ifMatch] == (isStrong ? tag : nil)) }
                let body = #"{"id": 7, "title": "t\#(number)", "body_text": "b"}"#
                return HTTPClientResponse(
                    HTTPResponse(status: .ok, headerFields: request.method == .get ? fields : [:]),
                    body: .data(Data((request.method == .get ? body : "").utf8)), address: nil)
            }
            try await sync.pull(Article.self, id: 7)
            try await store.perform { context in
                try #require(try Article.find(7, in: context)).bodyText = "mine \(number)"
                try context.save()
            }
            #expect(try await sync.push().updated == 1)
        }
    }
}

/// A server with a clock of its own.
private final class DatedServer: HTTPClient {
    private let state = Locked((now: Date(timeIntervalSince1970: 1_700_000_000), respond: Respond?.none))
    typealias Respond = @Sendable (HTTPRequest) -> HTTPClientResponse

    var now: Date { state.withLock { $0.now } }

    func pass(_ seconds: TimeInterval) { state.withLock { $0.now += seconds } }
    func respond(_ body: @escaping Respond) { state.withLock { $0.respond = body } }

    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        guard let respond = state.withLock({ $0.respond }) else { throw URLError(.badURL) }
        return respond(request)
    }
}
