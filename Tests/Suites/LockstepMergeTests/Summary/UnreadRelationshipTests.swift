import LockstepStore
import LockstepSync
import SchematicCapture
import Shop
import Testing

@Suite("M13 Unknown keys that look like relationships are noted, without a trace and on both roads")
struct UnreadRelationshipTests {
    private func notes(_ member: String) async throws -> [String] {
        let shop = try TwoRoads(ShopSchema.self)
        let summary = try await shop.merge(#"[{"id": 1, "name": "Cup", \#(member)}]"#, into: Product.self)
        #expect(summary[Product.self].inserted == 1)
        #expect(summary.notes.allSatisfy { $0.code == .unreadRelationship && $0.entity == "Product" })
        return summary.notes.map(\.text)
    }

    @Test(
        "M13 A key with another form of the name is noted, with the key that is read",
        arguments: [#""tags_ids": [1]"#, #""tags": [{"id": 1, "name": "a"}]"#, #""tag": {"id": 1}"#, #""TagsIds": []"#])
    func forms(member: String) async throws {
        let key = member.split(separator: "\"")[0]
        #expect(
            try await notes(member) == [
                "“\(key)” is not read, but looks like the relationship “tags”, which is read from “tag_ids”"
            ])
    }

    @Test("M13 So is the key of a relationship that is not in the JSON of the entity")
    func notThere() async throws {
        for (key, value) in [("product_reviews", #"[{"id": 1}]"#), ("productReviewIDs", "[1]")] {
            #expect(
                try await notes("\"\(key)\": \(value)") == [
                    "“\(key)” is not read, but looks like the relationship “productReviews”, which is not in the JSON of "
                        + "this entity"
                ])
        }
    }

    @Test(
        "M13 Other keys are not: null, plain values, what is read in another spelling, and similar words",
        arguments: [
            #""tags_ids": null"#, #""tag": "red""#, #""tags": 7"#, #""tagIds": [1]"#, #""tags_count": 3"#,
            #""tag_list": ["a"]"#, #""ids": [1]"#, #""id_": 1"#,
        ])
    func others(member: String) async throws { #expect(try await notes(member) == []) }

    @Test("M13 The same key is noted once; the owner of an embedded record, which contains it, is not")
    func once() async throws {
        let capture = try TwoRoads(SchematicCaptureSchema.self)
        let component = { (id: Int) in
            """
            {"id": \(id), "componentId": "c", "jobsheet": {"id": 7}, "photos": [], \
            "photo": {"id": \(id), "name": "p", "component": {"id": \(id)}}}
            """
        }
        let summary = try await capture.merge("[\(component(1)), \(component(2))]", into: Component.self)
        #expect(summary.notes.map { "\($0.entity): \($0.text.prefix(13))" }.filter { $0.contains("component") } == [])
        #expect(summary.notes.count == Set(summary.notes).count)
        #expect(summary.notes.contains { $0.text.hasPrefix("“photos” is not read") })
    }
}
