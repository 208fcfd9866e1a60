import LockstepStore
import Testing
import TestSupport

/// Random scripts through a parent and its children, compared with the same edits made in one context.
@Suite("Child contexts: a child's save equals edits of the parent")
struct ChildContextPropertyTests {
    @Test("Shop", arguments: Seeds.some(6, of: 0...59))
    func shop(seed: UInt64) async throws { try await run(ShopWorld.self, seed) }

    @Test("Schematic capture", arguments: Seeds.some(6, of: 0...59))
    func schematicCapture(seed: UInt64) async throws { try await run(SchematicCaptureWorld.self, seed) }

    @Test("Kitchen sink", arguments: Seeds.some(6, of: 0...59))
    func kitchenSink(seed: UInt64) async throws { try await run(KitchenSinkWorld.self, seed) }

    @Test("Shop: a child's save is undone and redone in the parent", arguments: Seeds.some(6, of: 0...59))
    func undoneShop(seed: UInt64) async throws { try await undo(ShopWorld.self, seed) }

    @Test("Schematic capture: a child's save is undone and redone in the parent", arguments: Seeds.some(6, of: 0...59))
    func undoneSchematicCapture(seed: UInt64) async throws { try await undo(SchematicCaptureWorld.self, seed) }

    @Test("Kitchen sink: a child's save is undone and redone in the parent", arguments: Seeds.some(6, of: 0...59))
    func undoneKitchenSink(seed: UInt64) async throws { try await undo(KitchenSinkWorld.self, seed) }

    private func undo<World: ContextWorld>(_ world: World.Type, _ seed: UInt64) async throws {
        let script = Script(seed: seed)
        let views = try await World.makeStore().perform { try script.playUndone(World.self, in: $0) }
        for (step, (found, expected)) in views.enumerated() {
            let isSame = found == expected
            try #require(isSame, "round \(step / 9), view \(step % 9): \(difference(found, expected))")
        }
    }

    private func run<World: ContextWorld>(_ world: World.Type, _ seed: UInt64) async throws {
        let script = Script(seed: seed)
        let nestedStore = try World.makeStore()
        let plainStore = try World.makeStore()
        let nested = try await nestedStore.perform { try script.playNested(World.self, in: $0) }
        // Changes that a child could not save are not made in the plain context either.
        let plain = try await plainStore.perform { try script.playPlain(World.self, in: $0, kept: nested.kept) }
        #expect(nested.views.count == plain.count)
        for (step, (nested, plain)) in zip(nested.views, plain).enumerated() {
            let isSame = nested == plain
            try #require(isSame, "round \(step / 7), view \(step % 7): \(difference(nested, plain))")
        }
        let (nestedRows, plainRows) = (
            try await nestedStore.perform { try World.look($0) }, try await plainStore.perform { try World.look($0) }
        )
        #expect(nestedRows == plainRows)
    }

    private func difference(_ nested: [String], _ plain: [String]) -> String {
        let (left, right) = (Set(nested), Set(plain))
        return "only nested: \(left.subtracting(right).sorted()), only plain: \(right.subtracting(left).sorted())"
    }
}

/// The edits of each context, and whether they are kept.
private struct Script: Sendable {
    /// Edits of the parent; edits of a child, which are kept or thrown away; whether the parent is saved or rolled
    /// back then.
    struct Round: Sendable {
        enum Ending: Sendable { case goesOn, isSaved, isRolledBack }

        let edits: [Edit]
        let childEdits: [Edit]
        let isKept: Bool
        /// Whether the child is a child's child.
        let isDeep: Bool
        let ending: Ending
    }

