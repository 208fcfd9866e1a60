import LockstepEvolution
import Testing

@testable import LockstepSchema

/// Importers make the tree of a schema before there is a file.
@Suite("Schemas are read from trees")
struct SchemaTreeTests {
    private static let text = """
        lockstep: 1
        schema: Shop
        enums:
          Size: { type: int, cases: { small: 1, large: 2 } }
        entities:
          Product:
            attributes:
              id: uuid
              code: { type: string, key: ["the code", "7"], default: "null", maxLength: 12 }
              sizes: "[Size]?"
            relationships: { reviews: { to: [Review], inverse: product } }
          Review:
            attributes: { id: int, stars: { type: int16, default: 0 } }
            relationships: { product: Product? }
        """

    private func tree(_ text: String) throws -> Node {
        var diagnostics: [Diagnostic] = []
        let node = parseYAML(SchemaSource(path: "Shop.yaml", bytes: Array(text.utf8)), diagnostics: &diagnostics)
        #expect(diagnostics.isEmpty)
        return try #require(node)
    }

    @Test("A tree is the schema that its file is")
    func sameSchema() throws {
        let ofFile = readSchemas([SchemaSource(path: "Shop.yaml", bytes: Array(Self.text.utf8))])
        let ofTree = readSchema(try tree(Self.text), path: "Shop.yaml")
        #expect(ofTree.diagnostics.isEmpty)
        let structures = try [ofFile, ofTree].map { try SchemaTree(#require($0.schemas.first).structure) }
        #expect(structures[0] == structures[1])
    }

    @Test("What is written of a tree is read as the same tree")
    func written() throws {
        let node = try tree(Self.text)
        #expect(try tree(YAMLText.flow(node)).outline == node.outline)
    }

    @Test("A diagnostic is at the node that it is about, also that of a repeated key")
    func locations() throws {
        var root = try tree(Self.text.replacing("default: 0", with: "default: many"))
        let wrong = readSchema(root, path: "Shop.yaml").diagnostics
        #expect(wrong.map(\.code) == [.wrongDefault])
        #expect(wrong.first?.location.start.line == 13)

        guard case .mapping(var entries) = root.content else { return #expect(Bool(false)) }
        let line = SourcePosition(line: 99, column: 1)
        entries[1].key.range = TextRange(start: line, end: line)
        root.content = .mapping(entries + [entries[1]])
        let repeated = readSchema(root, path: "Shop.yaml").diagnostics
        #expect(repeated.contains { $0.code == .duplicateKey && $0.location.start.line == 99 })
    }
}
