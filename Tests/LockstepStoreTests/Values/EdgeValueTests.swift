import Foundation
@testable import LockstepStore
import StoreSamples
import Testing
import TestSupport

@Suite("Values at the edge of what can be stored") @MainActor
struct EdgeValueTests {
    private let store: Store
    private let context: Context

    init() throws {
        store = try Store(SpecimenSchema.self, at: .inMemory)
        context = store.mainContext
    }

    private func representation(
        _ id: Int = 1, _ change: (inout SpecimenRepresentation) -> Void
    ) -> SpecimenRepresentation {
        var random = SeededRandom(seed: UInt64(id))
        var representation = SpecimenRepresentation.random(id: id, using: &random)
        change(&representation)
        return representation
    }

    private func specimen(_ change: (inout SpecimenRepresentation) -> Void = { _ in }) throws -> Specimen {
        try #require(Specimen(representation: representation(1, change), context: context))
    }

    /// What another context reads of the only specimen.
    private func loaded() async throws -> SpecimenRepresentation {
        try await store.perform { try #require(try $0.fetch(Specimen.all()).first).representation }
    }

    @Test(
        "Every decimal can be read again, or is refused before it is saved",
        arguments: [
            Decimal.greatestFiniteMagnitude, -Decimal.greatestFiniteMagnitude, Decimal.leastNonzeroMagnitude,
            Decimal(string: "340282366920938463463374607431768211455") ?? 0,
            Decimal(string: "-1.23456789012345678901234567890123456789") ?? 0,
            Decimal(sign: .plus, exponent: -128, significand: Decimal.greatestFiniteMagnitude.significand),
        ])
    func decimals(value: Decimal) async throws {
        let representation = representation {
            $0.decimal = value
            $0.decimals = [value]
            $0.json = .array([.decimal(value)])
        }
        guard Specimen.isValid(representation) else { return }
        _ = try #require(Specimen(representation: representation, context: context))
        try context.save()
        let copy = try await loaded()
        #expect(copy.decimal == value && copy.decimals == [value] && copy.json == representation.json)
    }

    @Test("A decimal of 39 digits is stored")
    func longDecimal() async throws {
        let value = try #require(Decimal(string: "340282366920938463463374607431768211455"))
        _ = try specimen { $0.decimal = value }
        try context.save()
        #expect(try await loaded().decimal == value)
    }

    private static func nested(_ depth: Int) -> JSONValue {
        (0..<depth).reduce(JSONValue.null) { value, level in level % 2 == 0 ? .array([value]) : .object(["a": value]) }
    }

    @Test("JSON that is too deep to be read is refused when it is saved, in a list too")
    func deepJSON() async throws {
        let deepest = Self.nested(256)
        let specimen = try specimen {
            $0.json = deepest
            $0.jsons = [deepest]
        }
        try context.save()
        #expect(try await loaded().jsons == [deepest])

        specimen.json = Self.nested(257)
        #expect(storeError { try context.save() }?.attribute == "json")
        context.rollback()
        specimen.jsons = [Self.nested(257)]
        #expect(storeError { try context.save() }?.attribute == "jsons")
        #expect(!Specimen.isValid(representation(2) { $0.json = Self.nested(257) }))
        #expect(try await loaded().json == deepest)
    }

    @Test(
        "A number in JSON that is none is refused rather than stored as null",
        arguments: [JSONValue.double(.nan), .double(.infinity), .decimal(.nan)])
    func notANumberInJSON(value: JSONValue) throws {
        #expect(!Specimen.isValid(representation { $0.json = .object(["a": .array([value])]) }))
        let specimen = try specimen()
        specimen.optionalJSON = .array([value])
        let error = storeError { try context.save() }
        #expect(error?.code == .limit && error?.attribute == "optionalJSON")
        #expect(throws: (any Error).self) { try JSONEncoder().encode(value) }
    }

    @Test(
        "A column that holds a value of another type is named, not read as zero",
        arguments: [
            ("flag", "'yes'"), ("flag", "NULL"), ("int", "'12'"), ("int16", "1.5"), ("optionalInt64", "x'00'"),
            ("double", "'1'"), ("optionalFloat", "x'00'"), ("string", "5"), ("optionalString", "x'61'"),
            ("date", "'2024-01-01'"), ("data", "'text'"), ("optionalData", "1"), ("uuid", "7"), ("url", "7"),
        ])
    func otherTypes(column: String, value: String) async throws {
        _ = try specimen()
        try context.save()
        // The specimen's columns have no type that SQLite would convert values to.
        if value == "NULL" {
            try store.run("PRAGMA writable_schema = 1")
            try store.run(
                "UPDATE sqlite_master SET sql = replace(sql, '\"\(column)\" NOT NULL', '\"\(column)\" ')")
            try store.run("PRAGMA writable_schema = RESET")
        }
        try store.run("UPDATE specimen SET \"\(column)\" = \(value)")
        let error = await #expect(throws: StoreError.self) { _ = try await loaded() }
        #expect(error?.code == .unreadableValue && error?.attribute == column)
    }

    @Test("Whole numbers are read where a number with a fraction is meant")
    func wholeReals() async throws {
        _ = try specimen()
        try context.save()
        try store.run("UPDATE specimen SET \"double\" = 3, \"date\" = 5, \"data\" = ''")
        let copy = try await loaded()
        #expect(copy.double == 3 && copy.date == Date(timeIntervalSince1970: 5) && copy.data.isEmpty)
    }

    @Test("An edit that only spells a text otherwise is saved")
    func canonicallyEqualTexts() async throws {
        let (one, two) = ("caf\u{E9}", "cafe\u{301}")
        let specimen = try specimen {
            $0.string = one
            $0.optionalString = one
            $0.strings = [one]
            $0.mood = .unknown(one)
            $0.json = .object([one: .string(one)])
        }
        try context.save()
        specimen.string = two
        specimen.optionalString = two
        specimen.strings = [two]
        specimen.mood = .unknown(two)
        specimen.json = .object([two: .string(two)])
        #expect(specimen.recordState == .changed)
        try context.save()
        let copy = try await loaded()
        #expect(copy.string.utf8.elementsEqual(two.utf8))
        #expect(try #require(copy.optionalString).utf8.elementsEqual(two.utf8))
        #expect(try #require(copy.strings.first).utf8.elementsEqual(two.utf8))
        #expect(copy.mood.rawValue.utf8.elementsEqual(two.utf8))
        #expect(copy.json == .object([two: .string(two)]))
        #expect(copy.json != .object([one: .string(two)]) && copy.json != .object([two: .string(one)]))
    }

    @Test("A URL is the same with and without the base that is stored with it")
    func relativeURL() async throws {
        let base = try #require(URL(string: "https://example.org/a/"))
        let specimen = try specimen { $0.url = URL(string: "https://example.org/a/b") ?? base }
        try context.save()
        specimen.url = try #require(URL(string: "b", relativeTo: base))
        #expect(specimen.recordState == .stored)
    }
}
