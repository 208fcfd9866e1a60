import LockstepJSON

/// A JSON value whose objects keep the order of their keys, and its text.
enum OrderedJSON {
    case string(String)
    case integer(Int64)
    case bool(Bool)
    case array([OrderedJSON])
    case object([(key: String, value: OrderedJSON)])

    /// The text on several lines, indented by two spaces per level. Lists and objects of plain values are on one line.
    var text: String {
        var output: [UInt8] = []
        write(to: &output, indentation: 0)
        return String(decoding: output, as: UTF8.self)
    }

    private var isPlain: Bool {
        switch self {
        case .string, .integer, .bool: true
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        }
    }

    private func write(to output: inout [UInt8], indentation: Int) {
        switch self {
        case .string(let string): JSONString.append(string, to: &output)
        case .integer(let integer): output += String(integer).utf8
        case .bool(let bool): output += (bool ? "true" : "false").utf8
        case .array(let elements):
            writeParts(
                elements, between: ("[", "]"), isOnOneLine: elements.allSatisfy(\.isPlain), to: &output,
                indentation: indentation
            ) { element, output in
                element.write(to: &output, indentation: indentation + 1)
            }
        case .object(let members):
            let isOnOneLine = members.count <= 1 && members.allSatisfy { $0.value.isPlain }
            writeParts(members, between: ("{", "}"), isOnOneLine: isOnOneLine, to: &output, indentation: indentation) {
                member, output in
                JSONString.append(member.key, to: &output)
                output += ": ".utf8
                member.value.write(to: &output, indentation: indentation + 1)
            }
        }
    }

    private func writeParts<Part>(
        _ parts: [Part], between brackets: (String, String), isOnOneLine: Bool, to output: inout [UInt8],
        indentation: Int, write: (Part, inout [UInt8]) -> Void
    ) {
        func breakLine(_ level: Int) {
            guard !isOnOneLine else { return }
            output.append(UInt8(ascii: "\n"))
            output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
        }
        output += brackets.0.utf8
        for (index, part) in parts.enumerated() {
            if index > 0 { output += (isOnOneLine ? ", " : ",").utf8 }
            breakLine(indentation + 1)
            write(part, &output)
        }
        breakLine(indentation)
        output += brackets.1.utf8
    }
}
