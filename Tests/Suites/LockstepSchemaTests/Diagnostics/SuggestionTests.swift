import Testing

@testable import LockstepSchema

@Suite("Suggestions")
struct SuggestionTests {
    @Test(
        "One letter wrong, missing, added or swapped is close",
        arguments: [
            ("strinf", "string"), ("strng", "string"), ("sttring", "string"), ("srting", "string"),
            ("String", "string"),
            ("uid", "uuid"), ("in", "int"), ("ProductReveiw", "ProductReview"),
        ])
    func near(name: String, meant: String) {
        #expect(nearest(to: name, among: ["bool", "string", "int", "uuid", "ProductReview"]) == meant)
    }

    @Test("Other words are not", arguments: ["", "text", "number", "s", "product"])
    func far(name: String) {
        #expect(nearest(to: name, among: ["string", "int", "uuid", "ProductReview"]) == nil)
    }

    @Test("The closest wins, the first of equally close ones; the name itself is not a suggestion")
    func order() {
        #expect(nearest(to: "abcdeg", among: ["abcxyz", "abcdef", "abcdeh"]) == "abcdef")
        #expect(nearest(to: "abc", among: ["abc", "abd"]) == "abd")
    }

    @Test("Names of hundreds of letters are not compared")
    func long() {
        let name = String(repeating: "a", count: 1_000)
        #expect(nearest(to: name, among: [name + "b"]) == nil)
    }
}
