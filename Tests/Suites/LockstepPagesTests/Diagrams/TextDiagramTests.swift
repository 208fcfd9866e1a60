import LockstepPages
import TestSupport
import Testing

@Suite("Diagrams in Mermaid and Graphviz")
struct TextDiagramTests {
    private let diagram: Diagram

    init() throws { diagram = Diagram(try PageSamples.schema(PageSamples.journal)) }

    @Test("Mermaid: entities with keys, relationships with cardinality and delete rule")
    func mermaid() {
        #expect(
            diagram.mermaid == """
                erDiagram
                    "Entry" {
                        uuid id PK
                        string title
                        Mood mood "optional"
                        string[] labels
                        Entry previous FK "optional"
                    }
                    "Note" {
                        int id PK
                        string text
                        Entry entry FK
                    }
                    "Tag" {
                        int id PK
                        string name UK
                    }
                    "Draft"["Draft (on the device)"] {
                        uuid id PK
                        string _uk "optional"
                    }
                    "Entry" |o--o{ "Entry" : "following / previous"
                    "Entry" ||--o{ "Note" : "notes · cascade · embedded / entry"
                    "Entry" }o--o{ "Tag" : "tags / entries"

                """)
    }

    @Test("The scope of records is beside the name of their entity")
    func scopes() throws {
        let diagram = Diagram(try PageSamples.schema(PageSamples.lists))
        let notes = ["scope: self", "scope: list", "scope: member", "scope: user", "scope: public", "on the device"]
        #expect(diagram.boxes.map(\.note) == notes)
        #expect(diagram.mermaid.contains("    \"Member\"[\"Member (scope: list)\"] {\n"))
        #expect(diagram.graphviz.contains("<b>Member</b> <i>scope: list</i>"))
    }

    @Test("Only keys are drawn if that is asked for")
    func keys() throws {
        let diagram = Diagram(try PageSamples.schema(PageSamples.journal), hasOnlyKeys: true)
        #expect(
            diagram.boxes.map { $0.rows.map(\.name) } == [
                ["id", "previous"], ["id", "entry"], ["id", "name"], ["id"],
            ])
    }

    @Test("A relationship that is its own inverse is one link with one name")
    func symmetric() throws {
        let diagram = Diagram(
            try PageSamples.schema(
                """
                lockstep: 1
                schema: People
                entities:
                  Person:
                    attributes: { id: int }
                    relationships:
                      friends: { to: [Person], inverse: friends }
                      spouse: { to: Person?, inverse: spouse }

                """))
        #expect(diagram.mermaid.contains("\"Person\" }o--o{ \"Person\" : \"friends\"\n"))
        #expect(diagram.mermaid.contains("\"Person\" |o--o| \"Person\" : \"spouse\"\n"))
        #expect(diagram.links.count == 2)
    }

    /// The part of Mermaid's grammar (`erDiagram.jison`) that these diagrams use.
    @Test("Every schema's Mermaid has the form of its grammar", arguments: PageSamples.paths)
    func grammar(_ path: String) throws {
        let diagram = Diagram(try PageSamples.schema(at: path))
        let word = "[*A-Za-z_\\u00C0-\\uFFFF][A-Za-z0-9_\\[\\]\\u00C0-\\uFFFF]*"
        let name = "\"[^\"%\\r\\n\\\\]+\""
        let attribute = "        (?!(?i:pk|fk|uk)\\b)\(word) (?!(?i:pk|fk|uk)\\b)\(word)"
        let lines = [
            "    \(name)(\\[\(name)\\])?( \\{)?", "    \\}",
            "\(attribute)( (PK|FK|UK)(, (PK|FK|UK))*)?( \"(optional|not stored|optional, not stored)\")?",
            "    \(name) (\\|\\||\\|o|\\}o)--(\\|\\||o\\||o\\{) \(name) : \"[^\"]*\"",
        ]
        let expression = try Regex(lines.map { "(\($0))" }.joined(separator: "|"))
        let text = diagram.mermaid
        #expect(text.hasPrefix("erDiagram\n"))
        for line in text.split(separator: "\n").dropFirst() {
            #expect(try expression.wholeMatch(in: String(line)) != nil, "\(line)")
        }
    }

    @Test("An attribute that is not stored is marked")
    func transient() throws {
        let diagram = Diagram(
            try PageSamples.schema(
                PageSamples.journal.replacing("labels: [string]", with: "labels: { type: string?, transient: true }")))
        #expect(diagram.mermaid.contains("        string labels \"optional, not stored\"\n"))
        #expect(diagram.graphviz.contains("<td align=\"left\"><i>labels</i></td>"))
        #expect(diagram.svg.contains("<text class=\"transient\""))
        #expect(diagram.svg.contains("italic: not stored"))
        #expect(!self.diagram.svg.contains("italic: not stored"))
    }

    @Test("Graphviz: tables with rows, arrows in crow's-foot notation")
    func graphviz() {
        let text = diagram.graphviz
        #expect(text.hasPrefix("digraph \"Journal\" {\n    rankdir=LR\n"))
        #expect(
            text.contains(
                "<tr><td align=\"left\">UK</td><td align=\"left\">name</td><td align=\"left\">string</td></tr>"))
        #expect(
            text.contains(
                """
                    "Entry" -> "Note" [label="notes · cascade · embedded\\nentry", arrowtail=teetee, arrowhead=crowodot]

                """))
        #expect(text.contains("style=\"dashed\""))
    }
}
