import Testing

@testable import LockstepSchema

@Suite("Inheritance")
struct InheritanceTests {
    @Test("inherited members come first, overridden ones in their original position, each once")
    func flattening() throws {
        let schema = try resolved(
            """
              Record:
                abstract: true
                identity: key
                attributes: { key: string, createdAt: date }
              Named: { abstract: true, extends: Record, attributes: { name: string } }
              Dated: { abstract: true, extends: Record, attributes: { due: date? }, indexes: [[due, key]] }
              Owned: { abstract: true, relationships: { owner: User?, notes: [Note] }, remote: none }
              Task:
                extends: [Named, Dated, Owned]
                attributes: { done: bool, name: { type: string, default: New } }
              User: { attributes: { id: int } }
              Note: { attributes: { id: int } }
            """)
        let task = try schema.entity("Task")
        #expect(task.attributes.map(\.name) == ["key", "createdAt", "name", "due", "done"])
        #expect(try task.attribute("name").defaultValue == .string("New"))
        #expect(task.identity == .attributes(["key"]))
        #expect(task.protocols == ["Named", "Dated", "Owned", "Record"])
        #expect(task.relationships.map(\.name) == ["owner", "notes"])
        #expect(task.indexes.map(\.name) == ["task_due_key", "task_owner_id"])
        #expect(task.remote == nil)
        #expect(schema.entities.map(\.name) == ["Task", "User", "Note"])
        #expect(try schema.entity("Note").relationships.map(\.name) == ["task"])
    }

    @Test("an abstract entity keeps its own members, for a protocol")
    func abstractEntities() throws {
        let schema = try resolved(
            """
              Record: { abstract: true, doc: What is kept., attributes: { id: uuid } }
              Owned:
                abstract: true
                extends: Record
                attributes: { default: int }
                relationships: { owner: User?, helpers: [User] }
              User: { extends: Owned }
            """)
        #expect(schema.abstractEntities.map(\.name) == ["Record", "Owned"])
        let owned = schema.abstractEntities[1]
        #expect(owned.protocols == ["Record"])
        #expect(owned.attributes.map(\.swiftName) == ["`default`"])
        #expect(
            owned.relationships == [
                AbstractRelationship(
                    swiftName: "owner", documentation: nil, destinationSwiftName: "User", isToMany: false,
                    isOptional: true),
                AbstractRelationship(
                    swiftName: "helpers", documentation: nil, destinationSwiftName: "User", isToMany: true,
                    isOptional: true),
            ])
    }
}
