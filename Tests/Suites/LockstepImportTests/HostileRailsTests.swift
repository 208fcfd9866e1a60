import Foundation
import LockstepImport
import Testing

@Suite("Files that are no usable Rails schemas")
struct HostileRailsTests {
    private func schema(_ lines: String) -> String {
        "ActiveRecord::Schema[7.1].define(version: 1) do\n\(lines)\nend\n"
    }

    private func table(_ lines: String) -> String {
        schema("  create_table \"items\" do |t|\n\(lines)\n  end")
    }

    private func failure(_ text: String) throws -> ImportFailure? {
        #expect(throws: ImportFailure.self) { try importing(text, file: "schema.rb") }
    }

    @Test("A file that breaks off names the line of the block")
    func truncated() throws {
        let failure = try #require(try failure(table("    t.string \"a\"").replacingOccurrences(of: "end", with: "")))
        #expect(failure.line == 2)
        #expect(failure.reason.contains("has no 'end'"))
    }

    @Test("An 'end' too many, two tables of one name and no table are refused with the line")
    func contradictions() throws {
        #expect(try failure(table("") + "end\n")?.line == 6)
        let twice = "  create_table \"a\" do |t|\n  end\n"
        #expect(try failure(schema(twice + twice))?.line == 4)
        #expect(try failure(schema(""))?.reason.contains("has no table") == true)
        #expect(
            try failure(schema("  create_table \"schema_migrations\" do |t|\n  end"))?.reason.contains("records")
                == true)
    }

    @Test("Text that is no UTF-8 is refused")
    func encoding() throws {
        for byte in [UInt8(0xFF), 0] {
            let data = Data(table("").utf8) + [byte]
            let failure = try #require(#expect(throws: ImportFailure.self) { try importing(data, file: "schema.rb") })
            #expect(failure.reason.contains("is not UTF-8 text"))
        }
    }

    @Test(
        "Ruby of another shape is reported with its line, and neither run nor guessed",
        arguments: [
            "t.string \"a\" + \"b\"", "t.string \"a#{`date`}\"", "t.string name", "system(\"date\")",
            "t.string \"a\", null: false if true", "t.string \"a\", limit: 4 * 20", "t.string(\"a\", null: false",
            "t.string \"a\", default: \"\\x41\"", "t.string [[[[[[[[[[[[[[[[[[[[[[\"a\"]]]]]]]]]]]]]]]]]]]]]]",
            "t.remove \"a\"", "%w[a b].each { |n| t.string n }", "t.string \"a\",", "t.string", "t.unheard \"a\"",
        ])
    func otherShapes(line: String) throws {
        let imported = try importing(table("    \(line)"), file: "schema.rb")
        #expect(imported.report.notes.contains { $0.kind == .left && $0.location == "schema.rb:3" })
        #expect(!imported.text.contains(" a: "))
    }

    @Test(
        "What looks like code in a string, a comment or a heredoc is none",
        arguments: [
            "t.string \"a\", default: \"<<-x\"", "t.string \"a\" # <<-x", "t.string \"a\", default: 'x # y <<~SQL'",
            "t.string \"a\", default: \"x\nend\n\"", "t.string \"a\", default: \"\\\"<<-x\"",
            "t.string \"a\"\n=begin\n    end\n    t.string \"z\"\n=end", "t.string \"a\" # all that is left to do",
            "t.string \"a\"\n    x(1 + 2) # things to do", "t.string \"a\"\n    execute(%q(it's a \"(quote) do))",
            "t.string \"a\"\n    execute <<~SQL2, <<-'THE END'\n  end\n  SQL2\n  end\n  THE END",
            "t.string \"a\"\n    execute <<SQL\n  SQL\n  end\nSQL", "t.string \"a\"\n    %w[' \"].each do |x|\n    end",
            "t.string \"a\"\n    if true\n    t.string \"z\"\n    end # of if", "t.string \"a\", default: \"%q(\"",
            "t.string \"a\"\n    x 4 % 2, 4%(2), 4 <<2",
        ])
    func lexicalConfusions(lines: String) throws {
        let imported = try importing(table("    \(lines)\n    t.string \"b\"") + "__END__\nend '", file: "schema.rb")
        #expect(imported.lines.contains { $0.hasPrefix("a: ") } && imported.lines.contains("b: string?"))
        #expect(!imported.text.contains(" z: "))
    }

    @Test(
        "A text that is not closed is refused with its line",
        arguments: ["t.string \"a", "x <<~SQL\n  SQLS", "x %w[[a]", "t.string 'a\\'", "\n=begin\n"])
    func unclosed(line: String) throws {
        let failure = try #require(try failure(table(line)))
        #expect(failure.line == (line.hasPrefix("\n") ? 4 : 3))
        #expect(failure.reason.hasPrefix("The text that begins here has no end."))
    }

    @Test("Lines as people write them are read as those that Rails writes")
    func shapes() throws {
        let text = table(
            """
                t.string( 'a', :limit => 5, null: false ) # a comment
                t.integer "b", "c", default: 1_000
                t.column :d, :date
                t.string "e", default: "it's \\"quoted\\" \\u00e9 \\\\ \\#{x}"
            """)
        let imported = try importing(text, file: "schema.rb").text
        #expect(imported.contains("a: { type: string, maxLength: 5 }"))
        #expect(imported.contains("b: { type: int?, default: 1000 }"))
        #expect(imported.contains("c: { type: int?, default: 1000 }"))
        #expect(imported.contains("d: day?"))
        #expect(imported.contains(#"e: { type: string?, default: "it's \"quoted\" é \\ #{x}" }"#))
    }

    @Test("More columns or indexes than a table can have are refused with the line")
    func manyColumns() throws {
        let columns = (0...5_000).map { "    t.string \"c\($0)\"" }
        let failure = try #require(try failure(table(columns.joined(separator: "\n"))))
        #expect(failure.line == 5_003)
        #expect(failure.reason.contains("has more than 5000 columns"))
        let indexes = Array(repeating: "    t.index [\"a\"]", count: 1_001)
        #expect(try self.failure(table(indexes.joined(separator: "\n")))?.line == 1_003)
    }

    @Test("Ten thousand tables that refer to one are read")
    func many() throws {
        let tables = (0..<10_000).map { number in
            "  create_table \"things\(number)\" do |t|\n    t.references \"hub\", foreign_key: true\n"
                + "    t.index [\"hub_id\"]\n  end"
        }
        let text = schema("  create_table \"hubs\" do |t|\n  end\n" + tables.joined(separator: "\n"))
        #expect(try importing(text, file: "schema.rb").report.counts.relationships == 20_000)
    }

    @Test("A name that is too long is refused with its line")
    func longNames() throws {
        let name = String(repeating: "a_", count: 501)
        for text in [
            "  create_table \"\(name)\" do |t|\n  end", "  create_table \"a\", primary_key: \"\(name)\" do |t|\n  end",
            "  create_join_table \"\(name)\", \"b\"", "  create_enum \"\(name)\", [\"a\"]",
        ] {
            let failure = try failure(schema(text))
            #expect(failure?.line == 2)
            #expect(failure?.reason.hasSuffix("has 1002 bytes; at most 1000 are read. Shorten it.") == true)
        }
        for column in ["t.string \"\(name)\"", "t.references \"\(name)\"", "t.column \"\(name)\", :date"] {
            #expect(try failure(table("    \(column)"))?.line == 3)
        }
        #expect(try importing(table("    t.string \"\(name.dropLast(2))\""), file: "schema.rb").text.contains("aA"))
    }
}
