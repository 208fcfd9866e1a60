import Foundation
import LockstepStore
import StoreSamples
import Testing
import TestSupport

@Suite("Every type of attribute, there and back") @MainActor
struct RoundTripTests {
    @Test("Value → representation → JSON → representation → row → model is the same value", arguments: 0..<16)
    func roundTrip(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        let originals = (0..<40).map { AllTypesRepresentation.random(id: $0, using: &random) }
        let data = try JSONEncoder().encode(originals)
        let decoded = try JSONDecoder().decode([AllTypesRepresentation].self, from: data)
        for (original, copy) in zip(originals, decoded) where original != copy {
            Issue.record("\(differences(original, copy))")
        }

        let store = try Store(AllTypesSchema.self, at: .inMemory)
        for representation in decoded {
            let record = try #require(AllTypes(representation: representation, context: store.mainContext))
            #expect(record == representation)
        }
        try await store.mainContext.save()
        let loaded = try await store.perform { context in
            try context.fetch(AllTypes.order(Column("id"))).map(\.representation)
        }
        #expect(loaded.count == originals.count)
        for (original, copy) in zip(originals, loaded) where original != copy {
            Issue.record("\(differences(original, copy))")
        }
        let again = try JSONEncoder().encode(loaded)
        #expect(try JSONDecoder().decode([AllTypesRepresentation].self, from: again) == originals)
    }

    @Test("Values are updated column by column and read back by a rollback", arguments: 0..<4)
    func updateAndRollback(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed) + 1000)
        let store = try Store(AllTypesSchema.self, at: .inMemory)
        let context = store.mainContext
        let first = AllTypesRepresentation.random(id: 1, using: &random)
        let record = try #require(AllTypes(representation: first, context: context))
        try context.save()
        for _ in 0..<10 {
            let next = AllTypesRepresentation.random(id: 1, using: &random)
            let before = record.representation
            record.update(from: next)
            #expect(record == next)
            context.rollback()
            #expect(differences(record.representation, before) == [])
            record.update(from: next)
            try context.save()
            #expect(record.recordState == .stored && record == next)
        }
    }

    private func differences(_ left: AllTypesRepresentation, _ right: AllTypesRepresentation) -> [String] {
        zip(Mirror(reflecting: left).children, Mirror(reflecting: right).children).compactMap { left, right in
            if let first = left.value as? AnyHashable, first == right.value as? AnyHashable { return nil }
            let texts = [left.value, right.value].map { String(reflecting: $0).prefix(200) }
            return "\(left.label ?? ""): \(texts[0]) is not \(texts[1])"
        }
    }
}
