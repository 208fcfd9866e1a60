import Foundation
import LockstepJSON
import TestSupport
import Testing

@Suite("Members of an object by their paths")
struct JSONMembersTests {
    private func values(_ json: String, _ paths: [[String]]) -> [JSONValue?]? {
        JSONMembers.values(at: paths, of: Data(json.utf8))
    }

    @Test("They equal the members of the fully parsed value")
    func found() {
        #expect(
            values(#"{"a": 1, "b": {"c": [2], "d": 3}}"#, [["a"], ["b", "c"], ["b"], ["x"], ["a", "b"]])
                == [1, [2], ["c": [2], "d": 3], nil, nil])
    }

    @Test("The last value of a duplicate key counts, also for its nested members")
    func repeated() {
        #expect(values(#"{"a": 1, "a": 2, "m": {"id": 1}, "m": {}}"#, [["a"], ["m", "id"]]) == [2, nil])
        #expect(values(#"{"m": {"id": 1}, "m": 7}"#, [["m", "id"]]) == [nil])
    }

    @Test(
        "A non-object has no members", arguments: ["", "[1]", "7", "null", #"{"a": 1"#, #"{"a": 1} x"#, "<html>"])
    func noObject(_ json: String) { #expect(values(json, [["a"]]) == nil) }

    @Test("Random objects: the members equal those of the fully parsed value", arguments: UInt64(1)...50)
    func random(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func make(_ depth: Int) -> JSONValue {
            switch Int.random(in: 0...(depth > 3 ? 2 : 4), using: &random) {
            case 0: return .integer(Int64.random(in: 0...9, using: &random))
            case 1: return .null
            case 2: return .string("a")
            case 3: return .array((0..<2).map { _ in make(depth + 1) })
            default:
                return .object(JSONObject(["a", "b", "c"].map { ($0, make(depth + 1)) }))
            }
        }
        let value = JSONValue.object(["a": make(0), "b": make(0), "c": make(0)])
        let paths = [["a"], ["a", "b"], ["b", "b", "c"], ["c", "a", "a", "a"], ["d"]]
        #expect(JSONMembers.values(at: paths, of: try value.json()) == paths.map { value.value(at: $0) })
    }
}
