import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A server over real sockets that does with a connection whatever the test says, also what no server should.
///
/// ```swift
/// let server = try RawServer { request, connection in connection.answer(200, body: "hello") }
/// defer { server.stop() }
/// ```
public final class RawServer: Sendable {
    /// What happens with a request, on the connection's own thread; it may block. Unless it closes the connection, the
    /// next request is read.
    public typealias Script = @Sendable (RawRequest, RawConnection) -> Void

    public let port: Int
    private let socket: Int32
    private let record = Record()

    public init(_ script: @escaping Script) throws {
        let listening = try Self.listen()
        (socket, port) = listening
        let record = record
        Thread {
            var number = 0
            while true {
                let accepted = accept(listening.socket, nil, nil)
                guard accepted >= 0 else { return }
                number += 1
                Self.serve(accepted, number: number, script: script, record: record)
            }
        }.start()
    }

    deinit { stop() }

    /// An address of this server: `http://127.0.0.1:49152/articles`.
    public func address(_ path: String, host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(path)" }

    /// What has come, in order.
    public var requests: [RawRequest] { record.all }

    /// Takes no further connections.
    public func stop() {
        guard record.stopOnce() else { return }
        _ = shutdown(socket, Int32(SHUT_RDWR))
        _ = close(socket)
    }

    private static func serve(_ socket: Int32, number: Int, script: @escaping Script, record: Record) {
        Thread {
            let connection = RawConnection(socket: socket, number: number)
            while let request = connection.nextRequest() {
                record.add(request)
                script(request, connection)
            }
            connection.close()
        }.start()
    }

    private static func listen() throws -> (socket: Int32, port: Int) {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let made = Foundation.socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(made, pointer, length) == 0 && Foundation.listen(made, 64) == 0
                    && getsockname(made, pointer, &length) == 0
            }
        }
        guard made >= 0, isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return (made, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Unchecked, because the compiler cannot see that everything is only touched while `lock` is held.
    private final class Record: @unchecked Sendable {
        private let lock = NSLock()
        private var requests: [RawRequest] = []
        private var isStopped = false

        var all: [RawRequest] { lock.withLock { requests } }
        func add(_ request: RawRequest) { lock.withLock { requests.append(request) } }
        func stopOnce() -> Bool {
            lock.withLock {
                defer { isStopped = true }
                return !isStopped
            }
        }
    }
}
