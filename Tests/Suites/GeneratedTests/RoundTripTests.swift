import Foundation
import KitchenSink
import LockstepStore
import RuntimeTestSupport
import SampleTypes
import Testing
import TestSupport

/// One value through every form: representation, JSON, representation, row, model, representation.
@Suite("Every type of attribute survives a round trip")
struct RoundTripTests {
    @Test("Seeded values of all types", arguments: Seeds.some(20, of: UInt64(1)...40))
    func roundTrip(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        for _ in 0..<10 {
            let value = EverythingRepresentation.random(&random)
            let json = try JSONEncoder().encode(value)
            let decoded = try JSONDecoder().decode(EverythingRepresentation.self, from: json)
            #expect(decoded == value)
            let again = try JSONEncoder().encode(decoded)
            #expect(
                try JSONDecoder().decode(JSONValue.self, from: again)
                    == JSONDecoder().decode(JSONValue.self, from: json))
            try await store.perform { context in
                let model = try #require(Everything(representation: decoded, context: context))
                #expect(model == value)
                try context.save()
            }
            let loaded = try await store.perform { context in
                let model = try #require(try Everything.find(value.id, in: context))
                #expect(model == value)
                let representation = model.representation
                context.delete(model)
                try context.save()
                return representation
            }
            #expect(loaded == value)
        }
    }

    @Test("Each property is compared, with another representation and with a model", arguments: UInt64(1)...10)
    func comparesEachProperty(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let value = EverythingRepresentation.random(&random)
        let one = try Self.object(value)
        let other = try Self.object(EverythingRepresentation.random(&random))
        // Keys that cannot be omitted, and those that make one value together.
        let required: Set = ["id", "name", "days"]
        let owner: Set = ["owner_country", "owner_number"]
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        try await store.perform { context in
            let model = try #require(Everything(representation: value, context: context))
            for (key, different) in other where one[key] != different {
                let keys = owner.contains(key) ? owner : [key]
                let changes = other.filter { keys.contains($0.key) }
                let changed = try Self.representation(one.merging(changes) { $1 })
                #expect(changed != value, "\(key)")
                let kept = one.filter { required.contains($0.key) || keys.contains($0.key) }
                #expect(try model == Self.representation(kept), "\(key)")
                let omitting = kept.merging(changes) { $1 }
                #expect(try model != Self.representation(omitting), "\(key)")
            }
        }
        let again = try Self.representation(one)
        #expect(again == value && again.hashValue == value.hashValue)
    }

    private static func object(_ value: EverythingRepresentation) throws -> [String: JSONValue] {
        try JSONDecoder().decode([String: JSONValue].self, from: JSONEncoder().encode(value))
    }

    private static func representation(_ object: [String: JSONValue]) throws -> EverythingRepresentation {
        try JSONDecoder().decode(EverythingRepresentation.self, from: JSONEncoder().encode(object))
    }

    @Test("Edge cases: the limits of numbers, far dates, empty, huge, emoji and NUL texts")
    func edges() async throws {
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        let texts = [
            "", "\0", "a\0b", "👩‍👩‍👧‍👦 é e\u{301}", "\u{2028}\u{FEFF}\"\\/\r\n\t", String(repeating: "x", count: 200),
        ]
        let dates: [Date] = [
            .distantPast, .distantFuture, Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: -0.000001),
            Date(timeIntervalSince1970: 1e9 + 0.123456), Date(timeIntervalSinceReferenceDate: 0.1),
        ]
        let decimals = [
            "0", "-0.1", "99999999999999999999999999999999999999", "0.00000000000000000001", "-12345678901234567890.5",
        ]
        for step in 0..<12 {
            var random = SeededRandom(seed: UInt64(step))
            var value = EverythingRepresentation.random(&random)
            value.id = [Int.min, Int.max, 0, -1][step % 4]
            value.large = [Int64.min, .max, 0, 1][step % 4]
            value.medium = [Int32.min, .max][step % 2]
            value.optionalSmall = [Int16.min, .max][step % 2]
            value.summary = texts[step % texts.count]
            value.note = step == 3 ? String(repeating: "🙂", count: 300_000) : texts[(step + 1) % texts.count]
            value.createdAt = dates[step % dates.count].roundedToStore
            value.exact = try #require(Decimal(string: decimals[step % decimals.count]))
            value.precise = [.greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0, 0.1, 1e-7, -1e300][step % 6]
            value.ratio = [.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1][step % 3]
            value.blob = [Data(), Data([0]), Data(repeating: 255, count: 100_000)][step % 3]
            let edge = value
            let json = try JSONEncoder().encode(edge)
            let decoded = try JSONDecoder().decode(EverythingRepresentation.self, from: json)
            #expect(decoded == edge, "step \(step)")
            try await store.perform { context in
                let model = try #require(Everything(representation: decoded, context: context))
                try context.save()
                #expect(model == edge)
            }
            try await store.perform { context in
                let model = try #require(try Everything.find(edge.id, in: context))
                #expect(model.representation == edge, "step \(step)")
                context.delete(model)
                try context.save()
            }
        }
    }
}
