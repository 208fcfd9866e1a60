import LockstepEvolution
import LockstepJSON
import Testing

/// A file records the structure of its schema. It may come from anywhere.
@Suite("F1 A structure that contradicts itself is refused, and nothing ends the process")
struct StructureReferenceTests {
    private static let entry = #""identity":"id","attributes":{"id":{"type":"int"}}"#

    private func structure(_ entry: String) throws -> SchemaStructure {
        let json = #"{"schema":"Journal","enums":{},"entities":{"Entry":{"table":"entry",\#(entry)}}}"#
        return try SchemaStructure(recorded: SchemaTree(json: JSONValue(parsing: json)))
    }

    @Test(
        "Names that lead nowhere",
        arguments: [
            (#""identity":"x""#, "x"),
            (#""identity":{"local":"id","remote":"x"},"attributes":{"id":{"type":"int"}}"#, "x"),
            (entry + #","version":"x""#, "x"),
            (entry + #","relationships":{"ghosts":{"to":"[Ghost]","inverse":"x"}}"#, "Ghost"),
            (entry + #","relationships":{"others":{"to":"[Entry]","inverse":"x","join":"links"}}"#, "links"),
        ])
    func names(entry: String, name: String) {
        let error = #expect(throws: StructureError.self) { try structure(entry) }
        #expect(error.map { "\($0)".contains("'\(name)'") } == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test(
        "What does not fit the other end",
        arguments: [
            (#""parent":{"to":"Entry?","columns":["a","b"]}"#, "columns"),
            (#""parent":{"to":"Entry?","columns":[]}"#, "columns"),
            (#""parent":{"to":"Entry?","columns":["a"],"wire":{"id":["a","b"]}}"#, "keys"),
            (
                #""friends":{"to":"[Entry]","join":{"table":"friend","columns":["a","b"],"inverseColumns":["c"]}}"#,
                "columns"
            ),
            (#""children":{"to":"[Entry]","inverse":"children"}"#, "inverse"),
            (
                #""children":{"to":"[Entry]","inverse":"parent"},"parent":{"to":"Other?","columns":["a"]}"#, "inverse"
            ),
        ])
    func otherEnd(relationships: String, property: String) throws {
        let json = """
            {"schema":"Journal","enums":{},"entities":{
            "Entry":{"table":"entry",\(Self.entry),"relationships":{\(relationships)}},
            "Other":{"table":"other",\(Self.entry)}}}
            """
        let tree = try SchemaTree(json: JSONValue(parsing: json))
        _ = try SchemaStructure(tree)
        let error = #expect(throws: StructureError.self) { try SchemaStructure(recorded: tree) }
        #expect(error.map { "\($0)".contains(property) } == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test(
        "A scope or an access that leads nowhere, or is something else",
        arguments: [
            (#""scope":"own""#, "scope"), (#""scope":["self"]"#, "scope"), (#""scope":{}"#, "scope"),
            (#""scope":{"attribute":"x"}"#, "'x'"), (#""scope":{"relationship":"x"}"#, "'x'"),
            (#""scope":{"attribute":"id","relationship":"next"}"#, "relationship"),
            (#""scope":{"relationship":"many"}"#, "'many'"), (#""scope":{"relationship":"next"}"#, "itself"),
            (#""scope":{"relationship":"other"}"#, "'Other'"), (#""read":"everyone""#, "read"),
            (#""scope":"self","read":[]"#, "read"), (#""scope":"self","read":["x"]"#, "'x'"),
            (#""scope":"self","write":["next.x"]"#, "'x'"), (#""scope":"self","write":["x.id"]"#, "'x'"),
            (#""scope":"self","write":["next..id"]"#, "'next..id'"), (#""scope":"self","write":["id.id"]"#, "'id'"),
            (#""scope":"self","write":"somebody""#, "write"), (#""scope":"self","write":[7]"#, "write"),
        ])
    func scopes(properties: String, part: String) throws {
        let json = """
            {"schema":"Journal","enums":{},"entities":{
            "Entry":{"table":"entry",\(Self.entry),\(properties),"relationships":{
            "next":{"to":"Entry","columns":["next_id"]},"other":{"to":"Other","columns":["other_id"]},
            "many":{"to":"[Entry]","inverse":"next"}}},
            "Other":{"table":"other",\(Self.entry)}}}
            """
        let error = #expect(throws: StructureError.self) {
            try SchemaStructure(recorded: SchemaTree(json: JSONValue(parsing: json)))
        }
        #expect(error.map { "\($0)".contains(part) } == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test("A key of no attributes")
    func emptyKey() {
        #expect(throws: StructureError.self) { try structure(#""identity":[],"attributes":{"id":{"type":"int"}}"#) }
    }

    @Test("A type of very many brackets")
    func brackets() throws {
        let (opening, closing) = (String(repeating: "[", count: 1 << 20), String(repeating: "]", count: 1 << 20))
        let attributes = #"{"id":{"type":"int"},"a":{"type":"\#(opening)int\#(closing)"}}"#
        let structure = try structure(#""identity":"id","attributes":\#(attributes)"#)
        #expect(structure.entities[0].attributes.count == 2)
    }
}
