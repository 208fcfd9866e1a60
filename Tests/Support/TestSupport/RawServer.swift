import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A server over real sockets that handles a connection as the test says, including what no server should do.
///
/// ```swift
/// let server = try RawServer { request, connection in connection.respond(200, body: "hello") }
/// defer { server.stop() }
/// ```
public final class RawServer: Sendable {
    /// The handler of a request, on the connection's own thread; it may block. Unless it closes the connection, the
    /// next request is read.
    public typealias Script = @Sendable (RawRequest, RawConnection) -> Void

    public let port: Int
    private let socket: Int32
    private let record = Record()
    private let isClosed = TestSignal()

    public init(_ script: @escaping Script) throws {
        let listening = try Self.listen()
        (socket, port) = listening
        let (record, isClosed) = (record, isClosed)
        Thread {
            var number = 0
            while true {
                let accepted = accept(listening.socket, nil, nil)
                guard accepted >= 0, record.open(accepted) else { break }
                number += 1
                Self.serve(accepted, number: number, script: script, record: record)
            }
            // Closed by this thread: its number may be another server's as soon as it is closed.
            _ = systemClose(listening.socket)
            isClosed.fire()
        }.start()
    }

    deinit { stop() }

    /// An address of this server: `http://127.0.0.1:49152/articles`.
    public func address(_ path: String, host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(path)" }

    /// The requests received, in order.
    public var requests: [RawRequest] { record.all }

    /// Accepts no further connections, and ends the open ones: a client that kept one would find this server
    /// when another one gets its port.
    public func stop() {
        guard record.stopOnce() else { return }
        _ = shutdown(socket, Int32(SHUT_RDWR))
        #if !canImport(Glibc) && !canImport(Musl)
            // On that system, this does not wake accept, but one more connection does.
            let waking = Foundation.socket(AF_INET, SOCK_STREAM, 0)
            Self.withAddress(port: port) { _ = connect(waking, $0, $1) }
            _ = systemClose(waking)
        #endif
        isClosed.wait()
    }

    private static func serve(_ socket: Int32, number: Int, script: @escaping Script, record: Record) {
        Thread {
            let connection = RawConnection(socket: socket, number: number) { record.close(socket) }
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
            let kind: Int32 = SOCK_STREAM
        #endif
        let made = Foundation.socket(AF_INET, kind, 0)
        var bound = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withAddress(port: 0) { bind(made, $0, $1) == 0 } && Foundation.listen(made, 64) == 0
        withUnsafeMutablePointer(to: &bound) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(made, $0, &length) }
        }
        guard made >= 0, isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return (made, Int(UInt16(bigEndian: bound.sin_port)))
    }

    /// 127.0.0.1 with a port, as the system's functions take it.
    private static func withAddress<T>(port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> T) -> T {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Unchecked, because the compiler cannot see that everything is only accessed while `lock` is held.
    private final class Record: @unchecked Sendable {
        private let lock = NSLock()
        private var requests: [RawRequest] = []
        private var isStopped = false
        private var sockets: Set<Int32> = []

        var all: [RawRequest] { lock.withLock { requests } }
        func add(_ request: RawRequest) { lock.withLock { requests.append(request) } }

        /// Whether a connection is served; if not, it is closed.
        func open(_ socket: Int32) -> Bool {
            lock.withLock {
                if isStopped { _ = systemClose(socket) } else { sockets.insert(socket) }
                return !isStopped
            }
        }

        func close(_ socket: Int32) {
            lock.withLock { if sockets.remove(socket) != nil { _ = systemClose(socket) } }
        }

        func stopOnce() -> Bool {
            lock.withLock {
                guard !isStopped else { return false }
                isStopped = true
                // Only shut down: the connection's own thread closes, so that no number is closed twice.
                for socket in sockets { _ = shutdown(socket, Int32(SHUT_RDWR)) }
                return true
            }
        }
    }
}

// Methods of the same name shadow the function.
private func systemClose(_ socket: Int32) -> Int32 { close(socket) }
