public import Foundation
public import HTTPTypes
public import LockstepStore

/// Attachments on an HTTP server: `PUT <base>/<hash>` and `GET <base>/<hash>`.
///
/// This works with any writable file server. An upload contains `If-None-Match: *`, so that existing bytes need not be
/// stored again: 200, 201, 204 and 412 all mean that the server has them. An interrupted download is resumed with
/// `Range`; a server that does not support it sends everything.
///
/// ```swift
/// let attachments = HTTPAttachments(URL(string: "https://example.com/files")!, client: client)
/// ```
public struct HTTPAttachments: AttachmentRemote {
    private let base: URL
    private let client: any HTTPClient
    private let headerFields: HTTPFields

    /// - Parameters:
    ///   - base: The address to which the hash is appended, separated by a slash. A query stays a query.
    ///   - client: The client that sends the requests, with credentials and timeouts.
    ///   - headerFields: Additional fields of each request.
    public init(_ base: URL, client: any HTTPClient = URLSessionClient(), headerFields: HTTPFields = [:]) {
        self.base = base
        self.client = client
        self.headerFields = headerFields
    }

    /// The address without secrets.
    @_spi(Requirements) public var name: String { Redaction.text(of: base.absoluteString) }

    @_spi(Requirements) public func upload(_ attachment: FileAttachment) async throws {
        var request = request(.put, attachment: attachment)
        request.headerFields[.ifNoneMatch] = "*"
        request.headerFields[.contentType] = "application/octet-stream"
        // Not by its path, where a link to another file may be by now.
        let response = try await client.send(request, body: try attachment.mappedData())
        switch response.head.status.code {
        case 200: try await checkResponse(response, for: request)
        case 201, 204, 412: return
        default: throw error(response.head, for: request)
        }
    }

    @_spi(Requirements) public func download(_ attachment: FileAttachment, from offset: Int) async throws
        -> AttachmentBody
    {
        var request = request(.get, attachment: attachment)
        // The original bytes are hashed and counted, not a compressed form.
        request.headerFields[.acceptEncoding] = "identity"
        if offset > 0 { request.headerFields[.range] = "bytes=\(offset)-" }
        let response = try await HTTPLimits.$knownBodyBytes.withValue(attachment.byteCount + Self.spareBytes) {
            [request] in try await client.send(request, body: nil)
        }
        switch response.head.status.code {
        case 206: return AttachmentBody(response.body, offset: try start(of: response.head, for: request))
        case 200..<300: return AttachmentBody(response.body)
        // The reference contains more bytes than exist already, so they are wrong: start from the beginning.
        case 416 where offset > 0: return try await download(attachment, from: 0)
        default: throw error(response.head, for: request)
        }
    }

    /// A page in response to a PUT with 200 comes from an intermediary (rule P13).
    private func checkResponse(_ response: HTTPClientResponse, for request: HTTPRequest) async throws {
        let (first, _) = try await response.body.startingBytes()
        guard ResponseBody.isPage(first) else { return }
        throw SyncError(
            .unexpectedResponse(status: 200), request: Redaction.text(of: request),
            reason: "the response is an HTML page, not that of the file server",
            remedy: RemoteExchange.unexpectedRemedy)
    }

    /// The reference contains the number of bytes. A few more are allowed, because the check of the number has a better
    /// error.
    private static let spareBytes = 1 << 20

    private func request(_ method: HTTPRequest.Method, attachment: FileAttachment) -> HTTPRequest {
        let text = base.absoluteString
        let path = text.prefix { $0 != "?" && $0 != "#" }
        let slash = path.hasSuffix("/") ? "" : "/"
        let address = URL(string: "\(path)\(slash)\(attachment.contentHash)\(text[path.endIndex...])") ?? base
        return HTTPRequest(method, url: address, headerFields: headerFields)
    }

    /// The offset of a partial response: `Content-Range: bytes 100-199/200`.
    private func start(of response: HTTPResponse, for request: HTTPRequest) throws -> Int {
        let field = response.headerFields[.contentRange] ?? ""
        let digits = field.split(separator: " ").dropFirst().first?.prefix { $0 != "-" } ?? ""
        guard field.hasPrefix("bytes "), let start = Int(digits), start >= 0 else {
            throw SyncError(
                .malformed, request: Redaction.text(of: request),
                reason: "the response is partial, but has no Content-Range",
                remedy: "Make the server respond with 206 and Content-Range, or with 200 and everything.")
        }
        return start
    }

    private func error(_ response: HTTPResponse, for request: HTTPRequest) -> SyncError {
        let status = response.status.code
        let code: SyncError.Code
        let remedy: String
        switch ResponseDisposition(response, now: .distantPast) {
        case .unauthorized: (code, remedy) = (.unauthorized, "Check the credentials that the client sends.")
        case .updateNeeded: (code, remedy) = (.updateNeeded(message: nil), "Ask the user to update the app.")
        case .absent: (code, remedy) = (.notFound, "Upload it from a device that has it, and check the base address.")
        case .unavailable: (code, remedy) = (.unavailable(status: status), "Try again later.")
        // Another 2xx does not say that the bytes are stored (rule P13).
        case .success, .inconclusive, .notModified:
            (code, remedy) = (.unexpectedResponse(status: status), RemoteExchange.unexpectedRemedy)
        case .outdated, .refused:
            (code, remedy) = (.refused(status: status), "Check which requests the server allows there.")
        }
        return SyncError(
            code, request: Redaction.text(of: request), reason: "the server responded with \(status)", remedy: remedy)
    }
}
