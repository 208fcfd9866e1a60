import Foundation
import KitchenSink
import LockstepStore
import SampleTypes

/// Composite keys, local and remote identities, no identity, required to-ones, an ordered many-to-many, a link to
/// the same entity; deny and none.
enum KitchenSinkWorld: ContextWorld {
    static func makeStore() throws -> Store { try Store(KitchenSinkSchema.self, at: .inMemory) }

    static func apply(_ edit: Edit, in context: ManagedObjectContext) throws {
        let thing = try thing(edit.first, context)
        let (id, place) = (edit.second, edit.place)
        switch edit.kind % 22 {
        case 0: thing.note = "N\(edit.kind)"
        case 1: thing.owner = try person(id, context)
        case 2: thing.parts.insert(try part(id, context), at: place)
        case 3: thing.parts.replaceAll(with: thing.parts.reversed())
        case 4: try part(id, context).whole = thing
        case 5: try part(id, context).whole = nil
        case 6: thing.labels.insert(try label(id, context), at: place)
        case 7: thing.labels.replaceAll(with: thing.labels.reversed())
        case 8: try label(id, context).things.insert(thing)
        case 9: try label(id, context).things.remove(thing)
        case 10: thing.cover = try cover(id, context)
        case 11: try cover(id, context).thing = thing
        case 12: thing.cover = nil
        case 13: thing.scraps.insert(Scrap(text: "S\(edit.kind)", page: place + 1, context: context))
        case 14: thing.scraps.min { $0.text < $1.text }.map(context.delete)
        case 15: try part(id, context).boxes.insert(box(place + 1, context))
        case 16: try box(id, context).parts.replaceAll(with: [part(place + 1, context)])
        case 17:
            let part = try part(place + 1, context)
            let screw = try Screw.findOrInsert(UUID(number: id), in: context) {
                Screw(id: UUID(number: id), length: 1, part: part, context: $0)
            }
            screw.part = part
        case 18: try part(id, context).remoteID = place == 0 ? nil : id * 10 + place
        case 19: try person(id, context).manager = place == 0 ? nil : person(place, context)
        case 20: try delete(edit, thing, context)
        default:
            let word = try Keyword.findOrInsert(id, in: context) { Keyword(id: id, context: $0) }
            word.func = try Keyword.find(place + 1, in: context)
            if place == 3 { context.delete(word) }
        }
    }

    private static func delete(_ edit: Edit, _ thing: Everything, _ context: ManagedObjectContext) throws {
        switch edit.place {
        case 0: context.delete(thing)
        case 1: try context.delete(edit.kind % 2 == 0 ? part(edit.second, context) : person(edit.second, context))
        case 2: try context.delete(edit.kind % 2 == 0 ? label(edit.second, context) : box(edit.second, context))
        default:
            if let screw = try Screw.find(UUID(number: edit.second), in: context) { context.delete(screw) }
        }
    }

    static func look(_ context: ManagedObjectContext) throws -> [String] {
        var lines: [String] = []
        for id in 1...Edit.recordCount {
            if let thing = try Everything.find(id, in: context) {
                lines.append(
                    "thing \(id) \(thing.note ?? "") owner \(text(thing.ownerID)) \(thing.owner.name)"
                        + " parts \(thing.parts.map { number($0.localID) }) labels \(thing.labels.map(\.id))"
                        + " cover \(text(thing.cover?.id)) scraps \(thing.scraps.map(\.text).sorted())")
            }
            if let person = try Person.find(Person.Identity(country: "ch", number: id), in: context) {
                lines.append(
                    "person \(id) things \(person.things.map(\.id)) manager \(text(person.managerID))"
                        + " reports \(person.reports.map(\.number).sorted())")
            }
            lines += try lookAtParts(id, context)
            if let label = try Label.find(String(id), in: context) {
                lines.append("label \(id) \(label.things.map(\.id).sorted())")
            }
            if let cover = try Cover.find(id, in: context) { lines.append("cover \(id) \(text(cover.thing?.id))") }
            if let word = try Keyword.find(id, in: context) {
                lines.append("word \(id) \(text(word.funcID)) \(text(word.func?.id))")
            }
        }
        return lines
    }

    private static func lookAtParts(_ id: Int, _ context: ManagedObjectContext) throws -> [String] {
        var lines: [String] = []
        if let part = try Part.find(UUID(number: id), in: context) {
            lines.append(
                "part \(id) \(text(part.remoteID)) \(text(part.wholeID))"
                    + " screws \(part.screws.map { number($0.id) }.sorted())"
                    + " boxes \(part.boxes.map { number($0.id) }.sorted())")
            if let remoteID = part.remoteID {
                let found = try Part.find(wireIdentity: remoteID, in: context)
                lines.append("part \(id) by \(remoteID): \(found === part)")
            }
        }
        if let screw = try Screw.find(UUID(number: id), in: context) {
            lines.append("screw \(id) \(screw.partID.map(number) ?? "-") \(screw.part.title)")
        }
        if let box = try Box.find(UUID(number: id), in: context) {
            lines.append("box \(id) \(box.parts.map { number($0.localID) }.sorted())")
        }
        return lines
    }

    private static func text(_ id: Int?) -> String { id.map(String.init) ?? "-" }
    private static func text(_ id: Person.Identity?) -> String { id.map { "\($0.country)\($0.number)" } ?? "-" }
    private static func number(_ id: UUID) -> String { String(id.uuidString.suffix(2)) }

    private static func person(_ id: Int, _ context: ManagedObjectContext) throws -> Person {
        try Person.findOrInsert(Person.Identity(country: "ch", number: id), in: context) {
            Person(name: "P\(id)", country: "ch", number: id, context: $0)
        }
    }

    private static func thing(_ id: Int, _ context: ManagedObjectContext) throws -> Everything {
        let owner = try person(1, context)
        return try Everything.findOrInsert(id, in: context) {
            Everything(name: "E", id: id, slug: Slug(stored: "s\(id)"), days: [], owner: owner, context: $0)
        }
    }

    private static func part(_ id: Int, _ context: ManagedObjectContext) throws -> Part {
        try Part.findOrInsert(UUID(number: id), in: context) { Part(localID: UUID(number: id), context: $0) }
    }

    private static func label(_ id: Int, _ context: ManagedObjectContext) throws -> Label {
        try Label.findOrInsert(String(id), in: context) { Label(id: String(id), context: $0) }
    }

    private static func cover(_ id: Int, _ context: ManagedObjectContext) throws -> Cover {
        try Cover.findOrInsert(id, in: context) { Cover(id: id, caption: "C", context: $0) }
    }

    private static func box(_ id: Int, _ context: ManagedObjectContext) throws -> Box {
        try Box.findOrInsert(UUID(number: id), in: context) { Box(id: UUID(number: id), context: $0) }
    }
}
