import LockstepJSON

extension DiagnosticRenderer {
    /// The diagnostics as a JSON array of objects, in the order of `text`. The keys are stable: `code`, `severity`,
    /// `message`, `path`, `line`, `column`, `endLine`, `endColumn`, `remedy`, and `notes` of `message` and location.
    package static func json(_ diagnostics: [Diagnostic]) -> String {
        let objects = Diagnostic.sortedWithoutRepeats(diagnostics).map { diagnostic in
            OrderedJSON.object(
                [
                    ("code", .string(diagnostic.code.rawValue)),
                    ("severity", .string(diagnostic.severity.rawValue)),
                    ("message", .string(diagnostic.message)),
                ] + members(of: diagnostic.location) + [
                    ("remedy", .string(diagnostic.remedy)),
                    (
                        "notes",
                        .array(
                            diagnostic.notes.map { note in
                                .object([("message", .string(note.message))] + members(of: note.location))
                            })
                    ),
                ])
        }
        return OrderedJSON.array(objects).text + "\n"
    }

    private static func members(of location: SourceRange) -> [(key: String, value: OrderedJSON)] {
        [
            ("path", .string(location.path)),
            ("line", .integer(Int64(location.start.line))),
            ("column", .integer(Int64(location.start.column))),
            ("endLine", .integer(Int64(location.end.line))),
            ("endColumn", .integer(Int64(location.end.column))),
        ]
    }

    /// The diagnostics as workflow commands of GitHub Actions, which shows them in the source; one line each, in the
    /// order of `text`.
    ///
    /// Source: "Workflow commands for GitHub Actions", and `@actions/core`, `command.ts`, for the escapes.
    package static func github(_ diagnostics: [Diagnostic]) -> String {
        Diagnostic.sortedWithoutRepeats(diagnostics).map(githubCommand).joined()
    }

    private static func githubCommand(_ diagnostic: Diagnostic) -> String {
        let location = diagnostic.location
        let properties = [
            ("file", location.path), ("line", String(location.start.line)), ("col", String(location.start.column)),
            ("title", diagnostic.code.rawValue),
        ]
        let notes = diagnostic.notes.map { note in
            "\(note.message): \(note.location.path):\(note.location.start.line):\(note.location.start.column)"
        }
        let message = ([diagnostic.message] + notes + [diagnostic.remedy]).joined(separator: "\n")
        let list = properties.map { "\($0)=\($1.githubEscaped(isProperty: true))" }.joined(separator: ",")
        let command = diagnostic.severity == .note ? "notice" : diagnostic.severity.rawValue
        return "::\(command) \(list)::\(message.githubEscaped(isProperty: false))\n"
    }
}

extension String {
    fileprivate func githubEscaped(isProperty: Bool) -> String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "%": escaped += "%25"
            case "\r": escaped += "%0D"
            case "\n": escaped += "%0A"
            case ":" where isProperty: escaped += "%3A"
            case "," where isProperty: escaped += "%2C"
            case _ where scalar.isHidden: escaped += String(scalar).visible
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
