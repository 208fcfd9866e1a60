import Foundation
import KitchenSink
import LockstepStore
import SampleTypes
import Testing
import TestSupport

/// The same changes are made in two stores; one context prefetches relationships, the other loads them on access.
@Suite("Prefetched relationships equal those loaded on access")
struct PrefetchPropertyTests {
    @Test("After unsaved changes", arguments: Seeds.some(8, of: UInt64(1)...60))
    func changesFirst(_ seed: UInt64) async throws {
        let lazy = try await shown(seed, prefetching: false, before: 15, after: 0)
        let prefetched = try await shown(seed, prefetching: true, before: 15, after: 0)
        expectEqual(lazy.lines, prefetched.lines)
        #expect(prefetched.queries.isEmpty, "\(prefetched.queries.prefix(3))")
    }

    @Test("Before unsaved changes, and between them", arguments: Seeds.some(8, of: UInt64(1)...60))
    func changesAfter(_ seed: UInt64) async throws {
        let lazy = try await shown(seed, prefetching: false, before: 6, after: 12)
        let prefetched = try await shown(seed, prefetching: true, before: 6, after: 12)
        expectEqual(lazy.lines, prefetched.lines)
    }

    private func expectEqual(_ left: [String], _ right: [String]) {
        #expect(left.count == right.count)
        for (left, right) in zip(left, right) where left != right { #expect(left == right) }
    }

    private func shown(
        _ seed: UInt64, prefetching: Bool, before: Int, after: Int
    ) async throws -> (lines: [String], queries: [String]) {
        let counter = StatementCounter()
        let store = try Store(KitchenSinkSchema.self, at: .inMemory, configuration: counter.configuration)
        try await store.perform { context in
            var world = Workshop(context: context, random: SeededRandom(seed: seed))
            for _ in 0..<60 { try world.change() }
            try world.saveOrRollBack()
        }
        return try await store.perform { context in
            var world = Workshop(context: context, random: SeededRandom(seed: seed &* 31))
            for _ in 0..<before { try world.change() }
            let records = try Records(in: context, prefetching: prefetching)
            for _ in 0..<after { try world.change() }
            var lines: [String] = []
            let queries = counter.queries { lines = records.lines }
            lines += world.made.lines
            // The saved rows of the two contexts are equal too.
            try world.saveOrRollBack()
            lines += try Records(in: context, prefetching: prefetching).lines
            return (lines, queries)
        }
    }
}

/// Records of each entity, and all their relationships as text.
private struct Records {
    var things: [Everything] = []
    var people: [Person] = []
    var parts: [Part] = []
    var screws: [Screw] = []
    var boxes: [Box] = []
    var labels: [Label] = []
    var covers: [Cover] = []
    var scraps: [Scrap] = []

    init() {}

    init(in context: ManagedObjectContext, prefetching: Bool) throws {
        guard prefetching else {
            things = try context.fetch(Everything.order(\.id))
            people = try context.fetch(Person.order { [$0.country, $0.number] })
            parts = try context.fetch(Part.order(\.localID))
            screws = try context.fetch(Screw.order(\.id))
            boxes = try context.fetch(Box.order(\.id))
            labels = try context.fetch(Label.order(\.id))
            covers = try context.fetch(Cover.order(\.id))
            scraps = try context.fetch(Scrap.order(\.text))
            return
        }
        things = try context.fetch(
            Everything.order(\.id).prefetch(\.owner).prefetch(\.parts.boxes).prefetch(\.labels).prefetch(\.cover)
                .prefetch(\.scraps))
        people = try context.fetch(
            Person.order { [$0.country, $0.number] }.prefetch(\.things.labels).prefetch(\.manager.reports)
                .prefetch(\.reports))
        parts = try context.fetch(Part.order(\.localID).prefetch(\.whole.parts).prefetch(\.screws).prefetch(\.boxes))
        screws = try context.fetch(Screw.order(\.id).prefetch(\.part))
        boxes = try context.fetch(Box.order(\.id).prefetch(\.parts))
        labels = try context.fetch(Label.order(\.id).prefetch(\.things))
        covers = try context.fetch(Cover.order(\.id).prefetch(\.thing.cover))
        scraps = try context.fetch(Scrap.order(\.text).prefetch(\.everything))
    }

