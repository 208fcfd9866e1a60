extension DiagnosticCatalogue {
    /// The page of all codes, in Markdown: each with what it means, a schema that causes it, and the same schema fixed.
    package static func markdown() -> String {
        let introduction = """
            # Diagnostics

            Every diagnostic has a stable code. `lockstep check` prints it in brackets after the message.
            """
        let index = entries.map { "- [`\($0.code.rawValue)`](#\($0.code.rawValue)): \($0.title)" }
        let parts = [introduction, index.joined(separator: "\n")] + entries.map(\.markdown)
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// The part of the page that explains one code; `nil` if there is no such code.
    package static func markdown(for code: DiagnosticCode) -> String? {
        entries.first { $0.code == code }.map { $0.markdown + "\n" }
    }
}

extension CatalogueEntry {
    fileprivate var markdown: String {
        """
        ## \(code.rawValue)

        **\(title).** \(explanation)

        \(former)\(wrongHeading)

        ```yaml
        \(wrong)
        ```

        \(rightHeading)

        ```yaml
        \(right)
        ```
        """
    }

    private var wrongHeading: String {
        switch trigger {
        case .text: "Wrong:"
        case .twice: "Wrong, as two files in one run:"
        case .including(let shared):
            """
            The file `Shared.yaml`:

            ```yaml
            \(shared)
            ```

            Wrong:
            """
        case .latin1: "Wrong, saved in Latin-1:"
        case .padded(let byteCount): "Wrong, followed by spaces up to \(byteCount) bytes:"
        case .history: "Wrong, as the history of the schema below:"
        case .recorded(_, version: let version): "Wrong, with a history whose last version is \(version):"
        case .changed, .compared: "The schema now:"
        case .command(let command): "Wrong, with `\(command)`:"
        }
    }

    private var rightHeading: String {
        switch trigger {
        case .history: "The schema:"
        case .changed, .compared: "Without it:"
        default: "Fixed:"
        }
    }

    /// The schema before the change.
    private var former: String {
        let schema: String
        switch trigger {
        case .changed(from: let text), .compared(with: let text): schema = text
        default: return ""
        }
        return """
            The recorded version:

            ```yaml
            \(schema)
            ```


            """
    }
}
