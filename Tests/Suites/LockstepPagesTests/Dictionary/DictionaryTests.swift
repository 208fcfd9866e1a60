import Foundation
import LockstepEvolution
import LockstepPages
import LockstepSchema
import TestSupport
import Testing

@Suite("Data dictionaries")
struct DictionaryTests {
    @Test("Markdown: an entity with its attributes, relationships and table")
    func markdown() throws {
        let text = DataDictionary(try PageSamples.schema(PageSamples.journal), history: nil).markdown
        #expect(text.hasPrefix("# Journal\n\nA journal.\n\n- Version: 1\n"))
        #expect(text.contains("```mermaid\nerDiagram\n"))
        let tag = try #require(text.components(separatedBy: "\n### ").first { $0.hasPrefix("<a id=\"entity-Tag\">") })
        #expect(
            tag == """
                <a id="entity-Tag"></a>Tag

                - Identity: `id`
                - Table: `tag`
                - Server: `/tags`: create, update, delete
                - Swift: `Tag`, `TagRepresentation`

                **Attributes**

                | Name | Type | JSON | Column | Notes |
                | --- | --- | --- | --- | --- |
                | `id` | `int` | `id` | `id` | identity |
                | `name` | `string` | `tagName` | `name` | unique |

                **Relationships**

                | Name | To | Inverse | On delete | JSON | Stored in |
                | --- | --- | --- | --- | --- | --- |
                | `entries` | [`[Entry]`](#entity-Entry) | `tags` | nullify | `entryIDs`: identities | [`entry_tag`](#table-entry_tag) |

                **Indexes and unique values**

                | Columns | Unique |
                | --- | --- |
                | `name` | yes |

                <details><summary>SQL</summary>

                ```sql
                CREATE TABLE "tag" (
                    "id" INTEGER PRIMARY KEY NOT NULL,
                    "name" TEXT NOT NULL UNIQUE
                );

                CREATE TRIGGER "tag_delete" AFTER DELETE ON "tag"
                BEGIN
                    DELETE FROM "entry_tag" WHERE "tag_id" = OLD."id";
                END;
                ```

                </details>

                """)
    }

    @Test("Everything that a schema says is on both pages", arguments: PageSamples.paths)
    func everything(_ path: String) throws {
        let schema = try PageSamples.schema(at: path)
        let dictionary = DataDictionary(schema, history: nil)
        let (html, markdown) = (dictionary.html, dictionary.markdown)
        var names: [String] = []
        for entity in schema.entities {
            names += [entity.tableName, entity.representationName] + entity.columns.map(\.name)
            names += entity.attributes.map(\.name) + entity.relationships.map(\.name) + entity.indexes.map(\.name)
            names += entity.attributes.flatMap { $0.wire?.path ?? [] }
        }
        names += schema.enumerations.flatMap { [$0.name] + $0.cases.map(\.name) } + schema.customTypes.map(\.name)
        names += schema.abstractEntities.map(\.name) + schema.joinTables.map(\.name)
        // What is escaped is tested with hostile texts.
        let plain = names.filter { $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } }
        for name in Set(plain) {
            #expect(html.contains(name), "\(name)")
            #expect(markdown.contains(name), "\(name)")
        }
    }

    @Test("Every link on a page leads to a section of it", arguments: PageSamples.paths)
    func links(_ path: String) throws {
        let dictionary = DataDictionary(try PageSamples.schema(at: path), history: nil)
        let html = dictionary.html
        for link in html.matches(of: /href="#([^"]+)"/) {
            #expect(html.contains("id=\"\(link.1)\""), "\(link.1)")
        }
        let markdown = dictionary.markdown
        for link in markdown.matches(of: /\]\(#([^)]+)\)/) {
            #expect(markdown.contains("<a id=\"\(link.1)\"></a>"), "\(link.1)")
        }
        #expect(!html.matches(of: /href="(?!#)/).contains { _ in true })
    }

    @Test("Limits, defaults and the forms of values are said in words")
    func values() throws {
        let text = DataDictionary(try PageSamples.schema(at: "Schemas/KitchenSink.yaml"), history: nil).markdown
        for row in [
            "| `small` | `int16` | `-1` | -100 to 100 | `small` | `small` |",
            "| `name` | `string` |  | 1 to 200 characters | `name` | `name` |",
            "| `optionalExact` | `decimal?` |  |  | `optional_exact` as text | `optional_exact` |",
            "| `optionalLink` | `url?` |  |  | `links.self` | `optional_link` |",
            "| `draft` | `string` | `\"\"` |  |  |  | not stored |",
            "| `oldSku` | `string?` |  |  | `old_sku` | `old_sku` | deprecated: use sku |",
            "| `photo` | `attachment?` |  |  | `photo` | `photo` | a file, sent separately |",
        ] {
            #expect(text.contains(row), "\(row)")
        }
        #expect(text.contains("`words` | `[string]` | `[]`"))
        #expect(text.contains("- Identity: `localID` on the device, `remoteID` on the server\n"))
        #expect(text.contains("- Server: never sent\n"))
        #expect(text.contains("formerly `code`; Stock keeping unit."))
    }

    @Test("Who reads and writes the records of a scope is said in words")
    func access() throws {
        let schema = try PageSamples.schema(PageSamples.lists)
        let text = DataDictionary(schema, history: nil).markdown
        #expect(text.contains("- Users: the claim `user_id` of a token\n"))
        func facts(_ entity: String) throws -> String {
            let section = text.components(separatedBy: "\n### ").first { $0.hasPrefix("<a id=\"entity-\(entity)\">") }
            let lines = try #require(section).split(separator: "\n")
            return lines.filter { $0.contains(/^- (Scope|Read by|Written by):/) }.joined(separator: "\n")
        }
        #expect(
            try facts("List") == """
                - Scope: each record is one
                - Read by: `owner`, `members.user`
                - Written by: `owner`
                """)
        #expect(
            try facts("Member") == """
                - Scope: that of `list`, [`List`](#entity-List)
                - Read by: who reads [`List`](#entity-List)
                - Written by: who writes [`List`](#entity-List); of these: `list.owner`
                """)
        #expect(
            try facts("Step") == """
                - Scope: that of `member`, [`Member`](#entity-Member)
                - Read by: who reads [`Member`](#entity-Member)
                - Written by: who writes [`Member`](#entity-Member)
                """)
        #expect(
            try facts("Profile") == """
                - Scope: the user in `user`
                - Read by: `user`
                - Written by: `user`
                """)
        #expect(
            try facts("Country") == """
                - Scope: public
                - Read by: everybody
                - Written by: nobody
                """)
        #expect(try facts("Draft") == "")
    }

    @Test("Functions of a server that say who reads are named, and nothing else is said")
    func customAccess() throws {
        let schema = try PageSamples.schema(
            """
            lockstep: 1
            schema: Tasks
            server: { access: custom }
            entities:
              List: { scope: self, attributes: { id: uuid } }

            """)
        let text = DataDictionary(schema, history: nil).markdown
        #expect(
            text.contains("- Users: the claim `sub` of a token; functions of the server say who reads and writes\n"))
        #expect(text.contains("- Scope: each record is one\n"))
        #expect(!text.contains("Read by") && !text.contains("Written by"))
    }

    @Test("Versions, the last one first, with their changes")
    func versions() throws {
        let schema = try PageSamples.schema(PageSamples.journal)
        let former = try PageSamples.schema(
            PageSamples.journal.replacing("title: { type: string, minLength: 1, maxLength: 80 }", with: "title: string")
        )
        let (base, tree) = (SchemaTree(former.structure), SchemaTree(schema.structure))
        var history = SchemaHistory(beginningWith: base, version: 1, name: "first", isReleased: true)
        history.versions.append(
            .init(
                number: 2, hash: StructureHash(tree),
                changes: try SchemaDiff.changes(from: base, to: tree, renames: [:])))
        let text = DataDictionary(schema, history: history).markdown
        let versions = try #require(text.components(separatedBy: "\n## Versions\n").last)
        #expect(
            versions.hasPrefix(
                "\n### <a id=\"version-2\"></a>Version 2\n\n**Changes**\n\n| Change |\n| --- |\n| `Entry.title: "))
        #expect(versions.hasSuffix("\n### <a id=\"version-1\"></a>Version 1: first (released)\n"))
    }

    @Test(
        "Documentation and names are text in Markdown",
        arguments: [
            ("a | b", "a \\| b"), ("<img src=x>", "&lt;img src=x&gt;"),
            ("*x* _y_ `z` [l](u)", "\\*x\\* \\_y\\_ \\`z\\` \\[l\\](u)"),
            ("# no heading", "\\# no heading"), ("a\\b & c", "a\\\\b &amp; c"),
        ])
    func markdownEscapes(_ text: String, _ escaped: String) throws {
        let quoted = "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        let schema = try PageSamples.schema(
            PageSamples.journal.replacing("doc: One page of the journal.", with: "doc: \(quoted)"))
        #expect(DataDictionary(schema, history: nil).markdown.contains("\n\n\(escaped)\n\n"))
    }

    @Test("Each entity's section leads to its box, and the box to the section")
    func boxes() throws {
        let html = DataDictionary(try PageSamples.schema(PageSamples.journal), history: nil).html
        #expect(html.contains("<a class=\"mark\" href=\"#diagram-Tag\">in the diagram</a>"))
        #expect(html.contains("<g class=\"entity\" id=\"diagram-Tag\" data-entity=\"Tag\">"))
        for zoom in ["fit", "half", "full"] { #expect(html.contains("name=\"zoom\" value=\"\(zoom)\"")) }
    }

    @Test("From 60 entities on, the diagram shows only keys, and says so")
    func largeDiagrams() throws {
        let note = "The diagram shows only keys, because there are many entities."
        for (count, hasOnlyKeys) in [(59, false), (60, true)] {
            let dictionary = DataDictionary(try PageSamples.schema(PageSamples.large(entities: count)), history: nil)
            let diagram = try #require(dictionary.html.split(separator: "<svg").last?.split(separator: "</svg>").first)
            #expect(diagram.contains(">attribute0</text>") != hasOnlyKeys)
            #expect(dictionary.html.contains(note) == hasOnlyKeys && dictionary.markdown.contains(note) == hasOnlyKeys)
        }
    }

    @Test("Code with backticks and bars stays in its cell")
    func markdownCode() throws {
        let schema = try PageSamples.schema(
            PageSamples.journal.replacing("key: tagName", with: #"key: "a`` | `b""#))
        #expect(DataDictionary(schema, history: nil).markdown.contains("| ```a`` \\| `b``` | `name` | unique |"))
    }

    @Test("Outside of tables, a bar in code is a bar")
    func barsInLists() throws {
        let schema = try PageSamples.schema(
            PageSamples.journal.replacing("  Tag:\n", with: "  Tag:\n    table: \"a|b\"\n"))
        #expect(DataDictionary(schema, history: nil).markdown.contains("\n- Table: `a|b`\n"))
    }
}
