package import LockstepEvolution
import LockstepJSON

extension SchemaDescription {
    /// A version without generated code.
    package init(_ structure: SchemaStructure, version: Int) throws {
        let tree = SchemaTree(structure)
        self.init(
            name: structure.name, version: version, plan: SchemaPlan(structure), fingerprint: StructureHash(tree).text,
            structure: String(decoding: try tree.json.json(), as: UTF8.self), history: "")
    }
}