    let rounds: [Round]

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        rounds = (0..<12).map { _ in
            Round(
                edits: Self.edits(0...4, &random), childEdits: Self.edits(0...8, &random),
                isKept: Int.random(in: 0..<4, using: &random) > 0, isDeep: Bool.random(using: &random),
                ending: [.goesOn, .goesOn, .isSaved, .isSaved, .isRolledBack].randomElement(using: &random) ?? .goesOn)
        }
    }

    private static func edits(_ count: ClosedRange<Int>, _ random: inout SeededRandom) -> [Edit] {
        (0..<Int.random(in: count, using: &random)).map { _ in Edit(using: &random) }
    }

    /// Runs the script in children, and returns the visible state after each step.
    func playNested<World: ContextWorld>(
        _ world: World.Type, in context: ManagedObjectContext
    ) throws -> (views: [[String]], kept: [Bool]) {
        var views: [[String]] = []
        var kept: [Bool] = []
        let lasting = context.makeChild()
        for (number, round) in rounds.enumerated() {
            for edit in round.edits { try World.apply(edit, in: context) }
            let before = try World.look(context)
            // One child is kept and picks up changes, others are created again.
            let child = number % 2 == 0 ? lasting : context.makeChild()
            let editor = round.isDeep ? child.makeChild() : child
            for edit in round.childEdits { try World.apply(edit, in: editor) }
            let edited = try World.look(editor)
            if round.isKept, try save(editor, child) {
                kept.append(true)
                views += [edited, try World.look(child), try World.look(context)]
            } else {
                kept.append(false)
                editor.rollback()
                child.rollback()
                views += [before, try World.look(child), try World.look(context)]
            }
            views.append(end(round, context))
            views += [try World.look(context), try World.look(lasting), try World.look(context.makeScratch())]
        }
        return (views, kept)
    }

    /// Undoes and redoes each child's save before it is saved or rolled back; returns the visible state
    /// and the expected one.
    func playUndone<World: ContextWorld>(
        _ world: World.Type, in context: ManagedObjectContext
    ) throws -> [(found: [String], expected: [String])] {
        var views: [([String], [String])] = []
        let history = context.enableUndo()
        let lasting = context.makeChild()
        for (number, round) in rounds.enumerated() {
            for edit in round.edits { try World.apply(edit, in: context) }
            let before = try World.look(context)
            let child = number % 2 == 0 ? lasting : context.makeChild()
            let editor = round.isDeep ? child.makeChild() : child
            for edit in round.childEdits { try World.apply(edit, in: editor) }
            history.clear()
            guard try save(editor, child) else {
                #expect(!history.canUndo)
                views.append((try World.look(context), before))
                editor.rollback()
                child.rollback()
                continue
            }
            let after = try World.look(context)
            let isStep = history.undo()
            if isStep { views += [(try World.look(context), before), (try World.look(lasting), before)] }
            #expect(!history.canUndo)
            if isStep { history.redo() }
            views += [(try World.look(context), after), (try World.look(lasting), after)]
            if number % 3 == 0 {
                history.undo()
                views += [(try World.look(child), before), (try World.look(editor), before)]
            }
            _ = end(round, context)
            views.append((try World.look(lasting), try World.look(context)))
        }
        return views
    }

    /// Makes the same edits in one context.
    func playPlain<World: ContextWorld>(
        _ world: World.Type, in context: ManagedObjectContext, kept: [Bool]
    ) throws -> [[String]] {
        var views: [[String]] = []
        for (round, isKept) in zip(rounds, kept) {
            for edit in round.edits { try World.apply(edit, in: context) }
            if isKept { for edit in round.childEdits { try World.apply(edit, in: context) } }
            let view = try World.look(context)
            views += [view, view, view]
            views.append(end(round, context))
            let ended = try World.look(context)
            views += [ended, ended, try World.look(context.makeScratch())]
        }
        return views
    }

    /// - Returns: Whether the edits are the parent's now.
    private func save(_ editor: ManagedObjectContext, _ child: ManagedObjectContext) throws -> Bool {
        do {
            try editor.save()
            try child.save()
            return true
        } catch let error as StoreError {
            // Errors that a script can cause.
            try #require([.deleteDenied, .missingValue, .recordGone].contains(error.code), "\(error)")
            return false
        }
    }

    private func end(_ round: Round, _ context: ManagedObjectContext) -> [String] {
        switch round.ending {
        case .goesOn: return []
        case .isRolledBack:
            context.rollback()
            return []
        case .isSaved:
            do { try context.save() } catch {
                context.rollback()
                guard let error = error as? StoreError else { return ["\(error)"] }
                return ["\(error.code) \(error.entity ?? "") \(error.attribute ?? "")"]
            }
            return ["saved"]
        }
    }
}
