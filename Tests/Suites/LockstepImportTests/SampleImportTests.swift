import Foundation
import LockstepImport
import LockstepSchema
import Testing

@Suite("Sample JSON becomes a schema")
struct SampleImportTests {
    @Test("A fixture of each kind of response becomes the expected schema and report", arguments: SampleFixture.all)
    func fixture(_ fixture: SampleFixture) throws {
        let imported = try fixture.imported()
        #expect(try imported.text == ImportFixture.expected("\(fixture.name).lockstep.yaml"))
        let report = imported.report.text("Schemas/\(fixture.name).yaml")
        #expect(try report == ImportFixture.expected("\(fixture.name).txt"))
    }

    @Test("The schema breaks no rule", arguments: SampleFixture.all)
    func rules(_ fixture: SampleFixture) throws {
        let text = try fixture.imported().text
        let reading = readSchemas([SchemaSource(path: "\(fixture.name).yaml", bytes: Array(text.utf8))])
        #expect(reading.diagnostics.isEmpty)
        #expect(reading.schemas.map(\.name) == [fixture.name])
    }

    // MARK: Values

    @Test(
        "A type is only inferred if every value has it",
        arguments: [
            (["1", "2", "3"], "int"), (["1", "2.0", "3"], "double"), (["1", "0.1234567890123456789", "3"], "decimal"),
            (["12345678901234567890", "1", "2"], "decimal"), (["1e300", "1", "2"], "double"),
            (["true", "false", "true"], "bool"), (["1", "true", "0"], "json"), (["1", "\"a\"", "2"], "json"),
            ([#""a""#, #""b""#, #""c""#], "string"), (["null", "1", "2"], "int?"), (["null", "null", "null"], "json?"),
            (["[1]", "[]", "[2]"], "[int]"), (["[1]", "[\"a\"]", "[2]"], "[json]"), (["[]", "[]", "[]"], "[json]"),
            (["[[1]]", "[]", "[]"], "[json]"), (["[1]", "1", "1"], "json"),
            (["[\"2024-05-01T08:30:00Z\"]", "[]", "[]"], "[date]"),
        ])
    func values(_ values: [String], _ type: String) throws {
        #expect(try member("value", values) == "value: \(type)")
    }

    @Test(
        "Texts are other values if they come back as they are",
        arguments: [
            ("amount", ["1", "2", "30"], "amount: { type: int, wire: string }"),
            ("amount", ["1.5", "2", "30"], "amount: { type: decimal, wire: string }"),
            (
                "amount", ["1.50", "2", "30"],
                "amount: string  # numbers, which `decimal` writes without zeros at the end"
            ), ("amount", ["01", "2", "30"], "amount: string"),
            ("phone", ["1", "2", "3"], "phone: string"), ("zip_code", ["1", "2", "3"], "zipCode: string"),
            ("owner_id", ["1", "2", "3"], "ownerID: string"), ("amount", ["1", "2", "x"], "amount: string"),
            (
                "token",
                [
                    "0b6c3f0e-3d5c-4f57-9a0a-3f3b7a8f7c11", "0b6c3f0e-3d5c-4f57-9a0a-3f3b7a8f7c12",
                    "0b6c3f0e-3d5c-4f57-9a0a-3f3b7a8f7c13",
                ], "token: uuid"
            ),
            (
                "token",
                [
                    "0B6C3F0E-3D5C-4F57-9A0A-3F3B7A8F7C11", "0b6c3f0e-3d5c-4f57-9a0a-3f3b7a8f7c12",
                    "0b6c3f0e-3d5c-4f57-9a0a-3f3b7a8f7c13",
                ], "token: string  # UUIDs in upper case, which `uuid` writes in lower case"
            ),
            ("link", ["https://a.example", "http://b.example/x?y=1", "https://c.example"], "link: url"),
            ("link", ["https://a.example", "/relative", "https://c.example"], "link: string"),
            ("link", ["mailto:a@example.com", "mailto:b@example.com", "mailto:c@example.com"], "link: string"),
        ])
    func texts(_ key: String, _ values: [String], _ line: String) throws {
        #expect(try member(key, values.map { "\"\($0)\"" }) == line)
    }

    @Test(
        "A date has one format, or it is a text",
        arguments: [
            (["2024-05-01T08:30:00Z", "2024-05-02T08:30:00.5Z", "2024-05-03T08:30:00+02:00"], "date"),
            (["2024-05-01", "2024-05-02", "2024-12-31"], "day"),
            (["2024-05-01", "2024-05-02", "2024-05-32"], "string"),
            (["2024-05-01", "2024-05-02T08:30:00Z", "2024-05-03"], "string"),
            (["01/02/2024", "02/02/2024", "03/02/2024"], "string"),
            (
                ["2024-05-01 08:30:00", "2024-05-02 08:30:00", "2024-05-03 08:30:00"],
                "{ type: date, wire: \"yyyy-MM-dd HH:mm:ss\" }"
            ),
            (
                [
                    "Wed, 01 May 2024 08:30:00 GMT", "Thu, 02 May 2024 08:30:00 GMT", "Fri, 03 May 2024 08:30:00 GMT",
                ], "{ type: date, wire: \"EEE, dd MMM yyyy HH:mm:ss 'GMT'\" }"
            ),
            (
                ["2024-05-01T08:30:00", "2024-05-02T08:30:00", "2024-05-03T08:30:00"],
                "{ type: date, wire: \"yyyy-MM-dd'T'HH:mm:ss\" }"
            ),
        ])
    func dates(_ values: [String], _ type: String) throws {
        #expect(try member("value", values.map { "\"\($0)\"" }) == "value: \(type)")
    }

    @Test(
        "Numbers are times if their key says so",
        arguments: [
            ("created_at", ["1714550400", "1714550401", "1714550402"], "{ type: date, wire: secondsSince1970 }"),
            ("created_at", ["1714550400000", "1714550401000", "1"], "int"),
            (
                "timestamp", ["1714550400000", "1714550401000", "1714550402000"],
                "{ type: date, wire: millisecondsSince1970 }"
            ),
            (
                "created_at", ["1714550400.5", "1714550401", "1714550402"],
                "{ type: date, wire: fractionalSecondsSince1970 }"
            ),
            ("population", ["1714550400", "1714550401", "1714550402"], "int"),
            ("created_at", ["0", "1714550401", "1714550402"], "int"),
        ])
    func times(_ key: String, _ values: [String], _ type: String) throws {
        #expect(try member(key, values).hasSuffix(": \(type)"))
    }

    /// The line of a member with these values.
    private func member(_ key: String, _ values: [String]) throws -> String {
        let objects = values.enumerated().map { #"{"id": \#($0), "\#(key)": \#($1)}"# }
        let imported = try importing(sample: "[\(objects.joined(separator: ","))]")
        let index = try #require(imported.lines.firstIndex(of: "id: int"))
        return imported.lines[index + 1]
    }

    @Test("An enum is only suggested")
    func enums() throws {
        let objects = (0..<30).map { #"{"id": \#($0), "state": "\#($0 % 3 == 0 ? "open" : "closed")"}"# }
        let imported = try importing(sample: "[\(objects.joined(separator: ","))]")
        #expect(imported.lines.contains("state: string  # maybe an enum: closed, open"))
    }

    @Test("What is absent or null somewhere is optional, and everything is with few samples")
    func optional() throws {
        let imported = try importing(sample: #"[{"id":1,"a":1,"b":1,"c":1},{"id":2,"a":1,"b":null},{"id":3,"a":1}]"#)
        #expect(imported.lines.contains("a: int"))
        #expect(imported.lines.contains("b: int?"))
        #expect(imported.lines.contains("c: int?"))
        let few = try importing(sample: #"[{"id":1,"a":1},{"id":2,"a":1}]"#)
        #expect(few.lines.contains("a: int?"))
        #expect(few.lines.contains("id: int"))
        #expect(few.report.text("").contains("Thing, from 2 objects: its identity is 'id'; nothing else is required"))
    }

    // MARK: Files and envelopes

    @Test(
        "Records are found in envelopes",
        arguments: [
            #"{"results":[{"id":1,"a":1}],"count":1,"next":null}"#, #"{"data":{"items":[{"id":1,"a":1}]}}"#,
            #"{"thing":{"id":1,"a":1}}"#, #"{"id":1,"a":1}"#, #"{"data":{"id":1,"a":1},"status":"ok"}"#,
            #"{"_embedded":{"things":[{"id":1,"a":1}]},"_links":{"self":{"href":"/"}},"page":{"size":1}}"#,
            "{\"id\":1,\"a\":1}\n{\"id\":2,\"a\":2}\n\n", "\u{FEFF}[{\"id\":1,\"a\":1}]",
        ])
    func envelopes(_ text: String) throws {
        let imported = try importing(sample: text)
        #expect(imported.lines.contains("Thing:"))
        #expect(imported.lines.suffix(4) == ["attributes:", "id: int", "a: int?", ""])
        #expect(imported.notes(.unequal).isEmpty)
    }

    @Test("Standard input is read, with the name of the option")
    func standardInput() throws {
        let input = ImportInput(standardInput: Data(#"[{"id":1}]"#.utf8))
        #expect(
            try importSchema([input], options: ImportOptions(name: "Pets")).text.contains(
                "schema: Pets\nentities:\n  Pet:\n"))
        #expect(try importSchema([input], options: ImportOptions()).lines.contains("Item:"))
    }

    @Test("Samples of several files are unified")
    func severalFiles() throws {
        let imported = try importing(samples: [
            ("things.json", #"[{"id":1,"a":1},{"id":2,"a":1}]"#),
            ("more.json", #"{"things":[{"id":3,"a":1.5,"part_id":7}]}"#), ("parts.json", #"[{"id":7}]"#),
        ])
        #expect(imported.lines.contains("schema: Server"))
        #expect(imported.lines.contains("a: double"))
        #expect(imported.lines.contains("part: Part?"))
    }

    @Test("A reference needs identities of the same type")
    func references() throws {
        let imported = try importing(samples: [
            ("things.json", #"[{"id":1,"part_id":"7"}]"#), ("parts.json", #"[{"id":7}]"#),
        ])
        #expect(imported.lines.contains("partID: string?"))
    }

    @Test("Records with the same identity and other values are not identified by it")
    func repeatedIdentity() throws {
        let imported = try importing(sample: #"[{"id":1,"a":1},{"id":1,"a":2}]"#)
        #expect(imported.lines.contains("identity: localID"))
        #expect(
            imported.notes(.decided).contains {
                $0 == "Thing: 'id' does not identify its records, because two have the same one"
            })
    }

    @Test("Keys that are no names in Swift, or are the same in it, have names of their own")
    func names() throws {
        let imported = try importing(
            sample: #"[{"id":1,"first-name":1,"first_name":2,"class":3,"context":4,"2nd":5,"":6,"größe":7}]"#)
        #expect(imported.notes(.unequal).isEmpty)
        #expect(imported.lines.contains("firstName: { type: int?, key: first-name }"))
        #expect(imported.lines.contains("firstName2: { type: int?, key: first_name }"))
        #expect(imported.lines.contains("contextValue: { type: int?, key: context }"))
    }

    @Test("A value of a secret that does not come back as it is written is not in the report")
    func secretValues() throws {
        let records = (1...3).map { "{\"id\":\($0),\"secret\":\"2024-05-0\($0)T08:30:00.000Z\"}" }
        let imported = try importing(sample: "[\(records.joined(separator: ","))]")
        let text = imported.report.text("x", isComplete: true)
        #expect(text.contains("Thing.secret is sent as the same time in another format: a value for a value"))
        #expect(!text.contains("08:30"))
    }
}
