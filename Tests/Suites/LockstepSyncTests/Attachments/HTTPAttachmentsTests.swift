import Foundation
import HTTPTypes
@testable import LockstepStore
@testable import LockstepHTTP
@testable import LockstepMerge
@testable import LockstepSync
import LockstepSystem
import Testing

@Suite("Attachments on an HTTP server")
struct HTTPAttachmentsTests {
    /// Returns the given responses in order, and records the requests.
    private final class Server: HTTPClient {
        let responses: Locked<[HTTPClientResponse]>
        let requests = Locked<[(HTTPRequest, Data?)]>([])

        init(_ responses: [HTTPClientResponse]) { self.responses = Locked(responses) }

        func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
            requests.withLock { $0.append((request, body)) }
            return responses.withLock { $0.removeFirst() }
        }

        var asked: [HTTPRequest] { requests.withLock { $0.map(\.0) } }
    }

    private func response(_ status: Int, _ fields: HTTPFields = [:], _ body: String = "") -> HTTPClientResponse {
        HTTPClientResponse(
            HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields),
            body: .data(Data(body.utf8)))
    }

    private func remote(_ server: Server, _ base: String = "https://example.com/files?token=secret") throws
        -> HTTPAttachments
    {
        HTTPAttachments(try #require(URL(string: base)), client: server)
    }

    private func code(_ body: () async throws -> Void) async -> SyncError.Code? {
        do { try await body() } catch { return (error as? SyncError)?.code }
        return nil
    }

    @Test("An upload stores the bytes under their hash unless they exist", arguments: [200, 201, 204, 412])
    func upload(status: Int) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("hello".utf8).write(to: file)
        let attachment = try FileAttachment(contentsOf: file)
        let server = Server([response(status)])
        try await remote(server).upload(attachment)
        let (request, body) = try #require(server.requests.withLock { $0.first })
        #expect(request.method == .put && body == Data("hello".utf8))
        #expect(request.path == "/files/\(attachment.contentHash)?token=secret")
        #expect(request.headerFields[.ifNoneMatch] == "*")
    }

    @Test(
        "P13 Another status does not say that the bytes are stored",
        arguments: [202, 206, 103, 302, 304, 407, 600, 999])
    func unproven(_ status: Int) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("hello".utf8).write(to: file)
        let remote = try remote(Server([response(status)]))
        let attachment = try FileAttachment(contentsOf: file)
        let error = await #expect(throws: SyncError.self) { try await remote.upload(attachment) }
        #expect(error?.isTransient == true)
    }

    @Test("A download requests the missing bytes, and accepts all of them if the server does not support ranges")
    func download() async throws {
        let attachment = FileAttachment(Data("hello".utf8))
        let part: HTTPFields = [.contentRange: "bytes 2-4/5"]
        let server = Server([
            response(206, part, "llo"), response(200, [:], "hello"), response(416), response(200, [:], "hello"),
        ])
        let remote = try remote(server, "https://example.com/files/")
        for expected in [2, 0, 0] {
            let body = try await remote.download(attachment, from: 2)
            #expect(body.offset == expected)
            #expect(try await body.body.collected(upTo: 9) == Data(Data("hello".utf8).dropFirst(expected)))
        }
        #expect(server.asked.map { $0.headerFields[.range] } == ["bytes=2-", "bytes=2-", "bytes=2-", nil])
        #expect(server.asked.first?.path == "/files/\(attachment.contentHash)")
    }

    @Test("Each response status determines the next step")
    func errors() async throws {
        let attachment = FileAttachment(Data("hello".utf8))
        let expected: [(Int, SyncError.Code)] = [
            (401, .unauthorized), (403, .refused(status: 403)), (404, .notFound), (410, .notFound),
            (429, .unavailable(status: 429)), (503, .unavailable(status: 503)), (206, .malformed),
        ]
        let server = Server(expected.map { response($0.0) })
        for (status, code) in expected {
            let thrown = await self.code { _ = try await remote(server).download(attachment, from: 1) }
            #expect(thrown == code, "\(status)")
        }
        #expect(try !remote(server).name.contains("secret"))
    }
}
