import Foundation
import LockstepStore
import Testing

@testable import InternalSample

@Suite("Generated with internal access and in shards")
struct InternalSampleTests {
    @Test("A link to a record without a remote identity is kept, and not sent as null")
    func unsyncedParent() async throws {
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        try await store.perform { context in
            let part = Part(title: "axle", context: context)
            let screw = Screw(length: 3, part: part, context: context)
            let box = Box(parts: [part], context: context)
            try context.save()
            for _ in 0..<2 {
                let value = screw.representation
                #expect(screw == value)
                screw.update(from: value)
                box.update(from: box.representation)
                #expect(!context.hasChanges)
                #expect(screw.part === part)
                #expect(box.parts.first === part)
            }
            let json = String(decoding: try JSONEncoder().encode(screw), as: UTF8.self)
            #expect(!json.contains("part_id"))
            part.remoteID = 7
            #expect(screw.representation.partID == 7)
            #expect(box.representation.partIDs == [7])
        }
    }

    @Test("A link is found by the server's number")
    func linkByRemoteIdentity() async throws {
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        let json = Data(#"{"id": "01020304-0506-0708-090a-0b0c0d0e0f10", "length": 1, "part_id": 7}"#.utf8)
        let value = try JSONDecoder().decode(ScrewRepresentation.self, from: json)
        try await store.perform { context in
            let part = Part(remoteID: 7, title: "axle", context: context)
            let screw = try #require(Screw(representation: value, context: context))
            #expect(screw.part === part)
            #expect(screw == value)
            try context.save()
        }
    }
}
