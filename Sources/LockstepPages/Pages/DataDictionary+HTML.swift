import LockstepHTML

extension DataDictionary {
    /// One searchable page with the diagram, which needs no network.
    package var html: String {
        let page = HTMLPage(
            title: title, subtitle: "version \(version)", searchPrompt: "Search names, types, columns, …",
            body: HTMLContents.body(of: self))
        return page.text
    }
}

/// The parts of the page.
private enum HTMLContents {
    static func body(of dictionary: DataDictionary) -> HTML {
        let documentation = paragraphs(dictionary.documentation)
        let facts = dictionary.facts.map { "<tr><th>\($0.name)</th><td>\(cell($0.value))</td></tr>\n" as HTML }
        return """
            \(documentation)<table class="facts">
            \(facts)</table>
            \(dictionary.chapters.prefix(1).map(index).joined())
            <div class="figure" data-unsearched>
            \(zoom(note: dictionary.diagramNote))
            \(dictionary.diagram.svgMarkup(linksToSections: true))
            </div>
            \(dictionary.chapters.map(chapter))
            """
    }

    /// The sizes of the diagram, of which one is chosen.
    private static func zoom(note: String?) -> HTML {
        let choices: [(value: HTML, label: HTML, isChosen: HTML)] = [
            ("fit", "Fit to the width", ""), ("half", "50 %", ""), ("full", "100 %", " checked"),
        ]
        let buttons = choices.map { value, label, isChosen -> HTML in
            "<label><input type=\"radio\" name=\"zoom\" value=\"\(value)\"\(isChosen)> \(label)</label>\n"
        }
        return "<div class=\"zoom muted\">\n\(buttons)\(note.map { "<span>\($0)</span>\n" } ?? "")</div>"
    }

    /// Links to the sections.
    private static func index(of chapter: Chapter) -> HTML {
        let links = chapter.sections.map { section -> HTML in
            let id = section.anchor.identifier
            return "<li data-for=\"\(id)\"><a href=\"#\(id)\">\(section.title)</a></li>\n"
        }
        return "<nav aria-label=\"\(chapter.title)\"><ul class=\"columns\">\n\(links)</ul></nav>"
    }

    private static func chapter(_ chapter: Chapter) -> HTML {
        let introduction: HTML =
            chapter.introduction.isEmpty ? "" : "<p class=\"muted\">\(chapter.introduction)</p>\n"
        return """
            <div data-chapter>
            <h2>\(chapter.title)</h2>
            \(introduction)\(chapter.sections.map(section))</div>

            """
    }

    private static func section(_ section: Section) -> HTML {
        let names = ([section.title] + section.otherNames).joined(separator: " ")
        let marks = section.marks.map { " <span class=\"mark\">\($0)</span>" as HTML }
        let box = section.box.map { " <a class=\"mark\" href=\"#\($0.identifier)\">in the diagram</a>" as HTML } ?? ""
        let facts = section.facts.map {
            "<tr data-row><th>\($0.name)</th><td>\(cell($0.value))</td></tr>\n" as HTML
        }
        let factTable: HTML = facts.isEmpty ? "" : "<table class=\"facts\" data-group>\n\(facts)</table>\n"
        return """
            <section id="\(section.anchor.identifier)" data-section="\(names)">
            <h3>\(section.title)\(marks)\(box)</h3>
            \(paragraphs(section.documentation))\(factTable)\(section.tables.map(table))\(statements(of: section))\
            </section>

            """
    }

    private static func table(_ table: Table) -> HTML {
        let headings = table.headings.map { "<th>\($0)</th>" as HTML }
        let rows = table.rows.map { row -> HTML in
            "<tr data-row>\(row.map { "<td>\(cell($0))</td>" as HTML })</tr>\n"
        }
        return """
            <div data-group>
            <h4>\(table.title)</h4>
            <table>
            <thead><tr>\(headings)</tr></thead>
            <tbody>
            \(rows)</tbody>
            </table>
            </div>

            """
    }

    private static func statements(of section: Section) -> HTML {
        guard !section.statements.isEmpty else { return "" }
        let text = section.statements.map { $0 + ";" }.joined(separator: "\n\n")
        return "<details data-row><summary>SQL</summary><pre>\(text)</pre></details>\n"
    }

    private static func paragraphs(_ documentation: String?) -> HTML {
        let paragraphs = documentation?.split(separator: "\n\n") ?? []
        return paragraphs.map { "<p data-row>\($0)</p>\n" as HTML }.joined()
    }

    private static func cell(_ cell: Cell) -> HTML {
        cell.spans.map { span -> HTML in
            switch span {
            case .text(let text): "\(text)"
            case .code(let text): "<code>\(text)</code>"
            case .link(let text, let anchor): "<a href=\"#\(anchor.identifier)\"><code>\(text)</code></a>"
            }
        }.joined()
    }
}
