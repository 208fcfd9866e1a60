import Foundation
import GRDB
import KitchenSink
import LockstepStore
import RuntimeTestSupport
import SampleTypes
import Testing
import TestSupport

@Suite("Undo of all features of the language") @MainActor
struct UndoKitchenSinkTests {
    struct World: UndoWorld {
        let context: ManagedObjectContext
        var people: [Person] = []
        var things: [Everything] = []
        var parts: [Part] = []
        var screws: [Screw] = []
        var boxes: [Box] = []
        var labels: [Label] = []
        var covers: [Cover] = []
        var scraps: [Scrap] = []
        var folders: [LocalFolder] = []
        var notes: [LocalNote] = []
        var nextID = 1

        init(_ context: ManagedObjectContext, _ random: inout SeededRandom) throws {
            self.context = context
            for _ in 0..<2 { insertPerson() }
            for _ in 0..<3 { insertThing(&random) }
            for _ in 0..<5 { insertPart(&random) }
            for _ in 0..<3 { insertSmall(&random) }
            for part in parts.prefix(3) { things[0].parts.insert(part) }
            things[1].labels.insert(contentsOf: labels)
            try context.save()
        }

        private mutating func id() -> Int {
            nextID += 1
            return nextID
        }

        private mutating func insertPerson() {
            let number = id()
            people.append(Person(name: "P\(number)", country: "CH", number: number, context: context))
        }

