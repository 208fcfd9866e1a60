public import Foundation
public import HTTPTypes

/// Sends one HTTP request: the port to whatever carries bytes.
///
/// A client follows redirects as its own documentation says, and throws only where no answer came: a status of 404 or
/// 503 is an answer. It throws a ``SyncError`` (`network`, `timeout`, `insecureAddress`) or `CancellationError`.
///
/// ```swift
/// struct CannedClient: HTTPClient {
///     func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPAnswer {
///         HTTPAnswer(HTTPResponse(status: .ok), body: .data(Data("[]".utf8)))
///     }
/// }
/// ```
public protocol HTTPClient: Sendable {
    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPAnswer

    /// Sends a request whose body is a file's content.
    func send(_ request: HTTPRequest, file: URL) async throws -> HTTPAnswer
}

extension HTTPClient {
    /// Sends the file as data that the system reads into memory as it is needed, and need not keep there.
    public func send(_ request: HTTPRequest, file: URL) async throws -> HTTPAnswer {
        try await send(request, body: try Data(contentsOf: file, options: .mappedIfSafe))
    }
}

/// What a server answered.
public struct HTTPAnswer: Sendable {
    /// The status and the header fields.
    public let response: HTTPResponse
    /// The body, which may still be on its way.
    public let body: HTTPBody
    /// Where the answer came from, after redirects; `nil` where that is what was asked. Relative links are relative to
    /// it.
    public let address: URL?

    public init(_ response: HTTPResponse, body: HTTPBody = .empty, address: URL? = nil) {
        self.response = response
        self.body = body
        self.address = address
    }
}

/// The bytes of an answer, in pieces as they arrive. They can be read once.
///
/// Reading throws where the connection breaks before the end, and `CancellationError` where the reading task is
/// cancelled: a truncated body is never mistaken for a whole one. Letting go of it ends the connection.
public struct HTTPBody: AsyncSequence, Sendable {
    public typealias Element = Data

    private let pieces: AsyncThrowingStream<Data, any Error>
    /// What was looked at already, and still belongs to it.
    private var beginning: Data?

    public init(_ pieces: AsyncThrowingStream<Data, any Error>) { self.pieces = pieces }

    public static var empty: HTTPBody { .data(Data()) }

    public static func data(_ data: Data) -> HTTPBody {
        HTTPBody(
            AsyncThrowingStream { continuation in
                if !data.isEmpty { continuation.yield(data) }
                continuation.finish()
            })
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(beginning: beginning, pieces: pieces.makeAsyncIterator())
    }

    /// Gives the pieces, one after another.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var beginning: Data?
        fileprivate var pieces: AsyncThrowingStream<Data, any Error>.AsyncIterator

        public mutating func next() async throws -> Data? {
            if let piece = beginning {
                beginning = nil
                return piece
            }
            let piece = try await pieces.next()
            // A stream ends like any other where its reader is cancelled, which would pass for the end of the body.
            if piece == nil { try Task.checkCancellation() }
            return piece
        }
    }

    /// So much white space is read to find what comes behind it. More is none that a server writes.
    private static let startLimitBytes = 64 << 10

    /// Its first bytes that are more than white space, and all of it, to be read instead of it: what is there decides
    /// how it is read.
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

    /// All of it.
    ///
    /// - Throws: A ``SyncError`` with the code `malformed` where it is longer than `limit`, and what reading throws.
    public func collected(upTo limit: Int) async throws -> Data {
        var data = Data()
        for try await piece in self {
            guard data.count + piece.count <= limit else {
                throw SyncError(
                    .malformed, reason: "the body is longer than \(limit) bytes",
                    remedy: "Let the server answer with less.")
            }
            data.append(piece)
        }
        return data
    }
}
