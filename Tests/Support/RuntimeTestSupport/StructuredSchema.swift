package import LockstepEvolution
package import LockstepStore

/// A schema that a test describes by its structure, with models of its own.
package protocol StructuredSchema: StoreSchema {
    /// What is stored and sent. The entities are in the order of ``StoreSchema/entities``.
    static var tables: SchemaStructure { get }
}

extension StructuredSchema {
    package static var name: String { tables.name }
    package static var version: Int { 1 }
    package static var fingerprint: String { StructureHash(SchemaTree(tables)).text }
    package static var structure: String { tables.json }
}

extension AttributeStructure {
    /// An attribute that is sent under its own name.
    package static func attribute(_ name: String, as type: ScalarType) -> AttributeStructure {
        AttributeStructure(name: name, column: name, type: .scalar(type), wire: WireStructure(path: [name]))
    }
}

extension RelationshipStructure {
    /// A to-one that holds the key.
    package static func toOne(
        _ name: String, to destination: String, inverse: String? = nil, column: String, wire: RelationshipWire = .none
    ) -> RelationshipStructure {
        RelationshipStructure(
            name: name, destination: destination, isToMany: false, isOptional: true, inverse: inverse,
            storage: .foreignKey(columns: [column], position: nil), wire: wire)
    }

    /// A to-many, whose destinations hold the key unless the links are in a join table.
    package static func toMany(
        _ name: String, to destination: String, inverse: String, onDelete: DeleteRule = .nullify,
        storage: Storage = .inverseForeignKey, wire: RelationshipWire = .none
    ) -> RelationshipStructure {
        RelationshipStructure(
            name: name, destination: destination, isToMany: true, isOptional: true, inverse: inverse,
            onDelete: onDelete, storage: storage, wire: wire)
    }
}
