import KitchenSink
import LinkSamples
import LockstepStore
import LockstepSync
import RuntimeTestSupport
import SchematicCapture
import Shop
import Testing

@Suite("M12 M13 Invalid records and unknown keys")
struct InvalidRecordTests {
    @Test(
        "M12 Wrong type, out of limits, too large: skipped with index, key path and reason",
        arguments: [
            (#""name": [7]"#, "name"), (#""name": "X", "price": "dear""#, "price"),
            (#""name": "X", "price": -1"#, "price"),
            (#""name": "X", "stock": 1.5"#, "stock"), (#""name": "X", "stock": 9223372036854775808"#, "stock"),
            (#""name": "X", "stock": -1"#, "stock"), (#""name": "X", "released_at": "yesterday""#, "released_at"),
            (#""name": "X", "brand": {"url": 5}"#, "brand.url"), (#""name": ["X"]"#, "name"), (#""name": {}"#, "name"),
        ])
    func reasons(values: String, path: String) async throws {
        let shop = try RuleFixture(ShopSchema.self, "INSERT INTO product (id, name) VALUES (2, 'old')")
        let summary = try await shop.merge(
            #"[{"id": 1, "name": "A"}, {"id": 2, \#(values)}, {"id": 3, \#(values)}, {"id": 4, "name": "D"}]"#,
            into: Product.self)
        #expect(summary.skipped.map(\.index) == [1, 2])
        #expect(summary.skipped.map(\.identity) == ["2", "3"])
        #expect(summary.skipped.map(\.keyPath) == [path, path])
        #expect(summary.skipped.allSatisfy { !$0.reason.isEmpty && $0.entity == "Product" })
        #expect(summary[Product.self].inserted == 2 && summary[Product.self].skipped == 2)
        #expect(try shop.rows("SELECT id, name FROM product ORDER BY id") == ["1 A", "2 old", "4 D"])
    }

    @Test("M12 A maximum length, a closed enum and a unique value are enforced too")
    func otherReasons() async throws {
        let sink = try RuleFixture(KitchenSinkSchema.self)
        let record = { (id: Int, rest: String) in
            #"{"id": \#(id), "slug": "s\#(id)", "days": [], "owner_country": "CH", "owner_number": 1, \#(rest)}"#
        }
        let long = String(repeating: "x", count: 201)
        let summary = try await sink.merge(
            "["
                + [
                    record(1, #""name": """#), record(2, #""name": "\#(long)""#),
                    record(3, #""name": "C", "state": "Q""#),
                    record(4, #""name": "D", "small": 101"#), record(5, #""name": "E", "small": 40000"#),
                    record(6, #""name": "F", "token": "no""#), record(7, #""name": "G", "words": ["a", []]"#),
                    record(8, #""name": "H", "blob": "***""#), record(9, #""name": "I""#),
                ].joined(separator: ",") + "]", into: Everything.self)
        #expect(summary.skipped.map(\.index).sorted() == [0, 1, 2, 3, 4, 5, 6, 7])
        let paths = summary.skipped.sorted { $0.index < $1.index }.map(\.keyPath)
        #expect(
            paths == ["name", "name", "state", "small", "small", "token", "words[1]", "blob"]
                || paths[6].hasPrefix("words"))
        #expect(try sink.rows("SELECT id FROM everything") == ["9"])
    }

    @Test(
        "M12 A value that is not a record is skipped at its index",
        arguments: ["7", "null", "\"x\"", "true", "[]", "[{\"id\": 5}]"])
    func noRecord(value: String) async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let summary = try await shop.merge(
            #"[{"id": 1, "name": "A"}, \#(value), {"id": 2, "name": "B"}]"#, into: Product.self)
        #expect(summary.skippedTexts == ["1 : is not an object"])
        #expect(try shop.rows("SELECT id FROM product") == ["1", "2"])
    }

    @Test(
        "M12 If the caller chooses so, one invalid record ends the merge without changes",
        arguments: [
            (#"{"id": 3, "name": {}}"#, 1, "name"),
            (#"{"id": 3, "name": "C", "images": [{"id": 1, "url": 5}]}"#, 1, "images[0].url"),
            (#"{"id": 3}"#, 1, "name"), (#"{"id": 3, "name": "C", "images": [{"id": 1}]}"#, 1, "images[0].url"),
            ("7", 1, ""),
            (#"{"id": 3, "name": "C", "tag_ids": ["x"]}"#, 1, "tag_ids[0]"), (#"{"id": "x", "name": "C"}"#, 1, "id"),
        ])
    func abort(bad: String, index: Int, path: String) async throws {
        let shop = try RuleFixture(ShopSchema.self, "INSERT INTO product (id, name) VALUES (1, 'A')")
        let before = try shop.rows("SELECT * FROM product")
        let error = await #expect(throws: MergeError.self) {
            try await shop.mergeOnce(
                #"[{"id": 1, "name": "B", "tag_ids": [1]}, \#(bad), {"id": 4, "name": "D"}]"#, into: Product.self
            ) { $0.invalidRecords = .abort }
        }
        #expect(
            error?.code == .invalidRecord && error?.index == index && error?.keyPath == path,
            "\(String(describing: error))")
        #expect(error?.remedy.isEmpty == false)
        #expect(try shop.rows("SELECT * FROM product") == before)
        #expect(try shop.rows("SELECT * FROM product_tag") == [])
    }

    @Test("M12 M7 An invalid record counts as listed: no sweep deletes it")
    func notSwept() async throws {
        let shop = try RuleFixture(
            ShopSchema.self, "INSERT INTO product (id, name) VALUES (1, 'A'), (2, 'B'), (3, 'C')")
        let summary = try await shop.merge(#"[{"id": 1, "name": []}, {"id": 2, "name": null}]"#, into: Product.self) {
            $0.records = .all
        }
        #expect(summary[Product.self].deleted == 1)
        #expect(try shop.rows("SELECT id, name FROM product") == ["1 A", "2 B"])
    }

    @Test("M12 The problem with the first key path is reported, but never the values")
    func valuesHidden() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let summary = try await shop.merge(#"[{"id": 1, "stock": "secret", "price": "hidden"}]"#, into: Product.self)
        #expect(summary.skipped.map(\.keyPath) == ["price"])
        #expect(!summary.description.contains("secret") && !summary.description.contains("hidden"))
    }

    @Test("M12 Deep in a nested document, only the invalid part is skipped")
    func deep() async throws {
        let capture = try RuleFixture(SchematicCaptureSchema.self)
        let summary = try await capture.merge(
            """
            [{"id": 1, "name": "P", "companyName": "C", "clientId": 2, "jobsheet": [{"id": 1, "name": "S", "components": [
              {"id": 1, "componentId": "a"}, {"id": 2, "componentId": [], "photo": {"id": 1, "name": "p"}}, {"id": 3, "componentId": "c", "photo": {"id": 2, "name": {}}},
              {"id": 2147483648, "componentId": "d"}]}]},
             {"id": 2, "name": "Q", "companyName": "C", "clientId": "two"}]
            """, into: Project.self)
        #expect(
            summary.skipped.map { "\($0.index) \($0.keyPath)" } == [
                "0 jobsheet[0].components[1].componentId", "0 jobsheet[0].components[2].photo.name",
                "0 jobsheet[0].components[3].id", "1 clientId",
            ])
        #expect(try capture.rows("SELECT id FROM component") == ["1", "3"])
        #expect(try capture.rows("SELECT id FROM photo") == [])
        #expect(try capture.rows("SELECT id FROM project") == ["1"])
    }

    @Test("M13 Unknown keys are ignored, whatever their values, at every depth")
    func unknownKeys() async throws {
        let capture = try RuleFixture(SchematicCaptureSchema.self)
        let summary = try await capture.merge(
            """
            [{"_meta": {"id": 9, "name": [1, {"a": null}]}, "id": 1, "": 1, "name": "P", "names": ["x"], "companyName": "C", "clientId": 2,
              "jobsheet": [{"id": 1, "x": [], "name": "S", "project": 5, "components": [{"nested": [[[]]], "id": 1, "componentId": "a"}]}], "z": 1e999}]
            """, into: Project.self)
        #expect(summary.inserted == 3 && summary.skipped.isEmpty)
        #expect(try capture.rows("SELECT id, name, project_id FROM job_sheet") == ["1 S 1"])
    }

    @Test("M13 Another spelling of a key counts if the schema's own is missing")
    func otherSpelling() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        try await shop.merge(
            #"[{"id": 1, "title": "A", "bodyText": "camel"}, {"Id": 2, "TITLE": "B", "BodyText": "upper"}]"#,
            into: Article.self)
        try await shop.merge(
            #"[{"id": 3, "title": "C", "bodyText": "camel", "body_text": "exact"}]"#, into: Article.self)
        #expect(try shop.rows("SELECT id, body_text FROM article ORDER BY id") == ["1 camel", "2 upper", "3 exact"])
    }
}
