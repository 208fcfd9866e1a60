import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting

/// Communication of a test with a fake server.
enum Transport: CaseIterable, Sendable { case inProcess, socket }

/// A fake server, and a client that reaches it in one of two ways.
struct Talk<Server: FakeServer>: Sendable {
    let server: Server
    let client: any HTTPClient

    /// Runs a story, and stops the server.
    static func with(
        _ server: Server, over transport: Transport, _ story: (Talk) async throws -> Void
    ) async throws {
        if transport == .socket { try await server.listen() }
        do {
            let client: any HTTPClient =
                transport == .socket ? URLSessionClient(timeouts: .unlimited) : server.client
            try await story(Talk(server: server, client: client))
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    struct Heard {
        let status: Int
        let json: JSONValue?
        let headers: HTTPFields
    }

    func open(
        _ method: HTTPRequest.Method, _ target: String, _ json: JSONValue? = nil, headers: [String: String] = [:]
    ) async throws -> HTTPClientResponse {
        let authority = "\(server.url.host ?? "")" + (server.url.port.map { ":\($0)" } ?? "")
        var request = HTTPRequest(method: method, scheme: "http", authority: authority, path: target)
        if json != nil { request.headerFields[.contentType] = "application/json" }
        for (name, value) in headers { request.headerFields[HTTPField.Name(name) ?? .accept] = value }
        return try await client.send(request, body: try json?.json())
    }

    func ask(
        _ method: HTTPRequest.Method, _ target: String, _ json: JSONValue? = nil, headers: [String: String] = [:]
    ) async throws -> Heard {
        let response = try await open(method, target, json, headers: headers)
        let body = try await response.body.collected(upTo: 1 << 24)
        return Heard(
            status: response.head.status.code, json: body.isEmpty ? nil : try? JSONValue(json: body),
            headers: response.head.headerFields)
    }
}

/// The events of a stream, one after the other, as text.
struct EventReader {
    private var pieces: HTTPBody.Iterator
    private var text = ""

    init(_ body: HTTPBody) { pieces = body.makeAsyncIterator() }

    /// `put {"data":null,"path":"/"}`; `nil` at the end.
    mutating func next() async throws -> String? {
        while true {
            if let end = text.range(of: "\n\n") {
                defer { text.removeSubrange(..<end.upperBound) }
                return text[..<end.lowerBound]
                    .replacingOccurrences(of: "event: ", with: "")
                    .replacingOccurrences(of: "\ndata: ", with: " ")
            }
            guard let piece = try await pieces.next() else { return nil }
            text += String(decoding: piece, as: UTF8.self)
        }
    }
}
