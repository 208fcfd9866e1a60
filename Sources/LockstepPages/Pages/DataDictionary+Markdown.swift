import LockstepSchema

extension DataDictionary {
    /// A page in GitHub Flavored Markdown, with the diagram in Mermaid.
    package var markdown: String {
        let opening = ["# \(MarkdownText.escaped(title))"] + MarkdownContents.paragraphs(documentation)
        let picture = MarkdownText.block(String(diagram.mermaid.dropLast()), language: "mermaid")
        let body = [MarkdownContents.list(of: facts), picture, diagramNote].compactMap(\.self)
        return (opening + body + chapters.flatMap(MarkdownContents.blocks)).joined(separator: "\n\n") + "\n"
    }
}

/// The parts of the page: blocks with an empty line between them.
private enum MarkdownContents {
    static func blocks(of chapter: Chapter) -> [String] {
        let introduction = chapter.introduction.isEmpty ? [] : [chapter.introduction]
        return ["## \(chapter.title)"] + introduction + chapter.sections.flatMap(blocks)
    }

    private static func blocks(of section: Section) -> [String] {
        let marks = section.marks.map { " (\($0))" }.joined()
        let heading = "### <a id=\"\(section.anchor.identifier)\"></a>\(MarkdownText.escaped(section.title))\(marks)"
        return [heading] + paragraphs(section.documentation) + (section.facts.isEmpty ? [] : [list(of: section.facts)])
            + section.tables.flatMap { ["**\($0.title)**", text(of: $0)] } + statements(of: section)
    }

    static func paragraphs(_ documentation: String?) -> [String] {
        documentation.map { $0.split(separator: "\n\n").map { MarkdownText.escaped(trimmed($0)) } } ?? []
    }

    private static func trimmed(_ text: Substring) -> String {
        text.split(separator: "\n").joined(separator: " ")
    }

    static func list(of facts: [Fact]) -> String {
        facts.map { "- \($0.name): \(text(of: $0.value, MarkdownText.code))" }.joined(separator: "\n")
    }

    private static func text(of table: Table) -> String {
        let rule = table.headings.map { _ in "---" }
        let rows = [table.headings, rule] + table.rows.map { $0.map { text(of: $0, MarkdownText.codeInTable) } }
        return rows.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }

    private static func text(of cell: Cell, _ code: (String) -> String) -> String {
        cell.spans.map { span in
            switch span {
            case .text(let text): MarkdownText.escaped(text)
            case .code(let text): code(text)
            case .link(let text, let anchor): "[\(code(text))](#\(anchor.identifier))"
            }
        }.joined()
    }

    private static func statements(of section: Section) -> [String] {
        guard !section.statements.isEmpty else { return [] }
        let text = section.statements.map { $0 + ";" }.joined(separator: "\n\n")
        return ["<details><summary>SQL</summary>", MarkdownText.block(text, language: "sql"), "</details>"]
    }
}
