import Foundation
import LockstepStore
import Testing
import TestSupport

/// Records changed by seed, one call at a time, and all their values visible in a context.
@MainActor
protocol UndoWorld {
    /// Creates and saves the first records.
    init(_ context: ManagedObjectContext, _ random: inout SeededRandom) throws

    /// Makes one call that changes something, or nothing.
    mutating func change(_ random: inout SeededRandom)

    /// All visible values of every record that ever existed.
    func lines() -> [String]
}

struct Abandoned: Error {}

/// Changes a world step by step, undoes and redoes, and compares the visible values with the earlier ones.
@MainActor
struct UndoWalk<World: UndoWorld> {
    let context: ManagedObjectContext
    let history: UndoHistory
    var world: World
    var random: SeededRandom
    /// The visible values before the first step and after each.
    var seen: [[String]] = []
    /// How many steps are currently done and not undone.
    var place = 0
    /// Whether relationships are loaded between the steps.
    let looksOften: Bool

    init(_ store: Store, seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        context = store.mainContext
        world = try World(context, &random)
        history = context.enableUndo()
        looksOften = seed % 3 != 0
        seen = [look()]
    }

    func look() -> [String] { world.lines() + ["hasChanges \(context.hasChanges)"] }

    /// Makes a step of one call, or of a group of some; some groups are abandoned.
    mutating func step(_ index: Int) {
        let name = "step \(index)"
        let isAlone = history.undoName != nil && Bool.random(using: &random)
        let isAbandoned = !isAlone && Int.random(in: 0..<5, using: &random) == 0
        // An object must stay the same when it is redone: the world keeps its own list of objects.
        if isAlone {
            world.change(&random)
        } else {
            try? history.group(name) {
                for _ in 0..<Int.random(in: 1...5, using: &random) { world.change(&random) }
                if isAbandoned { throw Abandoned() }
            }
        }
        let isStep = isAlone ? history.undoName == nil : history.undoName == name
        #expect(!(isAbandoned && isStep))
        seen.removeSubrange((place + 1)...)
        if isStep { place += 1 }
        let now = looksOften || isAbandoned || !isStep ? look() : []
        if isStep { seen.append(now) } else { expectSame(now, seen[place], "nothing was changed by \(name)") }
    }

    mutating func undo() {
        #expect(history.undo())
        place -= 1
        expectSame(look(), seen[place], "taken back to \(place)")
    }

    mutating func redo() {
        #expect(history.redo())
        place += 1
        expectSame(look(), seen[place], "done again to \(place)")
    }

    func expectSame(_ now: [String], _ then: [String], _ what: String) {
        guard !then.isEmpty else { return }
        // Later records are deleted ones.
        var difference = now.filter { !then.contains($0) && !$0.hasSuffix(" deleted") }
        difference += then.filter { !now.contains($0) }
        #expect(difference.isEmpty, "\(what): \(Self.shortened(difference))")
    }

    /// Differing lines, from their first difference.
    private static func shortened(_ lines: [String]) -> String {
        let groups = Dictionary(grouping: lines) { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        return groups.map { key, lines in
            let common = lines.dropFirst().reduce(lines[0]) { $0.commonPrefix(with: $1) }.count
            return "\(key): "
                + lines.map { String($0.dropFirst(max(0, common - 60)).prefix(120)) }.joined(separator: " | ")
        }.joined(separator: "\n")
    }

    /// Undoes everything, redoes some of it, makes other changes, and returns to the store.
    mutating func run() throws {
        for index in 0..<12 { step(index) }
        while place > 0 { undo() }
        #expect(!history.canUndo && !context.hasChanges)
        while history.canRedo { redo() }
        for _ in 0..<8 {
            let isBack = Bool.random(using: &random)
            if isBack, history.canUndo { undo() } else if history.canRedo { redo() }
        }
        for index in 20..<26 { step(index) }
        #expect(!history.canRedo)
        while place > 0 { undo() }
    }
}
