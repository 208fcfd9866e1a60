import Testing

@testable import LockstepSchema

@Suite("Identities")
struct IdentityTests {
    @Test("an attribute 'id' is the identity; without one there is none")
    func defaults() throws {
        let schema = try resolved(
            """
              A: { attributes: { name: string, id: uuid } }
              B: { attributes: { name: string } }
              C: { identity: none, attributes: { id: uuid } }
              D: { attributes: {} }
            """)
        #expect(schema.entities.map(\.identity) == [.attributes(["id"]), .none, .none, .none])
        #expect(try schema.entity("A").attribute("id").defaultValue == .newUUID)
        #expect(try schema.entity("C").attribute("id").defaultValue == nil)
        #expect(try schema.entity("B").columns.map(\.name) == ["lockstep_id", "name"])
        #expect(try schema.entity("B").columns.first?.type == .scalar(.int))
        #expect(try schema.entity("D").columns.map(\.name) == ["lockstep_id"])
    }

    @Test("a UUID that is the whole key is generated for each record; parts of a key are not")
    func newUUIDs() throws {
        let schema = try resolved(
            """
              A: { identity: key, attributes: { key: uuid, other: uuid } }
              B: { identity: [left, right], attributes: { left: uuid, right: uuid } }
              C: { attributes: { id: { type: uuid, default: 6BA7B810-9DAD-11D1-80B4-00C04FD430C8 } } }
            """)
        #expect(try schema.entity("A").attributes.map(\.defaultValue) == [.newUUID, nil])
        #expect(try schema.entity("B").attributes.map(\.defaultValue) == [nil, nil])
        #expect(
            try schema.entity("C").attributes.map(\.defaultValue) == [.uuid("6ba7b810-9dad-11d1-80b4-00c04fd430c8")])
    }
}
