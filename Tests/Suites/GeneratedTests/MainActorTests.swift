import LockstepStore
import Testing

@testable import MainActorModels

/// That MainActorModels compiles is the larger part of these tests.
@Suite("Models in a target that is isolated to the main actor by default")
struct MainActorTests {
    @Test("Contexts of other threads read and write them")
    func offTheMainActor() async throws {
        let store = try Store(ZooSchema.self, at: .inMemory)
        try await addCats(to: store)
        #expect(try await LifeCounter().lives(in: store) == ["Tom": 9, "Kit": 7])
        #expect(try await countByDiet(in: store) == [.meat: 1, .plants: 1])
    }

    @Test("The main actor fetches them, with an app's own extensions")
    @MainActor func onTheMainActor() async throws {
        let store = try Store(ZooSchema.self, at: .inMemory)
        try await addCats(to: store)
        let cats = try Screen(store).cats
        #expect(cats.map(\.title) == ["Tom, 9 lives"])
        #expect(cats.first?.house?.cats.map(\.name) == ["Kit", "Tom"])
        #expect(cats.first.map(representation)?.houseID?.number == 7)
    }
}
