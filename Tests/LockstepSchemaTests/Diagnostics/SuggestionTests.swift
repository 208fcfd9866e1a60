import Testing

@testable import LockstepSchema

@Suite("What was probably meant")
struct SuggestionTests {
    @Test(
        "One letter wrong, missing, too many or swapped is near",
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

    @Test("The nearest wins, of equally near ones the first; the name itself is no suggestion")
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
