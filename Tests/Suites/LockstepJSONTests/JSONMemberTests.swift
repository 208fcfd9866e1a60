import LockstepStore
import LockstepSync
import Testing

@Suite("Members of JSON values")
struct JSONMemberTests {
    @Test("Members are read through objects and arrays; a missing one is nil")
    func reading() throws {
        let json = try JSONValue(parsing: #"{"id": 1, "comments": [{"text": "yes"}], "gone": null}"#)
        #expect(json["comments"]?[0]?["text"] == "yes")
        #expect(json["gone"] == .null && json["id"] == 1)
        #expect(json["none"] == nil && json[0] == nil && json["comments"]?[1] == nil && json["comments"]?[-1] == nil)
    }

    @Test("Members are set, changed and removed; null becomes an object, and nothing else is overwritten")
    func setting() {
        var json: JSONValue = ["id": 1, "tags": ["a", true]]
        json["title"] = "Monday"
        json["id"] = 2
        json["tags"] = nil
        #expect(json == .object(["id": .integer(2), "title": .string("Monday")]))
        var nothing = JSONValue.null
        nothing["a"] = nil
        #expect(nothing == [:])
        var text: JSONValue = "text"
        text["a"] = 1
        #expect(text == "text")
    }
}
