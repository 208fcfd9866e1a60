import Foundation
import Testing

@testable import LockstepImport

@Suite("Samples that cannot be imported")
struct HostileSampleTests {
    @Test(
        "An error names the file, the line, and what to do",
        arguments: [
            ("", 1, "It is empty."), (" \n\n ", 3, "It is empty."),
            ("{\n  \"id\": 1,\n  \"a\": }", 3, "It is not JSON that can be imported: “}” cannot be here."),
            (
                "[{\"id\": 1},\n{\"id\"", 2,
                "It is not JSON that can be imported: the text ends in the middle of a value."
            ),
            ("[\n{\"id\": 1, \"id\": 2}]", 2, "The key 'id' is in the same object twice."),
            ("<!DOCTYPE html>\n<html></html>", 1, "It is a page in HTML or XML, not JSON."),
            ("\"text\"", 1, "It is a text, and no records."), ("null", 1, "It is null, and no records."),
            ("[1,\n2]", 1, "The list has a whole number where a record should be."),
            ("[{\"id\":1},\nnull]", 2, "The list has null where a record should be."),
            ("[]", 1, "It has no records:"), ("{\"data\":[]}", 1, "It has no records:"),
            ("[{\"id\":1}]\n[{\"id\":2}]", 2, "Something follows the JSON."),
            ("{\"id\":1}\n{\"id\":2}\nxyz", 3, "Something follows the JSON."),
            ("[{\"id\":1e999}]", 1, "It is not JSON that can be imported: a number is beyond what can be held."),
            ("[{\"id\":01}]", 1, "It is not JSON that can be imported: a number may not begin with 0."),
        ])
    func errors(_ text: String, _ line: Int, _ reason: String) throws {
        let failure = #expect(throws: ImportFailure.self) { try importing(sample: text) }
        #expect(failure?.line == line)
        #expect(failure?.reason.hasPrefix(reason) == true, "\(failure?.reason ?? "")")
        #expect(failure?.path.hasSuffix("/things.json") == true)
    }

    @Test("Another encoding and broken UTF-8 are errors")
    func encodings() throws {
        for bytes in [Data([0xFF, 0xFE, 0x5B, 0x00]), Data("[{\"id\":\"".utf8) + [0xC3, 0x28] + Data("\"}]".utf8)] {
            let input = ImportInput(standardInput: bytes)
            #expect(throws: ImportFailure.self) { try importSchema([input], options: ImportOptions()) }
        }
    }

    @Test("What is nested too deeply is an error")
    func depth() throws {
        let deep = String(repeating: "[", count: 100_000)
        let failure = #expect(throws: ImportFailure.self) { try importing(sample: "[{\"id\": \(deep)") }
        #expect(failure?.reason.contains("nested more than 128 deep") == true)
    }

    @Test("A description of an API is left to others", arguments: ["openapi", "swagger", "$schema"])
    func described(_ key: String) throws {
        let text = "{\"info\": {}, \"\(key)\": \"x\", \"components\": {}}"
        #expect(!SampleImporter().recognizes(ImportInput(standardInput: Data(text.utf8))))
    }

    @Test("Nothing but empty objects has no records", arguments: ["{}", "[{}]", "[{},{}]", #"{"data":[{}]}"#])
    func empty(_ text: String) throws {
        let failure = #expect(throws: ImportFailure.self) { try importing(sample: text) }
        #expect(failure?.line == 1)
        #expect(failure?.reason.hasPrefix("It has no records") == true)
    }

    @Test("More kinds of records than an app has are an error")
    func kinds() throws {
        let members = (0..<600).map { "\"kind\($0)x\": {\"id\": 1, \"k\($0)\": 2}" }.joined(separator: ",\n")
        let failure = #expect(throws: ImportFailure.self) { try importing(sample: "[{\"id\": 1, \(members)}]") }
        #expect(failure?.line == 500)
        #expect(failure?.reason.hasPrefix("There are more than 500 kinds of records") == true)
    }

    @Test("Objects with very many keys, and names of types, end in a schema")
    func unusual() throws {
        let keys = (0..<2000).map { "\"k\($0)\": {\"a\": 1}" }.joined(separator: ",")
        let wide = try importing(sample: "[{\"id\": 1, \"map\": {\(keys)}}]")
        #expect(wide.lines.contains("map: json?"))
        let names = try importing(samples: [
            ("string.json", #"[{"id":1,"String":1,"identity":2,"date":{"id":3,"type":"x"},"int":[{"Self":1}]}]"#)
        ])
        #expect(names.lines.contains("String:"))
        #expect(names.notes(.unequal).isEmpty)
    }
}
