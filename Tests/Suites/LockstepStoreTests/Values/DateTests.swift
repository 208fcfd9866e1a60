import Foundation
import LockstepStore
import StoreSamples
import Testing
import TestSupport

@Suite("Dates") @MainActor
struct DateTests {
    @Test("Rounding is idempotent, and a rounded date survives seconds since 1970, for every finite date")
    func rounding() {
        var random = SeededRandom(seed: 1)
        for exponent in -60..<70 {
            for _ in 0..<200 {
                let magnitude = Double.random(in: 1..<2, using: &random) * pow(2, Double(exponent))
                let date = Date(timeIntervalSinceReferenceDate: Bool.random(using: &random) ? magnitude : -magnitude)
                let rounded = date.roundedToStore
                #expect(rounded.roundedToStore == rounded)
                var stored = date
                stored.roundToStore()
                #expect(stored == rounded)
                #expect(Date(timeIntervalSince1970: rounded.timeIntervalSince1970).roundedToStore == rounded)
                if exponent < 31 { #expect(abs(rounded.timeIntervalSince(date)) < 1e-6) }
            }
        }
        #expect(Date.distantPast.roundedToStore == .distantPast && Date.distantFuture.roundedToStore == .distantFuture)
        let fraction = Date(timeIntervalSince1970: 1_700_000_000.123_456_7)
        #expect(fraction.roundedToStore == Date(timeIntervalSince1970: 1_700_000_000.123_457))
    }

    /// Reads a date as an entry's timestamp.
    private func read(_ json: String) throws -> Double {
        let text = #"{"identifier": "00000000-0000-0000-0000-000000000000", "title": "", "timestamp": \#(json)}"#
        return try JSONDecoder().decode(EntryRepresentation.self, from: Data(text.utf8)).timestamp.timeIntervalSince1970
    }

    @Test(
        "N3: what servers send is read",
        arguments: [
            (#""2024-03-01T08:30:00Z""#, 1_709_281_800), (#""2024-03-01T08:30:00.25Z""#, 1_709_281_800.25),
            (#""2024-03-01T08:30:00.123456789Z""#, 1_709_281_800.123_457),
            (#""2024-03-01T10:30:00+02:00""#, 1_709_281_800),
            (#""2024-03-01T10:30:00+0200""#, 1_709_281_800), (#""2024-03-01T06:30:00-02""#, 1_709_281_800),
            (#""2024-03-01 08:30:00""#, 1_709_281_800), (#""2024-03-01 08:30:00 +0000""#, 1_709_281_800),
            (#""2024-03-01T08:30Z""#, 1_709_281_800), (#""2024-03-01""#, 1_709_251_200),
            (#""1969-12-31T23:59:59.5Z""#, -0.5), (#""0001-01-01T00:00:00Z""#, -62_135_596_800),
            (#""2000-02-29T24:00:00Z""#, 951_868_800), ("1709281800", 1_709_281_800),
            ("1709281800.25", 1_709_281_800.25),
            ("1709281800250", 1_709_281_800.25), (#""1709281800""#, 1_709_281_800),
            (#""+10000-01-01T00:00:00Z""#, 253_402_300_800),
        ] as [(String, Double)])
    func reading(json: String, seconds: Double) throws { #expect(try read(json) == seconds) }

    @Test(
        "N3: what is no date is an error, never today",
        arguments: [
            #""""#, #""yesterday""#, #""2024-02-30T00:00:00Z""#, #""2023-02-29""#, #""2024-13-01""#,
            #""2024-03-01T25:00:00Z""#,
            #""2024-03-01T08:30:00.Z""#, #""2024-03-01T08:30:00+2""#, #""2024-03-01T08:30:00Zx""#, #""24-03-01""#,
            "true", "[]",
        ])
    func notDates(json: String) { #expect(throws: DecodingError.self) { try read(json) } }

    @Test("N6: ISO 8601 is written in UTC, with the fraction it needs")
    func writing() throws {
        func written(_ seconds: Double) throws -> String {
            let entry = EntryRepresentation(
                identifier: UUID(), title: "", mood: .neutral, timestamp: Date(timeIntervalSince1970: seconds))
            let object = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(entry))
            guard case .object(let members) = object, case .string(let text) = members["timestamp"] else { return "" }
            return text
        }
        #expect(try written(1_709_281_800) == "2024-03-01T08:30:00Z")
        #expect(try written(1_709_281_800.25) == "2024-03-01T08:30:00.250Z")
        #expect(try written(1_709_281_800.000_001) == "2024-03-01T08:30:00.000001Z")
        #expect(try written(-0.001) == "1969-12-31T23:59:59.999Z")
        #expect(try written(253_402_300_800) == "+10000-01-01T00:00:00Z")
        #expect(throws: EncodingError.self) { try written(1e300) }
        #expect(throws: EncodingError.self) { try written(.nan) }
    }
}