    /// A relationship without an order is shown sorted.
    var lines: [String] {
        things.map { thing in
            "thing \(thing.id): \(thing.owner.identity) \(thing.owner.recordState)"
                + " parts \(thing.parts.map(\.localID)) labels \(thing.labels.map(\.id))"
                + " cover \(thing.cover.map { String($0.id) } ?? "-") scraps \(thing.scraps.map(\.text).sorted())"
        }
            + people.map { person in
                "person \(person.identity): things \(person.things.map(\.id)) manager "
                    + "\(person.manager.map { "\($0.identity)" } ?? "-") reports "
                    + "\(person.reports.map { "\($0.identity)" }.sorted())"
            }
            + parts.map { part in
                "part \(part.localID): whole \(part.whole.map { String($0.id) } ?? "-") screws "
                    + "\(part.screws.map(\.id.uuidString).sorted()) boxes \(part.boxes.map(\.id.uuidString).sorted())"
            }
            + screws.map { "screw \($0.id): \($0.part.localID) \($0.part.recordState)" }
            + boxes.map { "box \($0.id): \($0.parts.map(\.localID.uuidString).sorted())" }
            + labels.map { "label \($0.id): \($0.things.map(\.id).sorted())" }
            + covers.map { "cover \($0.id): \($0.thing.map { String($0.id) } ?? "-")" }
            + scraps.map { "scrap \($0.text): \($0.everything.map { String($0.id) } ?? "-")" }
    }
}

/// Creates records and changes them at random, the same ones for the same seed.
private struct Workshop {
    let context: ManagedObjectContext
    var random: SeededRandom
    /// The new records, which no request returns yet.
    var made = Records()

    private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    private func uuid(_ number: Int) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, UInt8(number)))
    }

    private mutating func person() throws -> Person {
        let key = Person.Identity(country: ["a", "b\u{1}", "é"][number(3)], number: number(3))
        if let found = try Person.find(key, in: context) { return found }
        let person = Person(name: "p", country: key.country, number: key.number, context: context)
        made.people.append(person)
        return person
    }

    private mutating func thing() throws -> Everything {
        let id = number(9)
        if let found = try Everything.find(id, in: context) { return found }
        let owner = try person()
        let thing = Everything(name: ["x", "y"][number(2)], id: id, days: [], owner: owner, context: context)
        thing.slug = Slug(stored: "\(id)")
        made.things.append(thing)
        return thing
    }

    private mutating func part() throws -> Part {
        let id = uuid(number(9))
        if let found = try Part.find(id, in: context) { return found }
        let part = Part(localID: id, context: context)
        made.parts.append(part)
        return part
    }

    private mutating func screw() throws -> Screw {
        let id = uuid(number(9))
        if let found = try Screw.find(id, in: context) { return found }
        let screw = Screw(id: id, length: 1, part: try part(), context: context)
        made.screws.append(screw)
        return screw
    }

    private mutating func box() throws -> Box {
        let id = uuid(number(5))
        if let found = try Box.find(id, in: context) { return found }
        let box = Box(id: id, context: context)
        made.boxes.append(box)
        return box
    }

    private mutating func label() throws -> Label {
        let id = ["l", "l\u{1}", "m", "n", "é"][number(5)]
        if let found = try Label.find(id, in: context) { return found }
        let label = Label(id: id, context: context)
        made.labels.append(label)
        return label
    }

    private mutating func cover() throws -> Cover {
        let id = number(6)
        if let found = try Cover.find(id, in: context) { return found }
        let cover = Cover(id: id, caption: "c", context: context)
        made.covers.append(cover)
        return cover
    }

    mutating func change() throws {
        switch number(23) {
        case 0: try thing().owner = person()
        case 1: try thing().parts.insert(part())
        case 2: try thing().parts.insert(part(), at: number(3))
        case 3: try thing().parts.remove(part())
        case 4: try thing().labels.insert(label())
        case 5: try thing().labels.insert(label(), at: 0)
        case 6: try thing().labels.remove(label())
        case 7: try thing().labels.replaceAll(with: [label(), label()])
        case 8: try thing().cover = number(4) == 0 ? nil : cover()
        case 9: try cover().thing = number(4) == 0 ? nil : thing()
        case 10:
            let thing = try thing()
            let scrap = Scrap(text: "\(number(1_000_000))", context: context)
            thing.scraps.insert(scrap)
            made.scraps.append(scrap)
        case 11: try person().manager = number(4) == 0 ? nil : person()
        case 12: try person().reports.insert(person())
        case 13: try part().whole = number(4) == 0 ? nil : thing()
        case 14: try part().screws.insert(screw())
        case 15: try screw().part = part()
        case 16: try box().parts.insert(part())
        case 17: try part().boxes.insert(box())
        case 18: try part().boxes.remove(box())
        // Keys of missing records.
        case 19: try cover().thingID = number(12)
        case 20: try person().managerID = Person.Identity(country: "nowhere", number: number(2))
        case 21: try thing().name = ["w", "x", "z"][number(3)]
        default: try deleteOne()
        }
    }

    private mutating func deleteOne() throws {
        let object: ManagedObject =
            switch number(6) {
            case 0: try thing()
            case 1: try part()
            case 2: try screw()
            case 3: try box()
            case 4: try label()
            default: try cover()
            }
        context.delete(object)
    }

    /// A rule of the schema may deny a random change.
    func saveOrRollBack() throws {
        do { try context.save() } catch is StoreError { context.rollback() }
    }
}
