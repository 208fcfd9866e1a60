import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem
import RandomSchemas
import TestSupport

/// Payloads that are merged into a store one after another.
struct RandomStory: Sendable {
    struct Step: Sendable {
        let entity: String
        var records: [PayloadObject]
        /// The whitespace in the text.
        let textSeed: UInt64

        var text: String {
            var random = SeededRandom(seed: textSeed)
            return PayloadNode.list(records.map { .object($0) }).text(&random)
        }
    }

    let seed: UInt64
    let schema: any StoreSchema.Type
    var steps: [Step] = []

    private static let firstSchemas: [any StoreSchema.Type] = [
        RandomSchema1Schema.self, RandomSchema2Schema.self, RandomSchema3Schema.self, RandomSchema4Schema.self,
        RandomSchema5Schema.self, RandomSchema6Schema.self, RandomSchema7Schema.self, RandomSchema8Schema.self,
        RandomSchema9Schema.self,
    ]
    private static let laterSchemas: [any StoreSchema.Type] = [
        RandomSchema10Schema.self, RandomSchema11Schema.self, RandomSchema12Schema.self, RandomSchema13Schema.self,
        RandomSchema14Schema.self, RandomSchema15Schema.self,
    ]

    /// A seed chooses the later schemas by a number of its own, so that the other stories stay as they were.
    private static func chosenSchema(_ seed: UInt64) -> any StoreSchema.Type {
        var later = SeededRandom(seed: seed &* 613 &+ 7)
        if later.isOne(in: 2) { return later.element(of: laterSchemas) }
        return firstSchemas[Int(seed % UInt64(firstSchemas.count))]
    }

    var plans: SchemaPlan { schema.plan }

    /// The states of one server, as it sends them.
    ///
    /// - Parameter stateCount: How often the server changes, minus one.
    init(seed: UInt64, _ style: PayloadStyle, stateCount: Int) {
        self.seed = seed
        schema = Self.chosenSchema(seed)
        let plans = schema.plan
        var server = ServerMaker(plans, sharesUniqueValues: style.sharesUniqueValues, seed: seed)
        var state = server.state()
        for number in 0..<stateCount {
            if number > 0 { state = server.changed(state) }
            let states = style.isTorn ? [state, server.changed(state)] : [state]
            var maker = PayloadMaker(server, states, style, seed: seed &* 31 &+ UInt64(number))
            for plan in plans.shuffled(using: &server.speller.random) where !plan.isWithoutIdentity {
                if style.lacksKeys, server.speller.random.isOne(in: 3) { continue }
                steps.append(
                    Step(entity: plan.name, records: maker.list(of: plan), textSeed: server.speller.random.next()))
            }
        }
    }

    // MARK: Merging it

    func openStore() throws -> Store { try Store(schema, at: .inMemory) }

    static let now = Date(timeIntervalSince1970: 1_600_000_000)

    /// Options with a fixed time, whose identities can be distinguished from others.
    static func options() -> MergeOptions {
        var options = MergeOptions()
        let counter = Counter()
        options.now = { now }
        options.newIdentity = {
            let digits = String(counter.next(), radix: 16)
            let text = CanonicalRows.madePrefix + String(repeating: "0", count: 12 - digits.count) + digits
            return UUID(uuidString: text) ?? UUID()
        }
        return options
    }

    func model(of step: Step) -> any Model.Type {
        schema.entities.first { $0.entity.name == step.entity } ?? schema.entities[0]
    }

    @discardableResult
    func merge(_ step: Step, into store: Store, _ options: MergeOptions) async throws -> MergeSummary {
        try await Self.merge(Data(step.text.utf8), into: model(of: step), store, options)
    }

    static func merge<Object: Model>(
        _ bytes: Data, into type: Object.Type, _ store: Store, _ options: MergeOptions
    ) async throws -> MergeSummary {
        try await store.merge(bytes, into: type, options: options)
    }

    /// The other path: the records are decoded to representations. The JSON of those that are not valid stays.
    static func mergeDecoded<Object: Model>(
        _ step: Step, into type: Object.Type, _ store: Store, _ options: MergeOptions
    ) async throws -> MergeSummary {
        let list = try JSONDecoder().decode(LossyRepresentations<Object>.self, from: Data(step.text.utf8))
        return try await store.merge(list, options: options)
    }

    /// Options that differ in every choice, by seed.
    static func options(_ random: inout SeededRandom) -> (_ options: MergeOptions) -> MergeOptions {
        func operations() -> MergeOperations {
            MergeOperations(rawValue: random.element(of: [1, 2, 3, 4, 5, 6, 7, 7, 7]))
        }
        let (records, nested) = (operations(), operations())
        let (aborts, isDryRun) = (random.isOne(in: 10), random.isOne(in: 20))
        let missingKeys: MissingKeys = random.isOne(in: 4) ? .empty : .keep
        let completeness: MergeOptions.Completeness = random.isOne(in: 4) ? .partial : .automatic
        let batchRecordLimit = random.element(of: [1, 3, Int.max])
        return { options in
            var options = options
            (options.records, options.nested, options.isDryRun) = (records, nested, isDryRun)
            options.invalidRecords = aborts ? .abort : .skip
            (options.missingKeys, options.completeness) = (missingKeys, completeness)
            options.batchRecordLimit = batchRecordLimit
            return options
        }
    }

    // MARK: Making it shorter

    /// The same story, reduced to what still fails.
    func shrunk(_ fails: (RandomStory) async throws -> Bool) async rethrows -> RandomStory {
        var story = self
        var isShorter = true
        while isShorter {
            isShorter = false
            for step in story.steps.indices.reversed() {
                var shorter = story
                shorter.steps.remove(at: step)
                if try await fails(shorter) { story = shorter; isShorter = true; continue }
                for record in story.steps[step].records.indices.reversed() {
                    var shorter = story
                    shorter.steps[step].records.remove(at: record)
                    if try await fails(shorter) { story = shorter; isShorter = true; continue }
                    for member in story.steps[step].records[record].members.indices.reversed() {
                        var shorter = story
                        shorter.steps[step].records[record].members.remove(at: member)
                        if try await fails(shorter) { story = shorter; isShorter = true }
                    }
                }
            }
        }
        return story
    }

    /// The visible part of a failure.
    func report(_ what: String) -> String {
        let texts = steps.map { "\($0.entity): \($0.text)" }
        return "seed \(seed), \(schema.name)\n\(texts.joined(separator: "\n"))\n\(what)"
    }
}

/// Numbers from 1, for closures that must be `Sendable`.
final class Counter: Sendable {
    private let lock = Locked(0)

    func next() -> Int {
        lock.withLock {
            $0 += 1; return $0
        }
    }
}
