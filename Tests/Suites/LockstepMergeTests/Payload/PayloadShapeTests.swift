import Testing

@testable import LockstepJSON
@testable import LockstepMerge
@testable import LockstepMergeEngine

@Suite("The shape of a payload")
struct PayloadShapeTests {
    @Test("The elements of an array are the records, of any JSON type")
    func array() throws {
        let records = try #require(try ReadingOutcome(#" [ {"id": 1}, 7 , null,[true]] "#).records)
        #expect(records.map(\.json) == [#"{"id": 1}"#, "7", "null", "[true]"])
        #expect(records.map(\.index) == [0, 1, 2, 3])
        #expect(records.map(\.offset) == [3, 14, 18, 23])
        #expect(records.allSatisfy { $0.key == nil })
    }

    @Test("An object is one record; null and an empty array are none")
    func oneOrNone() throws {
        #expect(try ReadingOutcome(#"{"id": 1}"#).records?.map(\.json) == [#"{"id": 1}"#])
        #expect(try ReadingOutcome(" null\n").records == [])
        #expect(try ReadingOutcome("[]").records == [])
    }

    @Test("N7 A byte-order mark is skipped and counts in the offsets")
    func byteOrderMark() throws {
        #expect(try ReadingOutcome("\u{FEFF}[1]").records?.map(\.offset) == [4])
        #expect(try ReadingOutcome("\u{FEFF}\u{FEFF}[1]") == .notJSON(JSONSyntaxError(.unexpectedByte(0xEF), at: 3)))
        #expect(try ReadingOutcome("[1]\u{FEFF}") == .notJSON(JSONSyntaxError(.trailingContent, at: 3)))
    }

    @Test("Other keys of a wrapper are ignored, before and after the records")
    func wrapper() throws {
        let text = #"{"page": {"of": [1, {"products": [9]}]}, "products": [{"id": 1}, {"id": 2}], "next": "…"}"#
        let shape = PayloadShape.wrapped(key: "products")
        #expect(try ReadingOutcome(text, shape).records?.map(\.json) == [#"{"id": 1}"#, #"{"id": 2}"#])
        #expect(try ReadingOutcome(#"{"products": {"id": 1}}"#, shape).records?.map(\.json) == [#"{"id": 1}"#])
        #expect(try ReadingOutcome(#"{"products": null, "x": 0}"#, shape).records == [])
        #expect(try ReadingOutcome(#"{"pro\u0064ucts": [1]}"#, shape).records?.map(\.json) == ["1"])
    }

    @Test("Other keys of a wrapper are checked to be JSON")
    func wrapperChecked() throws {
        let shape = PayloadShape.wrapped(key: "p")
        #expect(
            try ReadingOutcome(#"{"p": [], "x": [1,]}"#, shape)
                == .notJSON(JSONSyntaxError(.unexpectedByte(0x5D), at: 18)))
        #expect(try ReadingOutcome(#"{"p": [], }"#, shape) == .notJSON(JSONSyntaxError(.unexpectedByte(0x7D), at: 10)))
        #expect(try ReadingOutcome(#"{"p": []} x"#, shape) == .notJSON(JSONSyntaxError(.trailingContent, at: 10)))
    }

    @Test("N7 The last of duplicate wrapper keys counts")
    func repeatedKey() throws {
        let shape = PayloadShape.wrapped(key: "p")
        let text = #"{"p": [1], "p": 3, "x": {"p": 1}, "p": [5, 6], "y": 0}"#
        #expect(try ReadingOutcome(#"{"p": [1], "p": [3]}"#, shape) == .repeatedKey)
        let body = PayloadBody.text(text)
        let watch = PayloadWatch()
        let repetitions = try body.repetitions(in: shape, watch: watch)
        #expect(repetitions == 2)
        let target = RecordingTarget()
        #expect(try body.read(shape, passingOver: repetitions, passingTo: target, watch: watch) == 2)
        #expect(target.records.map(\.json) == ["5", "6"])
    }

    @Test("The keys of a map are identities; null is not a record")
    func map() throws {
        let records = try #require(try ReadingOutcome(#"{"p1": {"a": 1}, "p2": null, "p\u0033": {}}"#, .map).records)
        #expect(records.map(\.json) == [#"{"a": 1}"#, "{}"])
        #expect(records.map(\.key) == ["p1", #"p\u0033"#])
        #expect(records.map(\.index) == [0, 2])
        #expect(try ReadingOutcome("null", .map).records == [])
        #expect(try ReadingOutcome("{}", .map).records == [])
    }

    @Test("A map with small integer keys comes as an array with gaps: the index is the key")
    func holes() throws {
        let records = try #require(try ReadingOutcome(#"[null, {"a": 1}, null, {"a": 3}]"#, .map).records)
        #expect(records.map(\.key) == ["1", "3"])
        #expect(records.map(\.index) == [1, 3])
    }

    @Test(
        "JSON of another shape is rejected with the actual shape, the expected shapes and the position",
        arguments: [
            (" 7", .records, "found a number instead of an array of records or one record", 1),
            (#""text""#, .records, "found a string instead of an array of records or one record", 0),
            ("false", .map, "found true or false instead of an object of records by their identities", 0),
            ("[]", .wrapped(key: "p"), "found an array instead of an object with the key “p”", 0),
            ("null", .wrapped(key: "p"), "found null instead of an object with the key “p”", 0),
            (
                #"{"p": 1}"#, .wrapped(key: "p"),
                "found a number instead of an array of records or one record under “p”", 6
            ),
            (#"{"q": []}"#, .wrapped(key: "p"), "the object has no key “p”", 8),
        ] as [(String, PayloadShape, String, Int)])
    func wrongShape(text: String, shape: PayloadShape, reason: String, offset: Int) throws {
        #expect(try ReadingOutcome(text, shape) == .refused(.wrongShape(reason: reason, offset: offset)))
    }

    @Test(
        "Invalid JSON is rejected with the offset",
        arguments: [
            ("", .unexpectedEnd, 0), ("  \n", .unexpectedEnd, 3), ("\u{FEFF}", .unexpectedEnd, 3),
            ("<html>", .unexpectedByte(0x3C), 0), ("not found", .unexpectedByte(0x6F), 1),
            ("[1 2]", .unexpectedByte(0x32), 3), ("[1,]", .unexpectedByte(0x5D), 3), ("[1", .unexpectedEnd, 2),
            ("[1]]", .trailingContent, 3), ("{} {}", .trailingContent, 3), ("[tru]", .unexpectedByte(0x5D), 4),
        ] as [(String, JSONSyntaxError.Reason, Int)])
    func notJSON(text: String, reason: JSONSyntaxError.Reason, offset: Int) throws {
        for shape in [PayloadShape.records, .map] {
            #expect(try ReadingOutcome(text, shape) == .notJSON(JSONSyntaxError(reason, at: offset)))
        }
    }
}
