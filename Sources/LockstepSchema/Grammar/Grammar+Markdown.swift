extension Grammar {
    /// The reference page of the language, in Markdown.
    public static func markdown() -> String {
        let introduction = """
            # The schema language

            A schema is one file of YAML. This page is printed by `lockstep grammar --format markdown` from the same \
            table that reads schemas, so it says what is true. Editors complete and check schemas by the JSON Schema \
            that `lockstep grammar --format json-schema` prints.

            Only plain `true` and `false` are bools; `yes`, `no`, `on` and `off` are texts. Anchors, aliases and `<<` \
            merges work.
            """
        return ([introduction] + sections.map(\.markdown)).joined(separator: "\n\n") + "\n"
    }
}

extension GrammarSection {
    fileprivate var markdown: String {
        var parts = ["## \(title)", documentation]
        if !shortForms.isEmpty {
            let rows = shortForms.map { [$0.example.code, $0.documentation] }
            parts.append(table(["short form", "meaning"], rows))
        }
        parts.append(table(["key", "value", "default", "meaning"], keys.map(\.row)))
        let choices = keys.compactMap(\.choicesMarkdown)
        if !choices.isEmpty { parts.append(choices.joined(separator: "\n")) }
        parts.append("```yaml\n\(example)\n```")
        return parts.joined(separator: "\n\n")
    }

    private func table(_ heads: [String], _ rows: [[String]]) -> String {
        func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
        return ([line(heads), line(heads.map { _ in "---" })] + rows.map { line($0.map(\.cell)) })
            .joined(separator: "\n")
    }
}

extension KeyDescription {
    fileprivate var row: [String] {
        [name.code, shape.markdown, isRequired ? "required" : fallback, "\(documentation) \(example.code)"]
    }

    /// What the allowed values mean, where there is something to say of them.
    fileprivate var choicesMarkdown: String? {
        let lines = shape.choices.filter { !$0.documentation.isEmpty }.map {
            "  - \($0.value.code): \($0.documentation)"
        }
        return lines.isEmpty ? nil : "- \(name.code)\n" + lines.joined(separator: "\n")
    }
}

extension Shape {
    fileprivate var choices: [Choice] {
        switch self {
        case .choice(let choices): choices
        case .list(let element, _): element.choices
        case .either(let shapes): shapes.flatMap(\.choices)
        default: []
        }
    }

    fileprivate var markdown: String {
        switch self {
        case .text, .prose: "text"
        case .name: "name"
        case .bool: "`true`, `false`"
        case .integer(let least): least == .min ? "whole number" : "whole number from \(least)"
        case .number: "number"
        case .choice(let choices): choices.map(\.value.code).joined(separator: ", ")
        case .list(let element, _): "list: \(element.markdown)"
        case .map(let name, let value, _): "mapping: \(name) name to \(value.markdown)"
        case .section(let name): Grammar.sections.first { $0.name == name }.map { "[\(name)](#\($0.anchor))" } ?? name
        case .type(let noun): noun
        case .either(let shapes): shapes.map(\.markdown).joined(separator: "; or ")
        case .anything: "a value of the type"
        }
    }
}

extension GrammarSection {
    /// The name of the heading in links.
    fileprivate var anchor: String { title.lowercased().split(separator: " ").joined(separator: "-") }
}

extension String {
    fileprivate var code: String { "`\(self)`" }

    /// In a table `|` divides cells.
    fileprivate var cell: String { split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|") }
}
