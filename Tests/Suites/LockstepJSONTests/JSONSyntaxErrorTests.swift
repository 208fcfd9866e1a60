import Foundation
import LockstepStore
import LockstepSync
import Testing

@Suite("Messages of JSON errors")
struct JSONSyntaxErrorTests {
    @Test(
        "N7 The position and the reason are reported, but nothing of the text",
        arguments: [
            ("[1,", "byte 3: the text ends in the middle of a value"), ("[1,]", "byte 3: “]” cannot be here"),
            ("[1 2]", "byte 3: “2” cannot be here"), ("\u{B}", "byte 0: the byte 0x0B cannot be here"),
            ("é", "byte 0: the byte 0xC3 cannot be here"), ("[012]", "byte 1: a number may not begin with 0"),
            ("[1.]", "byte 3: a number lacks a digit"),
            ("\"a secret\n\"", "byte 9: a string holds the byte 0x0A, which must be escaped"),
            (
                #""a secret \ud83d""#,
                "byte 10: a string holds an escape that JSON does not have, or half of a surrogate pair"
            ),
            ("{} {}", "byte 3: something follows the value"),
            (
                String(repeating: "[", count: 600),
                "byte 512: arrays and objects are nested more than 512 deep"
            ),
        ])
    func description(json: String, description: String) throws {
        let error = try #require(throws: JSONSyntaxError.self) { try JSONValue(parsing: json) }
        #expect(error.description == description)
    }

    @Test("N7 Invalid UTF-8 is reported too")
    func notUTF8() throws {
        let error = try #require(throws: JSONSyntaxError.self) {
            try JSONValue(json: Data([0x22, 0xC3, 0x22]))
        }
        #expect(error.description == "byte 2: the text is not UTF-8")
    }
}
