package import Foundation

/// Finds members of a JSON object by their paths, without keeping the rest of it.
package struct JSONMembers {
    private let paths: [[String]]
    private var values: [JSONValue?]

    /// Reads a text once and returns the values that the paths lead to, `nil` for a path that leads to none.
    ///
    /// As in `JSONValue`, the last value of a repeated key counts.
    ///
    /// - Returns: `nil` if the text is no JSON object.
    package static func values(at paths: [[String]], of json: Data) -> [JSONValue?]? {
        json.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                var scanner = JSONScanner(bytes)
                guard scanner.peek() == UInt8(ascii: "{") else { return nil }
                var members = JSONMembers(paths: paths, values: paths.map { _ in nil })
                do throws(JSONSyntaxError) {
                    try members.readObject(&scanner, at: [])
                    try scanner.finish()
                } catch { return nil }
                return members.values
            }
        }
    }

    private mutating func readObject(_ scanner: inout JSONScanner, at prefix: [String]) throws(JSONSyntaxError) {
        try scanner.open(UInt8(ascii: "{"))
        var isFirst = true
        while try !scanner.isClosed(UInt8(ascii: "}"), isFirst: isFirst) {
            isFirst = false
            let path = prefix + [try scanner.key().string]
            let wanted = paths.indices.filter { paths[$0].starts(with: path) { ExactText($0) == ExactText($1) } }
            for index in wanted { values[index] = nil }
            if wanted.isEmpty {
                try scanner.skipValue()
            } else if wanted.allSatisfy({ paths[$0].count > path.count }), scanner.peek() == UInt8(ascii: "{") {
                try readObject(&scanner, at: path)
            } else {
                let value = try JSONValue(&scanner)
                for index in wanted { values[index] = value.value(at: paths[index].dropFirst(path.count)) }
            }
        }
    }
}

extension JSONValue {
    /// The value that these keys lead to.
    package func value(at path: some Sequence<String>) -> JSONValue? {
        var value = self
        for key in path {
            guard case .object(let members) = value, let next = members[key] else { return nil }
            value = next
        }
        return value
    }
}
