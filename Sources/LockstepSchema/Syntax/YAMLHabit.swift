/// A common mistake at the location where libyaml rejects a line. libyaml says what it expected there, which does not
/// show the mistake.
enum YAMLHabit {
    /// A tab in the indentation, at a column.
    case tab(column: Int)
    /// `[string]?` without quotes, from a column to the one after it.
    case optionalList(String, from: Int, to: Int)

    /// `nil` if there is none of these at the column of the line.
    init?(_ line: String, column: Int) {
        let scalars = Array(line.unicodeScalars)
        guard scalars.indices.contains(column - 1) else { return nil }
        let before = scalars[..<(column - 1)]
        switch scalars[column - 1] {
        case "\t" where before.allSatisfy { $0 == " " || $0 == "\t" }:
            self = .tab(column: column)
        case "?":
            guard let close = before.lastIndex(where: { $0 != " " }), before[close] == "]",
                let open = before[..<close].lastIndex(of: "[")
            else { return nil }
            var name = String.UnicodeScalarView()
            name.append(contentsOf: before[(open + 1)..<close].filter { $0 != " " })
            guard !name.isEmpty, name.allSatisfy({ $0.properties.isAlphabetic || $0 == "_" || $0.isDigit }) else {
                return nil
            }
            self = .optionalList(String(name), from: open + 1, to: column + 1)
        default:
            return nil
        }
    }

    func diagnostic(path: String, line: Int) -> Diagnostic {
        switch self {
        case .tab(let column):
            let start = SourcePosition(line: line, column: column)
            return Diagnostic(
                .yamlSyntax, at: SourceRange(path: path, start: start, end: start),
                message: "Invalid YAML: a tab in the indentation", remedy: "Use spaces, for example two for each level."
            )
        case .optionalList(let name, let from, let end):
            let range = SourceRange(
                path: path, start: SourcePosition(line: line, column: from),
                end: SourcePosition(line: line, column: end))
            // An entity or an enum.
            let note =
                name.first?.isUppercase ?? false
                ? " A to-many relationship cannot be optional: write '[\(name)]'." : ""
            return Diagnostic(
                .yamlSyntax, at: range, message: "Invalid YAML: '[\(name)]?' is not in quotes",
                remedy: "Write '\"[\(name)]?\"' with the quotes." + note)
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
