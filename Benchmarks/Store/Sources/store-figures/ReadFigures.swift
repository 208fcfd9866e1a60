import Contests
import Figures
import LockstepStore
import Notebook

/// Reading an attribute of models that nobody observes, beside a stored property.
struct ReadFigures {
    let workplace: Workplace
    let rounds: Int
    /// How many models are read, and how often: a few milliseconds.
    private static let (count, repetitions) = (1_000, 1_000)

    func print() async throws {
        let store = try workplace.store(try workplace.copy(full: true, "observe"))
        try await Contest(
            "read a text of a model, main context", budget: .readOnMain,
            lockstep: { try await readOnMain(store) }, floor: readStored, others: [nil]
        ).print(rounds: rounds)
        try await Contest(
            "read a text of a model, context of `perform`", budget: .readElsewhere,
            lockstep: { try await store.perform { try Self.read($0) } }, floor: readStored, others: [nil]
        ).print(rounds: rounds)
        try await Contest(
            "read a text of a model, context of `perform`, from another module",
            lockstep: { try await store.perform { try Self.readFromElsewhere($0) } }, floor: readStored, others: [nil]
        ).print(rounds: rounds)
        try store.close()
    }

    @MainActor private func readOnMain(_ store: Store) throws -> Time { try Self.read(store.mainContext) }

    private static func read(_ context: ManagedObjectContext) throws -> Time {
        let entries = try context.fetch(Entry.limit(count))
        var read: [String] = []
        let time = timed(count: count * repetitions) { read = titles(of: entries, repetitions: repetitions) }
        precondition(read.count == count)
        return time
    }

    /// A getter of another module is called, not inlined, and the model is retained meanwhile.
    private static func readFromElsewhere(_ context: ManagedObjectContext) throws -> Time {
        let entries = try context.fetch(Entry.limit(count))
        var read = Array(repeating: "", count: count)
        let time = timed(count: count * repetitions) {
            for _ in 0..<repetitions { for index in entries.indices { read[index] = entries[index].title } }
        }
        precondition(read.allSatisfy { !$0.isEmpty })
        return time
    }

    private func readStored() -> Time {
        let stored = workplace.entries.prefix(Self.count).map { StoredTitle($0.title) }
        var read: [String] = []
        let time = timed(count: Self.count * Self.repetitions) {
            read = titles(of: stored, repetitions: Self.repetitions)
        }
        precondition(read.count == Self.count)
        return time
    }
}
