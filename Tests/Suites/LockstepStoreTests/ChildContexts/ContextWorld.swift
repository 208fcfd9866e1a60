import Foundation
import LockstepStore
import TestSupport

/// One step of a random script: an edit, and its records. Its effect depends on the state of the context.
struct Edit: Sendable {
    let kind: Int
    let first: Int
    let second: Int
    let place: Int

    /// How many records of an entity a script uses.
    static let recordCount = 4

    init(using random: inout SeededRandom) {
        kind = Int.random(in: 0..<1000, using: &random)
        first = Int.random(in: 1...Self.recordCount, using: &random)
        second = Int.random(in: 1...Self.recordCount, using: &random)
        place = Int.random(in: 0...3, using: &random)
    }
}

/// A schema's records as edited and read by random scripts.
protocol ContextWorld: SendableMetatype {
    static func makeStore() throws -> Store
    static func apply(_ edit: Edit, in context: ManagedObjectContext) throws
    /// Everything that `context` shows, through `find` and both ends of every relationship.
    static func look(_ context: ManagedObjectContext) throws -> [String]
}

extension UUID {
    /// A UUID of a small number, for records that scripts find again.
    init(number: Int) {
        let digits = String(number)
        self =
            UUID(uuidString: "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)
            ?? UUID()
    }
}
