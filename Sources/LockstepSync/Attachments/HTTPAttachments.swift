public import Foundation
public import HTTPTypes
public import LockstepStore

/// Attachments on an HTTP server: `PUT <base>/<hash>` and `GET <base>/<hash>`.
///
/// Any server of files does that can be written to. An upload says `If-None-Match: *`, so that bytes which the server
/// has need not be kept twice: 200, 201, 204 and 412 all mean that it has them. A download that broke off goes on with
/// `Range`; a server that does not know it sends all.
///
/// ```swift
/// let attachments = HTTPAttachments(URL(string: "https://example.com/files")!, client: client)
/// ```
public struct HTTPAttachments: AttachmentRemote {
    private let base: URL
    private let client: any HTTPClient
    private let headerFields: HTTPFields

    /// - Parameters:
    ///   - base: The address that the hash is put behind, with a slash between. A query stays a query.
    ///   - client: What sends the requests, with credentials and time limits.
    ///   - headerFields: Further fields of each request.
    public init(_ base: URL, client: any HTTPClient = URLSessionClient(), headerFields: HTTPFields = [:]) {
        self.base = base
        self.client = client
        self.headerFields = headerFields
    }

    /// The address without what is secret.
    public var name: String { Redaction.text(of: base.absoluteString) }

    public func upload(_ attachment: Attachment) async throws {
        var request = request(.put, attachment)
        request.headerFields[.ifNoneMatch] = "*"
        request.headerFields[.contentType] = "application/octet-stream"
        let answer = try await client.send(request, file: try attachment.url)
        switch answer.response.status.code {
        case 200: try await checkAnswer(answer, request)
        case 201..<300, 412: return
        case let status: throw error(status, request)
        }
    }

    public func download(_ attachment: Attachment, from offset: Int) async throws -> AttachmentBody {
        var request = request(.get, attachment)
        // The bytes themselves are hashed and counted, not what a server makes of them on the way.
        request.headerFields[.acceptEncoding] = "identity"
        if offset > 0 { request.headerFields[.range] = "bytes=\(offset)-" }
        let answer = try await HTTPLimits.$knownBodyBytes.withValue(attachment.byteCount + Self.spareBytes) {
            [request] in try await client.send(request, body: nil)
        }
        switch answer.response.status.code {
        case 206: return AttachmentBody(answer.body, offset: try start(of: answer.response, request))
        case 200..<300: return AttachmentBody(answer.body)
        // There is nothing behind what is here already, so that is wrong: from the start.
        case 416 where offset > 0: return try await download(attachment, from: 0)
        case let status: throw error(status, request)
        }
    }

    /// Where a page answers a PUT with 200, it is that of something in between (rule P13).
    private func checkAnswer(_ answer: HTTPAnswer, _ request: HTTPRequest) async throws {
        let (first, _) = try await answer.body.startingBytes()
        guard AnsweredBody.isPage(first) else { return }
        throw SyncError(
            .unexpectedAnswer(status: 200), request: Redaction.text(of: request),
            reason: "the answer is not the file server's: a page for people", remedy: RemoteExchange.unexpectedRemedy)
    }

    /// The reference says how many bytes there are, and who counts them says best what is wrong with more.
    private static let spareBytes = 1 << 20

    private func request(_ method: HTTPRequest.Method, _ attachment: Attachment) -> HTTPRequest {
        let text = base.absoluteString
        let path = text.prefix { $0 != "?" && $0 != "#" }
        let slash = path.hasSuffix("/") ? "" : "/"
        let address = URL(string: "\(path)\(slash)\(attachment.contentHash)\(text[path.endIndex...])") ?? base
        return HTTPRequest(method, address, headerFields: headerFields)
    }

    /// Where the bytes of a partial answer begin: `Content-Range: bytes 100-199/200`.
    private func start(of response: HTTPResponse, _ request: HTTPRequest) throws -> Int {
        let field = response.headerFields[.contentRange] ?? ""
        let digits = field.split(separator: " ").dropFirst().first?.prefix { $0 != "-" } ?? ""
        guard field.hasPrefix("bytes "), let start = Int(digits), start >= 0 else {
            throw SyncError(
                .malformed, request: Redaction.text(of: request), reason: "a part came without saying which it is",
                remedy: "Let the server answer 206 with Content-Range, or 200 with everything.")
        }
        return start
    }

    private func error(_ status: Int, _ request: HTTPRequest) -> SyncError {
        let code: SyncError.Code
        let remedy: String
        switch status {
        case 401: (code, remedy) = (.unauthorized, "See to the credentials that the client sends.")
        case 404, 410: (code, remedy) = (.notFound, "Upload it from a device that has it; see to the base address.")
        case 408, 425, 429, 500...: (code, remedy) = (.unavailable(status: status), "Try again later.")
        default: (code, remedy) = (.refused(status: status), "See what the server allows to be put and read there.")
        }
        return SyncError(
            code, request: Redaction.text(of: request), reason: "the server answered \(status)", remedy: remedy)
    }
}
