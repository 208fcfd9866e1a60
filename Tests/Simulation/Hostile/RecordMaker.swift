public import Foundation

/// Makes long lists of records.
public struct RecordMaker {
    private let hostility: Hostility
    private var number = 0

    public init(_ hostility: Hostility) { self.hostility = hostility }

    /// Gives a list of about so many bytes, in pieces, until `take` has had enough.
    ///
    /// - Returns: How many records there were.
    public mutating func write(upTo byteCount: Int, _ take: (Data) -> Bool) -> Int {
        var piece = Data("[".utf8)
        var written = 0
        while written + piece.count < byteCount {
            if number > 0 { piece.append(UInt8(ascii: ",")) }
            piece.append(contentsOf: record().utf8)
            number += 1
            guard piece.count >= 1 << 18 else { continue }
            guard take(piece) else { return number }
            written += piece.count
            piece.removeAll(keepingCapacity: true)
        }
        piece.append(UInt8(ascii: "]"))
        _ = take(piece)
        return number
    }

    private func record() -> String {
        switch hostility {
        case .uuids: #"{"identifier":"\#(uuid)","title":"entry \#(number)","timestamp":1500000000}"#
        case .remoteIdentities: #"{"id":\#(number),"title":"task \#(number)","completed":false}"#
        case .wrong: #"{"id":\#(number),"title":[],"body_text":"wrong"}"#
        default: #"{"id":\#(number),"title":"article \#(number)","body_text":"\#(Self.text)"}"#
        }
    }

    private static let text = "what it is about, told in a sentence of usual size"

    /// UUIDs in no order, as they are.
    private var uuid: String {
        let mixed = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        let text = String(mixed, radix: 16)
        let digits = String(repeating: "0", count: 16 - text.count) + text
        return "\(digits.prefix(8))-\(digits.dropFirst(8).prefix(4))-4\(digits.suffix(3))-8000-\(digits.prefix(12))"
    }
}
