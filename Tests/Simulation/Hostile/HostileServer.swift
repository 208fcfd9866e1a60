import Foundation
public import TestSupport

/// A server over real sockets that does one of these things.
public final class HostileServer: Sendable {
    private let server: RawServer

    public var port: Int { server.port }
    /// What has no end has been sent as far as the extent says.
    public let hasSentEnough = TestSignal()
    public var requestCount: Int { server.requests.count }

    public init(_ hostility: Hostility, _ extent: Extent) throws {
        let hasSentEnough = hasSentEnough
        server = try RawServer { request, connection in
            Responding(request: request, connection: connection, extent: extent, hasSentEnough: hasSentEnough)
                .respond(hostility)
        }
    }

    public func stop() { server.stop() }
}

/// One request, and what is done to whoever sent it.
private struct Responding {
    let request: RawRequest
    let connection: RawConnection
    let extent: Extent
    let hasSentEnough: TestSignal

    func respond(_ hostility: Hostility) {
        switch hostility {
        case .events: flood("text/event-stream", #"event: put\#ndata: {"path":"/","data":null}\#n\#n"#)
        case .line: flood("text/event-stream", String(repeating: "x", count: 1 << 16))
        case .dataLine: flood("text/event-stream", String(repeating: "x", count: 1 << 16), first: "event: put\ndata: ")
        case .data: flood("text/event-stream", "data:\n")
        case .comments: flood("text/event-stream", ":\n\n")
        case .ids: flood("text/event-stream", "id: \(String(repeating: "x", count: 1 << 10))\n")
        case .body: flood("application/json", #"{"id":1,"title":"a","body_text":""},"#, first: "[")
        case .gzip: inflate()
        case .drip: drip()
        case .pages, .samePage: page(hostility)
        case .redirects: connection.respond(307, ["Location: /\(UUID().uuidString)"])
        case .retryAfter: connection.respond(503, ["Retry-After: 99999999999"])
        case .chunks:
            head("application/json", ["Transfer-Encoding: chunked"])
            connection.send("5\r\n[{\"id\r\nFFFFFFFFFFFFFFFFFF\r\n")
            connection.close()
        case .wrong, .records: records(hostility, extent.bodyBytes)
        case .uuids, .remoteIdentities, .file: records(hostility, extent.bodyBytes / 4)
        }
    }

    // MARK: Without end

    private func head(_ type: String, _ more: [String] = []) {
        connection.send((["HTTP/1.1 200 OK", "Content-Type: \(type)"] + more).joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// Sends the same again and again.
    private func flood(_ type: String, _ text: String, first: String = "") {
        head(type)
        connection.send(first)
        let data = Data(String(repeating: text, count: max(1, (1 << 16) / text.utf8.count)).utf8)
        var byteCount = 0
        while byteCount < extent.floodBytes ?? .max, connection.isTaking(data) { byteCount += data.count }
        hasSentEnough.fire()
        connection.waitForClose()
        connection.close()
    }

    /// Spaces in the format of RFC 1951: a block of fixed codes in which 13 bits, a length of 258 and a distance of 1,
    /// stand for 258 bytes.
    private func inflate() {
        head("application/json", ["Content-Encoding: gzip"])
        connection.send(Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]))
        var bits = BitWriter()
        bits.write(0b011, 3)
        // The letter that is repeated: 0x20 is 0x30 + 0x20 in eight bits, the highest first.
        bits.write(reversed: 0x50, 8)
        for _ in 0..<24 {
            bits.write(reversed: 0b1100_0101, 8)
            bits.write(0, 5)
        }
        // Eight times 13 bits are 13 bytes, which repeat themselves: sending them costs less than unpacking them.
        let bytes = bits.take()
        connection.send(bytes.prefix(13))
        let data = Data((0..<(1 << 13)).flatMap { _ in bytes[13..<26] })
        while connection.isTaking(data) {}
        connection.close()
    }

    private func drip() {
        head("application/json")
        // A server that is slow: nothing waits for it but the client under test, on a thread of its own.
        while connection.isTaking(Data(" ".utf8)) { Thread.sleep(forTimeInterval: 0.05) }
        connection.close()
    }

    private func page(_ hostility: Hostility) {
        let number = Int(request.target.split(separator: "=").last ?? "") ?? 0
        let next = hostility == .samePage ? number : number + 1
        connection.respond(
            200, ["Content-Type: application/json", "Link: <?page=\(next)>; rel=\"next\""],
            body: #"[{"id":\#(number),"title":"page","body_text":""}]"#)
    }

    // MARK: Large

    /// A list of records of so many bytes at most.
    private func records(_ hostility: Hostility, _ byteCount: Int) {
        head("application/json")
        var maker = RecordMaker(hostility)
        _ = maker.write(upTo: byteCount - (4 << 10)) { connection.isTaking($0) }
        connection.close()
    }
}

/// Writes bits as RFC 1951 has them: the lowest of a byte first.
private struct BitWriter {
    private var bytes: [UInt8] = []
    private var rest: UInt32 = 0
    private var count: UInt32 = 0

    /// All bytes that are whole; the others come with the next.
    mutating func take() -> Data {
        defer { bytes.removeAll(keepingCapacity: true) }
        return Data(bytes)
    }

    mutating func write(_ value: UInt32, _ bitCount: UInt32) {
        rest |= value << count
        count += bitCount
        while count >= 8 {
            bytes.append(UInt8(rest & 0xFF))
            rest >>= 8
            count -= 8
        }
    }

    mutating func write(reversed value: UInt32, _ bitCount: UInt32) {
        for bit in (0..<bitCount).reversed() { write(value >> bit & 1, 1) }
    }
}
