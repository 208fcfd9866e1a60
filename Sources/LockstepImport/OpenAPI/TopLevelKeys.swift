/// The keys of the outermost object of a YAML or JSON text, found without parsing all of it.
struct TopLevelKeys {
    /// The keys, each with the beginning of its value.
    private(set) var values: [String: String] = [:]

    /// The number of bytes that are kept of a value.
    private static let valueLimit = 200

    init(_ bytes: [UInt8]) {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let first = bytes[start...].first { !" \n\r\t".utf8.contains($0) }
        if first == UInt8(ascii: "{") { readJSON(bytes) } else { readYAML(bytes[start...]) }
    }

    private mutating func readYAML(_ bytes: ArraySlice<UInt8>) {
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let first = line.first, !" \t#-\r".utf8.contains(first),
                let colon = line.firstIndex(of: UInt8(ascii: ":"))
            else { continue }
            let key = String(decoding: line[..<colon], as: UTF8.self)
            let value = line[(colon + 1)...].prefix(Self.valueLimit)
            values[key.trimmingQuotes] = String(decoding: value, as: UTF8.self).trimmingQuotes
        }
    }

    private mutating func readJSON(_ bytes: [UInt8]) {
        var (depth, index) = (0, 0)
        var key: String?
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                let start = index + 1
                index = start
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                guard depth == 1 else { break }
                let text = String(
                    decoding: bytes[start..<min(index, bytes.count, start + Self.valueLimit)], as: UTF8.self)
                if let open = key {
                    values[open] = text
                    key = nil
                } else {
                    key = text
                    values[text] = ""
                }
            case UInt8(ascii: ",") where depth == 1: key = nil
            default: break
            }
            index += 1
        }
    }
}

extension String {
    fileprivate var trimmingQuotes: String {
        String(drop { " \t\r\"'".contains($0) }.reversed().drop { " \t\r\"'".contains($0) }.reversed())
    }
}
