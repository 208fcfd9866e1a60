public import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One connection of a ``RawServer``, used by one thread.
public final class RawConnection {
    /// Counted from 1.
    public let number: Int
    private let socket: Int32
    private var received = Data()
    private var isOpen = true
    private let closeSocket: () -> Void

    init(socket: Int32, number: Int, close: @escaping () -> Void) {
        closeSocket = close
        self.socket = socket
        self.number = number
        #if !canImport(Glibc) && !canImport(Musl)
            var on: Int32 = 1
            setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    deinit { close() }

    /// Sends bytes unchanged.
    public func send(_ text: String) { send(Data(text.utf8)) }

    public func send(_ data: Data) { _ = isTaking(data) }

    /// Sends bytes unchanged.
    ///
    /// - Returns: Whether the other side accepts more: it has not closed the connection.
    public func isTaking(_ data: Data) -> Bool {
        #if canImport(Glibc) || canImport(Musl)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags: Int32 = 0
        #endif
        var rest = data[...]
        while isOpen, !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemSend(socket, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return isOpen
    }

    /// Sends a whole response with its length.
    public func respond(_ status: Int, _ fields: [String] = [], body: String = "") {
        let head = ["HTTP/1.1 \(status) Said", "Content-Length: \(body.utf8.count)"] + fields
        send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// Sends a piece of a body of the transfer encoding `chunked`; an empty one ends it.
    public func chunk(_ text: String) { send(String(text.utf8.count, radix: 16) + "\r\n\(text)\r\n") }

    /// Closes normally, after the bytes were sent.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        closeSocket()
    }

    /// Resets the connection.
    public func reset() {
        var lingers = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &lingers, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Waits until the other side has closed. Bytes received until then are dropped.
    public func waitForClose() { while isOpen, receive() { received = Data() } }

    /// The next request; `nil` if there is none.
    func nextRequest() -> RawRequest? {
        let end = Data("\r\n\r\n".utf8)
        while received.range(of: end) == nil { guard isOpen, receive() else { return nil } }
        guard let range = received.range(of: end) else { return nil }
        var request = RawRequest(head: String(decoding: received[..<range.lowerBound], as: UTF8.self), number: number)
        received = Data(received[range.upperBound...])
        let length = Int(request.fields["content-length"] ?? "") ?? 0
        while received.count < length { guard receive() else { return nil } }
        request.body = Data(received.prefix(length))
        received = Data(received.dropFirst(length))
        return request
    }

    private func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        received.append(contentsOf: buffer[..<count])
        return true
    }
}

/// A request received over a connection.
public struct RawRequest: Sendable {
    public let method: String
    /// The path with the query.
    public let target: String
    /// By their names in lowercase.
    public let fields: [String: String]
    public var body = Data()
    /// The connection's number.
    public let connection: Int

    init(head: String, number: Int) {
        let lines = head.components(separatedBy: "\r\n")
        let words = (lines.first ?? "").split(separator: " ").map(String.init)
        method = words.first ?? ""
        target = words.count > 1 ? words[1] : ""
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        self.fields = fields
        connection = number
    }
}

// A method of the same name shadows the function.
private func systemSend(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(socket, bytes, count, flags)
}
