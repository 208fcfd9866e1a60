import LockstepEvolution
import LockstepJSON
import Testing

@Suite("The order of a structure's members")
struct StructureOrderTests {
    private static let structure = SchemaStructure(
        name: "Library",
        enumerations: [
            EnumerationStructure(
                name: "State", isClosed: true, isInteger: false,
                cases: [.init(name: "lent", rawValue: "L"), .init(name: "available", rawValue: "A")]),
            EnumerationStructure(
                name: "Genre", isClosed: false, isInteger: true, cases: [.init(name: "poetry", rawValue: 1)]),
        ],
        entities: [
            EntityStructure(
                name: "Shelf", table: "shelf", identity: .attributes(["id"]),
                attributes: [
                    AttributeStructure(name: "room", column: "room", type: .scalar(.string)),
                    AttributeStructure(name: "id", column: "id", type: .scalar(.int)),
                ],
                relationships: [
                    RelationshipStructure(
                        name: "books", destination: "Book", isToMany: true, isOptional: true, inverse: "shelf",
                        storage: .inverseForeignKey)
                ],
                indexes: [
                    IndexStructure(name: "shelf_room", columns: ["room"], isUnique: false),
                    IndexStructure(name: "shelf_id_room", columns: ["id", "room"], isUnique: true),
                ]),
            EntityStructure(
                name: "Book", table: "book", identity: .attributes(["id"]),
                attributes: [
                    AttributeStructure(name: "title", column: "title", type: .scalar(.string)),
                    AttributeStructure(name: "id", column: "id", type: .scalar(.int)),
                    AttributeStructure(name: "state", column: "state", type: .enumeration("State")),
                ],
                relationships: [
                    RelationshipStructure(
                        name: "shelf", destination: "Shelf", isToMany: false, isOptional: true, inverse: "books",
                        storage: .foreignKey(columns: ["shelf_id"], position: nil)),
                    RelationshipStructure(
                        name: "sequel", destination: "Book", isToMany: false, isOptional: true,
                        storage: .foreignKey(columns: ["sequel_id"], position: nil)),
                ]),
        ])

    @Test("Its JSON keeps the order of entities, members, indexes, enums and cases")
    func order() throws {
        let read = try SchemaStructure(json: Self.structure.json)
        #expect(read.entities == Self.structure.entities)
        #expect(read.enumerations == Self.structure.enumerations)
    }

    @Test("The statements of what was read are those of what was written, in the same order")
    func statements() throws {
        let read = try SchemaStructure(json: Self.structure.json)
        #expect(sqlStatements(for: read, dialect: .sqlite) == sqlStatements(for: Self.structure, dialect: .sqlite))
    }

    @Test("Two orders have the same hash")
    func hash() throws {
        var other = Self.structure
        other.entities.reverse()
        for index in other.entities.indices { other.entities[index].attributes.reverse() }
        #expect(other.json != Self.structure.json)
        #expect(StructureHash(other) == StructureHash(Self.structure))
        #expect(try StructureHash(SchemaStructure(json: other.json)) == StructureHash(Self.structure))
    }

    @Test(
        "What is not a structure is refused",
        arguments: [
            "", "[]", "{", #"{"schema":1}"#, #"{"schema":"A","entities":[]}"#,
            #"{"schema":"A","entities":{"B":{"table":"b","attributes":{"c":{"type":"int","colour":"red"}}}}}"#,
        ])
    func refused(json: String) {
        #expect(throws: (any Error).self) { try SchemaStructure(json: json) }
    }
}
