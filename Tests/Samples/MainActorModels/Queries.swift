import LockstepStore

// What apps write, in a target of a new Xcode project: declarations without an isolation are isolated to the main actor.

/// On the main actor, by default.
final class Screen {
    let cats: [Cat]

    init(_ store: Store) throws {
        cats = try store.mainContext.fetch(Cat.filter { $0.diet == .meat }.order(\.name.asc).prefetch(\.house))
    }
}

/// In an extension of a model.
extension Cat {
    var title: String { "\(name), \(lives) lives" }
}

/// In an actor.
actor LifeCounter {
    func lives(in store: Store) async throws -> [String: Int] {
        try await store.perform { context in
            try Dictionary(uniqueKeysWithValues: context.fetch(Cat.order(\.lives.desc)).map { ($0.name, $0.lives) })
        }
    }
}

/// On no actor.
nonisolated func addCats(to store: Store) async throws {
    try await store.perform { context in
        let house = House(street: "Elm Street", number: 7, context: context)
        Cat(id: 1, name: "Tom", house: house, context: context)
        Cat(id: 2, name: "Kit", lives: 7, diet: .plants, house: house, context: context)
        Dog(id: 3, name: "Rex", tricks: ["sit"], context: context)
        try context.save()
    }
}

nonisolated func countByDiet(in store: Store) async throws -> [Diet: Int] {
    try await store.perform { context in
        var counts: [Diet: Int] = [:]
        for cat in try context.fetch(Cat.filter { $0.lives > 0 }) { counts[cat.diet, default: 0] += 1 }
        return counts
    }
}

nonisolated func representation(of cat: Cat) -> CatRepresentation { cat.representation }
