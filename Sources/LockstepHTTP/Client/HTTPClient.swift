public import Foundation
public import HTTPTypes

/// Sends HTTP requests: the protocol for any transport.
///
/// A client follows redirects as its own documentation describes, and throws only if there is no response: a status of
/// 404 or 503 is a response. It throws a ``SyncError`` (`network`, `timeout`, `insecureAddress`) or
/// `CancellationError`.
///
/// ```swift
/// struct CannedClient: HTTPClient {
///     func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
///         HTTPClientResponse(HTTPResponse(status: .ok), body: .data(Data("[]".utf8)))
///     }
/// }
/// ```
public protocol HTTPClient: Sendable {
    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse
}

/// The response of a server: its head, and its body as it arrives.
public struct HTTPClientResponse: Sendable {
    /// The status and the header fields.
    public let head: HTTPResponse
    /// The body, which may not have arrived yet.
    public let body: HTTPBody
    /// The address of the response after redirects; `nil` if it is that of the request. Relative links are resolved
    /// against it.
    public let address: URL?

    public init(_ head: HTTPResponse, body: HTTPBody = .empty, address: URL? = nil) {
        self.head = head
        self.body = body
        self.address = address
    }

    @available(*, deprecated, renamed: "head") public var response: HTTPResponse { head }
}

/// The former name of ``HTTPClientResponse``.
@available(*, deprecated, renamed: "HTTPClientResponse")
public typealias HTTPAnswer = HTTPClientResponse

/// The bytes of a response, in pieces as they arrive. They can be read once.
///
/// Reading throws if the connection is lost before the end, and `CancellationError` if the reading task is cancelled: a
/// truncated body is never mistaken for a complete one. Releasing the body closes the connection.
public struct HTTPBody: AsyncSequence, Sendable {
    public typealias Element = Data

    private let pieces: AsyncThrowingStream<Data, any Error>
    /// The beginning that was examined already, and is still part of the body.
    private var beginning: Data?
    /// Returns what is thrown instead of an error of the pieces.
    private var mapping: (@Sendable (any Error) -> any Error)?

    public init(_ pieces: AsyncThrowingStream<Data, any Error>) { self.pieces = pieces }

    public static var empty: HTTPBody { .data(Data()) }

    public static func data(_ data: Data) -> HTTPBody {
        HTTPBody(
            AsyncThrowingStream { continuation in
                if !data.isEmpty { continuation.yield(data) }
                continuation.finish()
            })
    }

    @_spi(Requirements) public func makeAsyncIterator() -> Iterator {
        Iterator(beginning: beginning, pieces: pieces.makeAsyncIterator(), mapping: mapping)
    }

    /// Iterates over the pieces.
    ///
    /// Other tasks run between two pieces, however fast they arrive.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var beginning: Data?
        fileprivate var pieces: AsyncThrowingStream<Data, any Error>.AsyncIterator
        fileprivate let mapping: (@Sendable (any Error) -> any Error)?

        @_spi(Requirements) public mutating func next() async throws -> Data? {
            if let piece = beginning {
                beginning = nil
                return piece
            }
            await Task.yield()
            let piece: Data?
            do { piece = try await pieces.next() } catch { throw mapping?(error) ?? error }
            // A stream also ends if its reader is cancelled, which would look like the end of the body.
            if piece == nil { try Task.checkCancellation() }
            return piece
        }
    }

    /// The same bytes, with other errors of reading them.
    package func mappingErrors(_ map: @escaping @Sendable (any Error) -> any Error) -> HTTPBody {
        var body = self
        body.mapping = { [mapping] error in map(mapping?(error) ?? error) }
        return body
    }

    /// The maximum amount of leading white space. Servers do not write more.
    private static let startLimitBytes = 64 << 10

    /// Returns the first bytes that are not white space, and the complete body, to be read instead of this one. The
    /// first bytes determine how the body is parsed.
    package func startingBytes() async throws -> (first: Data, body: HTTPBody) {
        let space = Set(" \t\r\n\u{FEFF}".utf8)
        var first = Data()
        for try await piece in self {
            first.append(piece)
            if first.count > Self.startLimitBytes || piece.contains(where: { !space.contains($0) }) { break }
        }
        var body = self
        body.beginning = first
        return (first, body)
    }

    /// Returns the complete body.
    ///
    /// - Throws: ``SyncError`` (`malformed`) if it is longer than `limit`, and errors of reading.
    public func collected(upTo limit: Int) async throws -> Data {
        var data = Data()
        for try await piece in self {
            guard data.count + piece.count <= limit else {
                throw SyncError(
                    .malformed, reason: "the body is longer than \(limit) bytes",
                    remedy: "Make the server send a smaller response.")
            }
            data.append(piece)
        }
        return data
    }
}
