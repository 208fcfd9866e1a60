import Foundation
@testable import LockstepStore
import StoreSamples
import Testing
import TestSupport

@Suite("Values at the edge of what can be stored") @MainActor
struct EdgeValueTests {
    private let store: Store
    private let context: ManagedObjectContext

    init() throws {
        store = try Store(AllTypesSchema.self, at: .inMemory)
        context = store.mainContext
    }

    private func representation(
        _ id: Int = 1, _ change: (inout AllTypesRepresentation) -> Void
    ) -> AllTypesRepresentation {
        var random = SeededRandom(seed: UInt64(id))
        var representation = AllTypesRepresentation.random(id: id, using: &random)
        change(&representation)
        return representation
    }

    private func record(_ change: (inout AllTypesRepresentation) -> Void = { _ in }) throws -> AllTypes {
        try #require(AllTypes(representation: representation(1, change), context: context))
    }

    /// What another context reads of the only record.
    private func loaded() async throws -> AllTypesRepresentation {
        try await store.perform { try #require(try $0.fetch(AllTypes.all()).first).representation }
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
        guard AllTypes.isValid(representation) else { return }
        _ = try #require(AllTypes(representation: representation, context: context))
        try await context.save()
        let copy = try await loaded()
        #expect(copy.decimal == value && copy.decimals == [value] && copy.json == representation.json)
    }

    @Test("A decimal of 39 digits is stored")
    func longDecimal() async throws {
        let value = try #require(Decimal(string: "340282366920938463463374607431768211455"))
        _ = try record { $0.decimal = value }
        try await context.save()
        #expect(try await loaded().decimal == value)
    }

    private static func nested(_ depth: Int) -> JSONValue {
        (0..<depth).reduce(JSONValue.null) { value, level in level % 2 == 0 ? .array([value]) : .object(["a": value]) }
    }

    @Test("JSON that is too deep to be read is refused when it is saved, in a list too")
    func deepJSON() async throws {
        let deepest = Self.nested(256)
        let record = try record {
            $0.json = deepest
            $0.jsons = [deepest]
        }
        try await context.save()
        #expect(try await loaded().jsons == [deepest])

        record.json = Self.nested(257)
        #expect(storeError { try context.save() }?.attribute == "json")
        context.rollback()
        record.jsons = [Self.nested(257)]
        #expect(storeError { try context.save() }?.attribute == "jsons")
        #expect(!AllTypes.isValid(representation(2) { $0.json = Self.nested(257) }))
        #expect(try await loaded().json == deepest)
    }

    @Test(
        "A number in JSON that is none is refused rather than stored as null",
        arguments: [JSONValue.double(.nan), .double(.infinity), .decimal(.nan)])
    func notANumberInJSON(value: JSONValue) throws {
        #expect(!AllTypes.isValid(representation { $0.json = .object(["a": .array([value])]) }))
        let record = try record()
        record.optionalJSON = .array([value])
        let error = storeError { try context.save() }
        #expect(error?.code == .limit && error?.attribute == "optionalJSON")
        #expect(throws: (any Error).self) { try JSONEncoder().encode(value) }
    }

    @Test(
        "A column that holds a value of another type, or out of its range, is named, not read as zero or cut off",
        arguments: [
            ("flag", "'yes'"), ("flag", "NULL"), ("int", "'12'"), ("int16", "1.5"), ("optionalInt64", "x'00'"),
            ("int16", "65537"), ("int32", "4294967297"),
            ("double", "'1'"), ("optionalFloat", "x'00'"), ("string", "5"), ("optionalString", "x'61'"),
            ("date", "'2024-01-01'"), ("day", "0"), ("day", "'2026-02-29'"), ("optionalDay", "'2026-11-27 10:00'"),
            ("data", "'text'"), ("optionalData", "1"), ("uuid", "7"), ("url", "7"),
        ])
    func otherTypes(column: String, value: String) async throws {
        _ = try record()
        try await context.save()
        try removeTypes([column])
        try store.run("UPDATE all_types SET \"\(column)\" = \(value)")
        let error = await #expect(throws: StoreError.self) { _ = try await loaded() }
        #expect(error?.code == .unreadableValue && error?.attribute == column)
    }

    /// Declares columns without a type and `NOT NULL`, so that SQLite neither converts nor refuses any value.
    private func removeTypes(_ columns: [String]) throws {
        try store.run("PRAGMA writable_schema = 1")
        for column in columns {
            for type in ["BLOB", "BOOLEAN", "INTEGER", "REAL", "TEXT"].flatMap({ [$0 + " NOT NULL", $0] }) {
                try store.run(
                    """
                    UPDATE sqlite_master SET sql = replace(sql, '"\(column)" \(type)', '"\(column)"') \
                    WHERE name = 'all_types'
                    """)
            }
        }
        try store.run("PRAGMA writable_schema = RESET")
        for column in columns {
            #expect(
                try store.rows("SELECT type, \"notnull\" FROM pragma_table_info('all_types') WHERE name = '\(column)'")
                    == ["|0"])
        }
    }

    @Test("Whole numbers are read where a number with a fraction is meant")
    func wholeReals() async throws {
        _ = try record()
        try await context.save()
        try removeTypes(["double", "date", "data"])
        try store.run("UPDATE all_types SET \"double\" = 3, \"date\" = 5, \"data\" = ''")
        let copy = try await loaded()
        #expect(copy.double == 3 && copy.date == Date(timeIntervalSince1970: 5) && copy.data.isEmpty)
    }

    @Test("An edit that only spells a text otherwise is saved")
    func canonicallyEqualTexts() async throws {
        let (one, two) = ("caf\u{E9}", "cafe\u{301}")
        let record = try record {
            $0.string = one
            $0.optionalString = one
            $0.strings = [one]
            $0.mood = .unknown(one)
            $0.json = .object([one: .string(one)])
        }
        try await context.save()
        record.string = two
        record.optionalString = two
        record.strings = [two]
        record.mood = .unknown(two)
        record.json = .object([two: .string(two)])
        #expect(record.recordState == .changed)
        try await context.save()
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
        let record = try record { $0.url = URL(string: "https://example.org/a/b") ?? base }
        try await context.save()
        record.url = try #require(URL(string: "b", relativeTo: base))
        #expect(record.recordState == .stored)
    }
}
