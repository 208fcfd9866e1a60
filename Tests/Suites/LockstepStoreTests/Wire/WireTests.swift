import Foundation
import LockstepStore
import StoreSamples
import Testing
import TestSupport

@Suite("Reading and writing a server's JSON") @MainActor
struct WireTests {
    private func book(_ json: String) throws -> BookRepresentation {
        try JSONDecoder().decode(BookRepresentation.self, from: Data(json.utf8))
    }

    private func object(_ value: some Encodable) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value))
    }

    @Test("A model is written as its representation")
    func model() throws {
        let context = try Store(LibrarySchema.self, at: .inMemory).mainContext
        let book = Book(id: 1, title: "T", author: Author(id: 2, name: "A", context: context), context: context)
        #expect(try object(book) == object(book.representation))
        #expect(
            try object(book)
                == .object([
                    "id": .integer(1), "title": .string("T"), "year": .null, "isbn": .null, "author_id": .integer(2),
                    "chapters": .array([]),
                ]))
    }

    @Test("N1: another spelling of a key is read where the key is missing as it is spelt")
    func spelling() throws {
        #expect(try book(#"{"id": 1, "title": "T", "authorId": 7}"#).authorID == 7)
        #expect(try book(#"{"ID": 1, "Title": "T", "authorID": 7}"#).authorID == 7)
        #expect(try book(#"{"id": 1, "title": "T", "authorID": 7, "author_id": 8}"#).authorID == 8)
        #expect(try book(#"{"id": 1, "title": "T", "authorID": 7, "AuthorId": 8}"#).authorID == nil)
        #expect(try book(#"{"id": 1, "title": "T", "unknown": [1, {}]}"#).authorID == nil)
    }

    @Test("An id is found in an embedded object; the id itself counts more")
    func alternative() throws {
        #expect(try book(#"{"id": 1, "title": "T", "author": {"id": 7}}"#).authorID == 7)
        #expect(try book(#"{"id": 1, "title": "T", "author": {"id": 7}, "author_id": 8}"#).authorID == 8)
        #expect(try book(#"{"id": 1, "title": "T", "author": {"id": 7}, "author_id": null}"#).authorID == 7)
        #expect(try book(#"{"id": 1, "title": "T", "author": null}"#).authorID == nil)
    }

    @Test(
        "N4: whole numbers are exact, as numbers or as text", arguments: ["9007199254740993", #""9007199254740993""#])
    func wholeNumbers(number: String) throws {
        #expect(try book(#"{"id": \#(number), "title": "T"}"#).id == 9_007_199_254_740_993)
    }

    @Test("N4: a whole number with a fraction of zero is one", arguments: ["7.0", "7e0", #""7.0""#, "0.7e1"])
    func wholeFraction(number: String) throws { #expect(try book(#"{"id": \#(number), "title": "T"}"#).id == 7) }

    @Test(
        "N4: what does not fit is an error, never another number",
        arguments: [
            "9223372036854775808", "1.5", "7561853282146665.79", "1e30", #""""#, #""seven""#, "true", "[]", #""0x7""#,
            #"" 7""#,
        ])
    func notWhole(number: String) {
        #expect(throws: DecodingError.self) { try book(#"{"id": \#(number), "title": "T"}"#) }
    }

    @Test("An error names the key that is missing")
    func missing() {
        do {
            _ = try book(#"{"id": 1, "title": null}"#)
            Issue.record("No error was thrown.")
        } catch DecodingError.keyNotFound(let key, let context) {
            #expect(key.stringValue == "title")
            #expect(context.debugDescription.contains("“title”"))
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("Narrow types, Bools, decimals, UUIDs and closed enums read what they can hold, and nothing else")
    func otherTypes() throws {
        var random = SeededRandom(seed: 5)
        let valid = try object(AllTypesRepresentation.random(id: 1, using: &random))
        func read(_ key: String, _ value: JSONValue) throws -> AllTypesRepresentation {
            guard case .object(var members) = valid else { throw CancellationError() }
            members[key] = value
            return try JSONDecoder().decode(AllTypesRepresentation.self, from: JSONEncoder().encode(members))
        }
        #expect(try read("int16", .integer(32_767)).int16 == 32_767)
        #expect(throws: DecodingError.self) { try read("int16", .integer(32_768)) }
        #expect(try read("flag", .integer(1)).flag && read("flag", .integer(0)).flag == false)
        #expect(throws: DecodingError.self) { try read("flag", .integer(2)) }
        #expect(try read("textFlag", .string("true")).textFlag)
        #expect(try read("decimal", .string("0.10")).decimal == Decimal(string: "0.1"))
        #expect(throws: DecodingError.self) { try read("decimal", .string(String(repeating: "9", count: 39))) }
        #expect(throws: DecodingError.self) { try read("double", .string("nan")) }
        let identifier = UUID()
        #expect(try read("uuid", .string(identifier.uuidString)).uuid == identifier)
        #expect(try read("uuid", .string(identifier.uuidString.lowercased())).uuid == identifier)
        #expect(throws: DecodingError.self) { try read("uuid", .string("none")) }
        #expect(try read("level", .integer(10)).level == .high)
        #expect(throws: DecodingError.self) { try read("level", .integer(5)) }
        #expect(try read("mood", .string("new one")).mood == .unknown("new one"))
        #expect(throws: DecodingError.self) { try read("data", .string("not base64!")) }
        #expect(try read("json", .null).json == .null)
        #expect(try read("string", .integer(1)).string == "1" && read("string", .bool(true)).string == "true")
        #expect(throws: DecodingError.self) { try read("string", []) }
    }

    @Test("Nested keys share their object, and an object on the way that is missing is an absent value")
    func nestedKeys() throws {
        var random = SeededRandom(seed: 6)
        var representation = AllTypesRepresentation.random(id: 1, using: &random)
        representation.int64 = 5
        representation.optionalDate = Date(timeIntervalSince1970: 0)
        guard case .object(var members) = try object(representation) else { return }
        #expect(
            members["nested"] == .object(["int64": .integer(5), "optionalDate": .string("1970-01-01T00:00:00Z")]))
        members["nested"] = .object(["int64": .string("6")])
        let read = try JSONDecoder().decode(AllTypesRepresentation.self, from: JSONEncoder().encode(members))
        #expect(read.int64 == 6 && read.optionalDate == nil)
    }

    @Test("Values as text and dates in other formats are written as asked for")
    func formats() throws {
        var random = SeededRandom(seed: 7)
        var representation = AllTypesRepresentation.random(id: 1, using: &random)
        let date = Date(timeIntervalSince1970: 1_709_281_800.25)
        representation.textInt = .min
        representation.textFlag = true
        representation.textDecimal = Decimal(string: "1.50") ?? 0
        representation.seconds = date
        representation.milliseconds = date
        representation.spaced = Date(timeIntervalSince1970: 1_709_281_800)
        representation.secondsList = [date, Date(timeIntervalSince1970: 0.000_001)]
        guard case .object(let members) = try object(representation) else { return }
        #expect(members["textInt"] == .string("-9223372036854775808"))
        #expect(members["textFlag"] == .string("true") && members["textDecimal"] == .string("1.5"))
        #expect(members["seconds"] == .double(1_709_281_800.25))
        #expect(members["milliseconds"] == .integer(1_709_281_800_250))
        #expect(members["spaced"] == .string("2024-03-01 08:30:00 +0000"))
        #expect(members["secondsList"] == .array([.integer(1_709_281_800_250), .double(0.001)]))
    }
}
