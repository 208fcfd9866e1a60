import LockstepJSON
import LockstepSchema
import Testing

@testable import LockstepImport

/// The rules are applied to the tree of a sketch, and its text is what is written.
@Suite("The text of a sketch is the schema that was checked")
struct SketchTextTests {
    private static let texts = [
        "", "null", "true", "12", "-1", "1.5", "007", "~", "yes?", "?", "a: b # c", "[x]", "{ x }", "- x", "'single'",
        "\"double\"", "two\nlines", " before", "after ", "back\\slash", "@x", "&x", "*x", "!x", "%x", "Größe", "\u{7F}",
        "\u{200B}", "\u{FEFF}", "🎂",
    ]

    private func read(_ sketch: SchemaSketch) throws -> (ofText: Schema, ofTree: Schema) {
        let tree = SketchTree(sketch)
        let text = SketchText(sketch, tree: tree, report: ImportReport(), source: "test").text
        let ofText = readSchemas([SchemaSource(path: "Shop.yaml", bytes: Array(text.utf8))])
        let ofTree = readSchema(tree.root, path: "Shop.yaml")
        #expect(ofText.diagnostics.map(\.message) == [])
        #expect(ofTree.diagnostics.map(\.message) == [])
        return try (#require(ofText.schemas.first), #require(ofTree.schemas.first))
    }

    @Test("A text is the same default and the same documentation", arguments: texts)
    func text(_ text: String) throws {
        var member = MemberSketch(name: "size", type: .one("string"))
        (member.defaultValue, member.documentation) = (.string(text), text)
        var entity = EntitySketch(name: "Product")
        entity.attributes = [MemberSketch(name: "id", type: .one("uuid")), member]
        let (ofText, ofTree) = try read(SchemaSketch(name: "Shop", entities: [entity]))
        let (written, checked) = (ofText.entities[0].attributes[1], ofTree.entities[0].attributes[1])
        #expect(written.defaultValue == .string(text))
        #expect(checked.defaultValue == .string(text))
        #expect(written.documentation == checked.documentation)
    }

    @Test("A type is a list or optional in both")
    func lists() throws {
        var entity = EntitySketch(name: "Größe")
        entity.identity = .attributes(["schlüssel"])
        entity.attributes = [MemberSketch(name: "schlüssel", type: .one("uuid"))]
        for isList in [false, true] {
            for isOptional in [false, true] {
                let type = TypeSketch(name: "int", isList: isList, isOptional: isOptional)
                entity.attributes.append(MemberSketch(name: "a\(entity.attributes.count)", type: type))
            }
        }
        let (ofText, ofTree) = try read(SchemaSketch(name: "Shop", entities: [entity]))
        for attributes in [ofText.entities[0].attributes, ofTree.entities[0].attributes] {
            #expect(attributes.dropFirst().map(\.isOptional) == [false, true, false, true])
            #expect(
                attributes.dropFirst().map(\.type)
                    == [.scalar(.int), .scalar(.int), .list(.scalar(.int)), .list(.scalar(.int))])
        }
    }
}
