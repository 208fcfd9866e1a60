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

    @Test("A foreign key with more columns than the key")
    func columns() {
        let link = #","relationships":{"parent":{"to":"Entry?","columns":["a","b"]}}"#
        #expect(throws: StructureError.self) { try structure(Self.entry + link) }
    }

    @Test("A type of very many brackets")
    func brackets() throws {
        let (opening, closing) = (String(repeating: "[", count: 1 << 20), String(repeating: "]", count: 1 << 20))
        let attributes = #"{"id":{"type":"int"},"a":{"type":"\#(opening)int\#(closing)"}}"#
        let structure = try structure(#""identity":"id","attributes":\#(attributes)"#)
        #expect(structure.entities[0].attributes.count == 2)
    }
}