        private mutating func insertThing(_ random: inout SeededRandom) {
            let number = id()
            guard let owner = people.alive.randomElement(using: &random) else { return }
            things.append(
                Everything(
                    name: "T\(number)", id: number, slug: .init(stored: "s\(number)"), days: [], owner: owner,
                    parts: Array(parts.alive.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random))),
                    labels: Array(labels.alive.prefix(2)),
                    cover: Bool.random(using: &random) ? covers.alive.randomElement(using: &random) : nil,
                    context: context))
        }

        private mutating func insertPart(_ random: inout SeededRandom) {
            let number = id()
            let whole = Bool.random(using: &random) ? things.alive.randomElement(using: &random) : nil
            parts.append(Part(title: "part \(number)", whole: whole, boxes: boxes.alive, context: context))
        }

        private mutating func insertSmall(_ random: inout SeededRandom) {
            let number = id()
            boxes.append(Box(context: context))
            labels.append(Label(id: "L\(number)", context: context))
            covers.append(Cover(id: number, caption: "C", context: context))
            scraps.append(Scrap(text: "S\(number)", context: context))
            let folder = LocalFolder(id: UUID(), title: "F", context: context)
            folders.append(folder)
            notes.append(LocalNote(id: UUID(), text: "N\(number)", folder: folder, context: context))
            if let part = parts.alive.randomElement(using: &random) {
                screws.append(Screw(id: UUID(), length: 1, part: part, context: context))
            }
        }

        mutating func change(_ random: inout SeededRandom) {
            switch Int.random(in: 0..<24, using: &random) {
            case 0: insertPerson()
            case 1: insertThing(&random)
            case 2: insertPart(&random)
            case 3: labels.append(Label(id: "L\(id())", context: context))
            case 4: update(&random)
            case 5, 6: delete(&random)
            case 7: things.alive.randomElement(using: &random)?.name = "N\(id())"
            case 8: things.alive.randomElement(using: &random)?.owner = people.alive.randomElement(using: &random)!
            case 9: people.alive.randomElement(using: &random)?.manager = people.alive.randomElement(using: &random)
            default: link(&random)
            }
        }

        private func update(_ random: inout SeededRandom) {
            guard let thing = things.alive.randomElement(using: &random) else { return }
            var value = EverythingRepresentation.random(&random)
            value.id = thing.id
            value.slug = thing.slug
            value.ownerID = thing.ownerID
            value.labelIDs = nil
            thing.update(from: value)
        }

        private func delete(_ random: inout SeededRandom) {
            let all: [[ManagedObject]] = [
                things.alive, parts.alive, labels.alive, boxes.alive, covers.alive, scraps.alive, folders.alive,
                notes.alive, screws.alive,
            ]
            guard let object = all.randomElement(using: &random)?.randomElement(using: &random) else { return }
            context.delete(object)
        }

        private func link(_ random: inout SeededRandom) {
            guard let thing = things.alive.randomElement(using: &random) else { return }
            let part = parts.alive.randomElement(using: &random)
            let label = labels.alive.randomElement(using: &random)
            let place = Int.random(in: 0...4, using: &random)
            switch Int.random(in: 0..<15, using: &random) {
            case 0: if let part { thing.parts.insert(part) }
            case 1: if let part { thing.parts.insert(part, at: place) }
            case 2: if let part { thing.parts.remove(part) }
            case 3: part?.whole = thing
            case 4: part?.wholeID = Bool.random(using: &random) ? nil : thing.id
            case 5: thing.parts.replaceAll(with: parts.alive.shuffled(using: &random))
            case 6: if let label { thing.labels.insert(label) }
            case 7: if let label { thing.labels.insert(label, at: place) }
            case 8: if let label { thing.labels.remove(label) }
            case 9: thing.labels.replaceAll(with: labels.alive.shuffled(using: &random))
            case 10: label?.things.insert(thing)
            case 11: thing.cover = Bool.random(using: &random) ? nil : covers.alive.randomElement(using: &random)
            case 12: covers.alive.randomElement(using: &random)?.thing = thing
            case 13: if let scrap = scraps.alive.randomElement(using: &random) { thing.scraps.insert(scrap) }
            default: if let part { boxes.alive.randomElement(using: &random)?.parts.insert(part) }
            }
        }

        /// Every attribute, in one order.
        private func text(_ thing: Everything) -> String {
            var value = thing.representation
            value.parts = nil
            value.scraps = nil
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let text = (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "not JSON"
            // A number in JSON can be stored as a double or as digits; both are equal.
            return text.replacing("1e-07", with: "0.0000001")
        }

        func lines() -> [String] {
            var lines: [String] = []
            func add(_ object: ManagedObject, _ name: String, _ text: @autoclosure () -> String) {
                let isDeleted = object.recordState == .deleted
                lines.append("\(name) \(object.recordState)\(isDeleted ? "" : " " + text())")
            }
            for person in people {
                add(
                    person, "person \(person.number)",
                    """
                    \(person.name) things \(person.things.map(\.id)) manager \(person.manager?.number ?? -1) \
                    reports \(person.reports.map(\.number).sorted())
                    """)
            }
            for thing in things {
                add(
                    thing, "thing \(thing.id)",
                    """
                    parts \(thing.parts.map(\.title)) labels \(thing.labels.map(\.id)) cover \(thing.cover?.id ?? -1) \
                    scraps \(thing.scraps.map(\.text).sorted()) owner \(thing.owner.number) photo \(thing.photo?.reference ?? "none") \
                    \(text(thing))
                    """)
            }
            for part in parts {
                add(
                    part, part.title,
                    """
                    whole \(part.whole?.id ?? -1) \(part.wholeID ?? -1) at \(part.partsPosition ?? -1) \
                    boxes \(part.boxes.map(\.id.uuidString).sorted()) screws \(part.screws.count)
                    """)
            }
            for label in labels { add(label, "label \(label.id)", "\(label.things.map(\.id).sorted())") }
            for cover in covers { add(cover, "cover \(cover.id)", "\(cover.thing?.id ?? -1)") }
            for scrap in scraps { add(scrap, scrap.text, "\(scrap.everything?.id ?? -1)") }
            for box in boxes { add(box, "box \(box.id)", "\(box.parts.map(\.title).sorted())") }
            for screw in screws { add(screw, "screw \(screw.id)", "\(screw.part.title)") }
            for folder in folders { add(folder, "folder \(folder.id)", "\(folder.notes.map(\.text))") }
            for note in notes { add(note, note.text, "\(note.folder.id)") }
            return lines
        }
    }

    @Test(
        "Any steps are undone and redone exactly, and leave nothing to save",
        arguments: Seeds.some(15, of: UInt64(1)...60))
    func walk(seed: UInt64) throws {
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        var walk = try UndoWalk<World>(store, seed: seed)
        try walk.run()
        let before = try store.writer.read { $0.totalChangesCount }
        try walk.context.save()
        #expect(try store.writer.read { $0.totalChangesCount } == before)
        // No trace of undo and redo is left: fetched objects equal the visible ones.
        let shown = walk.look()
        walk.context.reset()
        walk.expectSame(walk.look(), shown, "read anew")
    }

    @Test("Redone steps are saved as if they had never been undone", arguments: Seeds.some(8, of: UInt64(100)...130))
    func saved(seed: UInt64) throws {
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        var walk = try UndoWalk<World>(store, seed: seed)
        for index in 0..<10 { walk.step(index) }
        while walk.place > 0 { walk.undo() }
        while walk.history.canRedo { walk.redo() }
        let shown = walk.look()
        do { try walk.context.save() } catch {
            // A denied delete, or a required link: nothing has changed, and the steps can still be undone.
            walk.expectSame(walk.look(), shown, "after a save that failed with \(error)")
            while walk.place > 0 { walk.undo() }
            return #expect(!walk.context.hasChanges)
        }
        #expect(!walk.history.canUndo && !walk.history.canRedo)
        let saved = walk.world.lines()
        walk.context.reset()
        walk.expectSame(walk.world.lines(), saved, "saved and read anew")
    }
}

extension Array where Element: ManagedObject {
    /// Those that are not deleted.
    var alive: [Element] { filter { $0.recordState != .deleted } }
}
