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
        let originals = (0..<40).map { SpecimenRepresentation.random(id: $0, using: &random) }
        let data = try JSONEncoder().encode(originals)
        let decoded = try JSONDecoder().decode([SpecimenRepresentation].self, from: data)
        for (original, copy) in zip(originals, decoded) where original != copy {
            Issue.record("\(differences(original, copy))")
        }

        let store = try Store(SpecimenSchema.self, at: .inMemory)
        for representation in decoded {
            let specimen = try #require(Specimen(representation: representation, context: store.mainContext))
            #expect(specimen == representation)
        }
        try store.mainContext.save()
        let loaded = try await store.perform { context in
            try context.fetch(Specimen.order(Column("id"))).map(\.representation)
        }
        #expect(loaded.count == originals.count)
        for (original, copy) in zip(originals, loaded) where original != copy {
            Issue.record("\(differences(original, copy))")
        }
        let again = try JSONEncoder().encode(loaded)
        #expect(try JSONDecoder().decode([SpecimenRepresentation].self, from: again) == originals)
    }

    @Test("Values are updated column by column and read back by a rollback", arguments: 0..<4)
    func updateAndRollback(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed) + 1000)
        let store = try Store(SpecimenSchema.self, at: .inMemory)
        let context = store.mainContext
        let first = SpecimenRepresentation.random(id: 1, using: &random)
        let specimen = try #require(Specimen(representation: first, context: context))
        try context.save()
        for _ in 0..<10 {
            let next = SpecimenRepresentation.random(id: 1, using: &random)
            let before = specimen.representation
            specimen.update(from: next)
            #expect(specimen == next)
            context.rollback()
            #expect(differences(specimen.representation, before) == [])
            specimen.update(from: next)
            try context.save()
            #expect(specimen.recordState == .stored && specimen == next)
        }
    }

    private func differences(_ left: SpecimenRepresentation, _ right: SpecimenRepresentation) -> [String] {
        zip(Mirror(reflecting: left).children, Mirror(reflecting: right).children).compactMap { left, right in
            if let first = left.value as? AnyHashable, first == right.value as? AnyHashable { return nil }
            let texts = [left.value, right.value].map { String(reflecting: $0).prefix(200) }
            return "\(left.label ?? ""): \(texts[0]) is not \(texts[1])"
        }
    }
}
