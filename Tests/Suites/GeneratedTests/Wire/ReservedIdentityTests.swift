import Foundation
import KitchenSink
import LockstepStore
import Testing

@Suite("R2 A link to a record with { local, remote } identity that has not arrived yet")
struct ReservedIdentityTests {
    private let local = UUID()

    /// A screw that points at part 7, which does not exist.
    private func makeScrew(in store: Store) async throws {
        try await store.writeRaw("preparing") { [local] database, _ in
            try database.execute(
                sql: "INSERT INTO lockstep_reserved_identity (entity, remote_id, local_id) VALUES (?, ?, ?)",
                arguments: ["Part", 7, local.storedValue])
            try database.execute(
                sql: "INSERT INTO screw (id, length, part_id) VALUES (?, ?, ?)",
                arguments: [UUID().storedValue, "1", local.storedValue])
        }
    }

    @Test("R2 is sent back with the server's number")
    func writtenBack() async throws {
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        try await makeScrew(in: store)
        try await store.perform { context in
            let screw = try #require(try context.fetch(Screw.all()).first)
            let value = screw.representation
            #expect(value.partID == 7)
            #expect(screw == value)
            let json = String(decoding: try JSONEncoder().encode(screw), as: UTF8.self)
            #expect(json.contains(#""part_id":7"#))
            var other = value
            other.partID = 8
            #expect(screw != other)
        }
        #expect(try await store.representations(Screw.all()).map(\.partID) == [7])
    }

    @Test("R2 in a child context too, and until the part exists")
    func child() async throws {
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        try await makeScrew(in: store)
        try await store.perform { context in
            let child = context.makeChild()
            let screw = try #require(try child.fetch(Screw.all()).first)
            #expect(screw.representation.partID == 7)
            #expect(screw.part.recordState == .missing)
        }
    }

    @Test("P2 A locally created part that is not on the server is not sent")
    func madeHere() async throws {
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        try await makeScrew(in: store)
        try await store.perform { context in
            let screw = Screw(length: 2, part: Part(title: "axle", context: context), context: context)
            #expect(screw.representation.partID == nil)
            let json = String(decoding: try JSONEncoder().encode(screw), as: UTF8.self)
            #expect(!json.contains("part_id"))
        }
    }
}
