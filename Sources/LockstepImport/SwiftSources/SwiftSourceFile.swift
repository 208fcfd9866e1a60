import Foundation

/// The text of a file of Swift, with its lines as the report counts them.
struct SwiftSourceFile {
    /// As the report names it.
    let name: String
    let bytes: [UInt8]
    /// The number of its first line, of all files.
    let firstLine: Int
    /// The offsets of the beginnings of its lines.
    private let starts: [Int]

    /// The largest file that is read, in bytes. Files of models have a few thousand.
    static let sizeLimit = 256 << 10

    /// - Throws: ``ImportFailure`` if it is no text, is too large, or is nested too deep.
    init(_ data: Data, name: String, firstLine: Int) throws(ImportFailure) {
        guard data.count <= Self.sizeLimit else {
            throw ImportFailure(
                name,
                reason: "It has \(data.count) bytes; at most \(Self.sizeLimit) are read. Import only the files of "
                    + "models.")
        }
        let bytes = Array(data)
        guard !bytes.contains(0), String(data: data, encoding: .utf8) != nil else {
            throw ImportFailure(name, reason: "It is not UTF-8 text.")
        }
        let starts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
        if let end = SwiftScan.end(in: bytes) {
            throw ImportFailure(
                name, line: bytes[..<end].filter { $0 == UInt8(ascii: "\n") }.count + 1,
                reason: "Its brackets are nested more than \(SwiftScan.depthLimit) deep. Import only the files of "
                    + "models.")
        }
        (self.bytes, self.name, self.firstLine, self.starts) = (bytes, name, firstLine, starts)
    }

    var lineCount: Int { starts.count }

    /// The line of an offset, of all files.
    func line(_ offset: Int) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return firstLine + low
    }

    func text(in range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
    }
}
