extension DiagnosticCode {
    /// YAML that libyaml rejects.
    package static let yamlSyntax = DiagnosticCode(rawValue: "yaml-syntax")
    /// Bytes that are not UTF-8.
    package static let notUTF8 = DiagnosticCode(rawValue: "not-utf8")
}

extension Diagnostic {
    /// libyaml's own message with its location. `byteOffset` is that of bytes that could not be decoded.
    static func refused(_ failure: YAMLFailure, in source: SchemaSource, byteOffset: Int) -> Diagnostic {
        let lines = TextLines(source.bytes)
        if failure.isEncoding {
            let offset = startOfScalar(at: byteOffset, in: source.bytes)
            let position = lines.position(atByte: offset)
            return undecodable(failure, at: SourceRange(path: source.path, start: position, end: position))
        }
        let mark = lines.positionOfText(failure.mark)
        if let habit = YAMLHabit(lines.line(mark.line), column: mark.column) {
            return habit.diagnostic(path: source.path, line: mark.line)
        }
        let range = SourceRange(path: source.path, start: mark, end: mark)
        var notes: [Note] = []
        if let context = failure.context, failure.contextMark < mark {
            let start = SourceRange(path: source.path, start: failure.contextMark, end: failure.contextMark)
            notes.append(Note(sinceHere(context), at: start))
        }
        return Diagnostic(
            .yamlSyntax, at: range, message: "Invalid YAML: \(failure.problem)", remedy: remedy(for: failure.problem),
            notes: notes)
    }

    /// libyaml points at the invalid continuation byte; the character begins before it.
    private static func startOfScalar(at offset: Int, in bytes: [UInt8]) -> Int {
        let candidates = max(0, offset - 3)..<min(offset, bytes.count)
        let start = candidates.last { bytes[$0] >= 0xC0 }
        return start.map { isUTF8(bytes[$0..<offset]) ? offset : $0 } ?? offset
    }

    /// Invalid bytes are replaced when they are decoded, so that the text has others.
    private static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
        String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
    }

    private static func undecodable(_ failure: YAMLFailure, at range: SourceRange) -> Diagnostic {
        if failure.problem.hasPrefix("control characters") {
            return Diagnostic(
                .yamlSyntax, at: range, message: "Invalid YAML: \(failure.problem)",
                remedy: #"Remove the character, or write it as an escape in double quotes: "\u0001"."#)
        }
        return Diagnostic(
            .notUTF8, at: range, message: "Invalid UTF-8: \(failure.problem)",
            remedy: "Save the file in UTF-8.")
    }

    /// Converts "while parsing a block mapping" to a note: "the block mapping begins here".
    private static func sinceHere(_ context: String) -> String {
        for prefix in ["while parsing a ", "while scanning a "] where context.hasPrefix(prefix) {
            return "The \(context.dropFirst(prefix.count)) begins here"
        }
        return "Detected \(context)"
    }

    private static func remedy(for problem: String) -> String {
        remedies.first { problem.hasPrefix($0.problem) }?.remedy
            ?? "Check the indentation, the quotes and the brackets at this location."
    }

    /// The usual causes of libyaml's messages, by their beginnings.
    private static let remedies: [(problem: String, remedy: String)] = [
        (
            "found character that cannot start any token",
            "Indent with spaces, not tabs. Enclose text that begins with '@', '`', '%' or a tab in quotes."
        ),
        (
            "mapping values are not allowed",
            "Enclose text that contains ': ' in quotes, and check the indentation."
        ),
        ("could not find expected ':'", "Write 'key: value', with a space after the colon."),
        ("did not find expected key", "Begin the keys of one mapping in the same column."),
        ("did not find expected '-'", "Begin the elements of one list in the same column, each with '- '."),
        ("did not find expected ',' or ']'", "Close the list with ']', and put ',' between its elements."),
        ("did not find expected ',' or '}'", "Close the mapping with '}', and put ',' between its keys."),
        ("found unexpected end of stream", "Close the quote."),
        ("found unexpected document indicator", "Close the quote before the document ends."),
        ("found unknown escape character", "Write '\\\\' for a backslash in double quotes, or use single quotes."),
        ("block sequence entries are not allowed", "Begin the list on a line of its own, below its key."),
        ("found duplicate anchor", "Give the second anchor another name."),
        ("found incompatible YAML document", "Remove the %YAML line: schemas are YAML 1.1 or 1.2."),
    ]
}

extension Diagnostic {
    static let yamlSyntaxCatalogue = CatalogueEntry(
        code: .yamlSyntax,
        title: "Invalid YAML",
        explanation: """
            The file cannot be parsed as YAML. The message and the location are those of libyaml. The note, if there \
            is one, shows where the element starts that was being parsed. The cause is often a little earlier in the \
            file.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: string
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: string }
            """)

    static let notUTF8Catalogue = CatalogueEntry(
        code: .notUTF8,
        title: "Not UTF-8",
        explanation: """
            A schema is UTF-8 text. This file contains bytes that are not valid in UTF-8. It was probably saved in an \
            older encoding such as Latin-1, or in UTF-16.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            doc: Les entrées du journal.
            entities:
              Entry:
                attributes: { id: uuid, title: string }
            """,
        right: """
            lockstep: 1
            schema: Journal
            doc: Les entrées du journal.
            entities:
              Entry:
                attributes: { id: uuid, title: string }
            """,
        trigger: .latin1)
}
