import LockstepImport
import LockstepSchema
import Testing

/// What servers send, beyond the fixtures.
@Suite("Responses of servers become the entities that are meant")
struct SampleResponseTests {
    // MARK: Envelopes

    @Test(
        "Records are found beside numbers and what else belongs to no record",
        arguments: [
            #"{"things":[{"id":1,"a":1}],"total":9,"skip":0,"limit":1}"#,
            #"{"type":"ThingCollection","things":[{"id":1,"a":1}]}"#, #"{"things":[{"id":1,"a":1}],"processing":14}"#,
            #"{"object":"list","url":"/v1/things","has_more":false,"data":[{"id":1,"a":1}]}"#,
            #"{"data":[{"id":1,"a":1}],"meta":{"count":1}}"#, #"{"things":[{"id":1,"a":1}],"number":0,"size":20}"#,
            #"{"info":{"count":1,"next":null},"results":[{"id":1,"a":1}]}"#,
            #"{"type":"Collection","metadata":{"generated":1,"url":"u"},"things":[{"id":1,"a":1}]}"#,
        ])
    func besides(_ text: String) throws {
        let imported = try importing(sample: text)
        #expect(imported.lines.suffix(5) == ["Thing:", "attributes:", "id: int", "a: int?", ""])
    }

    @Test("Records are found under a key that is usual beside records", arguments: ["pages", "links", "messages"])
    func usualKey(_ key: String) throws {
        let imported = try importing(sample: "{\"\(key)\":[{\"id\":1,\"a\":1}],\"total\":1}")
        #expect(imported.lines.suffix(4) == ["attributes:", "id: int", "a: int?", ""])
    }

    @Test("What is beside the records of a list inside of a record is no attribute")
    func besidesInner() throws {
        let orders = #"{"object":"list","data":[{"id":"o1","total":1}],"has_more":false}"#
        let imported = try importing(sample: "[{\"id\":\"c1\",\"orders\":\(orders)}]")
        #expect(imported.lines.contains { $0.hasPrefix("orders: { to: [Order],") && $0.contains(": [orders, data]") })
        #expect(!imported.text.contains("ordersObject") && !imported.text.contains("ordersHasMore"))
        #expect(imported.notes(.ignored) == ["Around the records of Thing.orders: object, has_more"])
        #expect(imported.notes(.unequal).isEmpty)
    }

    @Test("An object with an identity, or with several lists, is a record, also with another object in it")
    func besidesObject() throws {
        for text in [#""id":7"#, #""parts":[{"id":2}]"#] {
            let imported = try importing(sample: #"{"place":{"height":1},"lines":[{"id":1,"a":1}],\#(text)}"#)
            #expect(imported.lines.contains { $0.hasPrefix("placeHeight: ") }, "\(imported.text)")
        }
    }

    @Test("A list without identities is in its envelope, if that has nothing else but its known parts")
    func withoutIdentity() throws {
        let imported = try importing(sample: #"{"cod":"200","cnt":2,"list":[{"dt":1,"b":1},{"dt":2,"b":2}]}"#)
        #expect(imported.lines.suffix(3) == ["dt: int?", "b: int?", ""])
    }

    @Test("What is beside records and no known part of a response is reported")
    func leftBeside() throws {
        let imported = try importing(sample: #"{"things":[{"id":1}],"processing":14,"total":1}"#)
        #expect(imported.notes(.left) == ["'processing' is beside the records, and belongs to none"])
        #expect(imported.notes(.ignored) == ["Around the records in things.json: total"])
    }

    @Test("An object with texts is a record, although it has a list of records")
    func record() throws {
        let imported = try importing(sample: #"{"number":"A-1","lines":[{"id":1,"a":1}]}"#)
        #expect(imported.lines.contains("number: string?"))
        #expect(imported.lines.contains("lines: \"[json]?\""))
        #expect(!imported.lines.contains("Line:"), "what is only in values of json is no entity")
    }

    @Test("A record without an identity does not take the name of the records in it")
    func sameName() throws {
        let imported = try importing(sample: #"{"name":"x","thing":{"id":1,"a":2}}"#)
        #expect(imported.lines.contains("ThingResponse:"))
        #expect(imported.lines.contains("thing: { to: Thing?, wire: embedded }"))
        #expect(imported.lines.contains("name: string?"))
        #expect(imported.notes(.decided).first == "ThingResponse is what is around the records of Thing")
        #expect(imported.notes(.unequal).isEmpty)
    }

    @Test(
        "An envelope of more than one level is said to be beyond the remote",
        arguments: [#"{"_embedded":{"things":[{"id":1}]}}"#, #"{"data":{"things":[{"id":1}]}}"#])
    func deepEnvelope(_ text: String) throws {
        let report = try importing(sample: text).report.text("")
        #expect(report.contains("The remote looks one level deep"))
        #expect(!report.contains(".wrapped"))
    }

    // MARK: Names

    @Test("The same records under several names are one entity, with the first of them")
    func firstName() throws {
        let user = #"{"id":1,"login":"a","url":"https://a.example","admin":false}"#
        let imported = try importing(
            sample: "[{\"id\":1,\"user\":\(user),\"assignee\":\(user),\"closed_by\":\(user)}]")
        #expect(imported.lines.contains("assignee: { to: User?, wire: embedded }"))
        #expect(imported.lines.contains("closedBy: { to: User?, wire: embedded }"))
        #expect(!imported.lines.contains("Assignee:"))
    }

    @Test("Keys in capitals become names of Swift")
    func capitals() throws {
        let imported = try importing(sample: #"[{"ID":1,"FullName":"a","URL":"b","Address":{"HomeURL":"c"}}]"#)
        #expect(imported.lines.contains("id: { type: int, key: ID }"))
        #expect(imported.lines.contains("fullName: { type: string?, key: FullName }"))
        #expect(imported.lines.contains("url: { type: string?, key: URL }"))
        #expect(imported.lines.contains("addressHomeURL: { type: string?, key: [Address, HomeURL] }"))
        #expect(imported.notes(.unequal).isEmpty)
    }

    @Test("Most keys decide whether they are in snake_case")
    func mostKeys() throws {
        let imported = try importing(sample: #"[{"id":1,"created_by":"a","node_id":"b","+1":2,"-1":3,"oneOff":4}]"#)
        #expect(imported.lines.contains("wire: { names: snake_case }"))
        #expect(imported.lines.contains("createdBy: string?"))
        #expect(imported.lines.contains("plus1: { type: int?, key: \"+1\" }"))
        #expect(imported.lines.contains("minus1: { type: int?, key: \"-1\" }"))
        #expect(imported.lines.contains("oneOff: { type: int?, key: oneOff }"))
        #expect(imported.notes(.unequal).isEmpty)
    }

    @Test(
        "The usual names of identities are known, and an id is one first",
        arguments: [
            (#"[{"uid":"7","a":1}]"#, "identity: uid"), (#"[{"guid":"7","a":1}]"#, "identity: guid"),
            (#"[{"uid":"7","thing_id":1}]"#, "identity: uid"), (#"[{"uid":"7","uuid":"x"}]"#, "identity: uuid"),
            (#"[{"uid":7,"a":1},{"uid":7,"a":2}]"#, "identity: localID"), (#"[{"gid":"7","key":1}]"#, "identity: gid"),
            (#"[{"key":"k","name":"a"},{"key":"l","name":"b"}]"#, "identity: key"),
            (#"[{"pk":1,"model":"a.b","fields":{"a":1}},{"pk":2,"model":"a.b","fields":{}}]"#, "identity: pk"),
        ])
    func identities(_ text: String, _ line: String) throws {
        let imported = try importing(sample: text)
        #expect(imported.lines.filter { $0.hasPrefix("identity:") } == [line])
    }

    @Test("The last words of the name with 'id' identify records that are not inside of others")
    func lastWords() throws {
        let text = #"[{"item_id":1,"count":2},{"item_id":2,"count":2},{"item_id":3,"count":2}]"#
        let items = try importing(samples: [("order_items.json", text)])
        #expect(items.lines.contains("identity: itemID"))
        let orders = try importing(samples: [("orders.json", #"[{"id":1,"order_items":\#(text)}]"#)])
        #expect(!orders.lines.contains { $0.hasPrefix("identity:") })
    }

    @Test("Records without an identity stay on the device, so that the samples can be merged")
    func noIdentity() throws {
        let imported = try importing(sample: #"[{"name":"a"},{"name":"b"},{"name":"c","other":{"id":1}}]"#)
        #expect(
            imported.lines.drop { $0 != "Thing:" }.prefix(5) == [
                "Thing:", "identity: localID", "remote: none", "attributes:",
                "localID: { type: uuid, default: new, wire: none }  # chosen by import: the samples have no identity",
            ])
        #expect(imported.notes(.unequal).isEmpty)
        #expect(imported.notes(.decided).contains("Paths are derived from the names: `/others` for Other"))
    }

    // MARK: References

    @Test("A key without suffix refers to records if all of its values are identities of some")
    func knownReferences() throws {
        let parts = ("parts.json", #"[{"id":"p7"},{"id":"p8"}]"#)
        let known = try importing(samples: [("things.json", #"[{"id":1,"part":"p7"},{"id":2,"part":null}]"#), parts])
        #expect(known.lines.contains("part: { to: Part?, key: part }"))
        let unknown = try importing(samples: [("things.json", #"[{"id":1,"part":"p7"},{"id":2,"part":"x"}]"#), parts])
        #expect(unknown.lines.contains("part: string?"))
    }

    @Test("A parent is a record of the same entity, if one of the samples is it")
    func parents() throws {
        let tree = try importing(sample: #"[{"id":1,"parent_id":null},{"id":2,"parent_id":1}]"#)
        #expect(tree.lines.contains("parent: Thing?"))
        let other = try importing(sample: #"[{"id":1,"parent_id":70},{"id":2,"parent_id":80}]"#)
        #expect(other.lines.contains("parentID: int?"))
    }

    @Test("A reference of JSON:API to records of several types is json")
    func severalTypes() throws {
        let imported = try importing(
            sample: """
                {"data":[{"type":"things","id":"1","relationships":{"owner":{"data":{"type":"teams","id":"2"}}}},
                {"type":"things","id":"2","relationships":{"owner":{"data":{"type":"users","id":"2"}}}}],
                "included":[{"type":"teams","id":"2","attributes":{"a":1}}]}
                """)
        #expect(imported.lines.contains("owner: { type: json?, key: [relationships, owner] }"))
        #expect(
            imported.notes(.decided).contains(
                "Thing.owner is json: it refers to records of several types: teams, users"))
        #expect(imported.notes(.unequal).isEmpty)
    }

    @Test(
        "The report says why a linkage of JSON:API is json",
        arguments: [
            (#""data":{"type":"users","id":"2"}"#, "it refers to users, of which the samples have no record", nil),
            (#""data":[{"type":"users","id":"2"}]"#, "it refers to users, of which the samples have no record", nil),
            (
                #""data":[{"type":"teams","id":"2"},{"type":"x","id":"2"}]"#,
                "it refers to records of several types: teams, x", nil
            ),
            (#""data":[]"#, "its list is always empty in the samples", nil),
            (#""data":null"#, "it is always null in the samples", nil),
            (#""links":{"self":"/"}"#, "it has no `data`", nil),
            (
                #""data":[{"type":"teams","id":"2"}]"#,
                "it is a list of types and identities of Team, and a relationship would be sent as identities only",
                "To only read it as a relationship, write `{ to: [Team], wire: ids, "
                    + "key: [relationships, owners, data], embeddedKey: [relationships, owners, data] }`."
            ),
            (
                #""data":[{"type":"boxes","id":"2"}]"#,
                "it is a list of types and identities of Box, and a relationship would be sent as identities only",
                "'thing' of Box refers back, and is enough: remove the attribute."
            ),
        ] as [(String, String, String?)])
    func linkages(_ linkage: String, _ reason: String, _ help: String?) throws {
        let imported = try importing(
            sample: """
                {"data":[{"type":"things","id":"1","relationships":{"owners":{\(linkage)}}}],
                "included":[{"type":"teams","id":"2","attributes":{"a":1}},{"type":"boxes","id":"2",
                "relationships":{"thing":{"data":{"type":"things","id":"1"}}}}]}
                """)
        let note = try #require(imported.report.notes.first { $0.text.hasPrefix("Thing.owners is json: ") })
        #expect(note.text == "Thing.owners is json: \(reason)")
        #expect(note.help == help)
    }

    @Test("A linkage of several records can be read as a relationship, as the report says")
    func readLinkage() throws {
        let key = "key: [relationships, owners, data]"
        let imported = try importing(
            sample: """
                {"data":[{"type":"things","id":"1","relationships":{"owners":{"data":[{"type":"teams","id":"2"}]}}}],
                "included":[{"type":"teams","id":"2","attributes":{"a":1}}]}
                """)
        let line = "      owners: { type: json?, key: [relationships, owners] }\n"
        try #require(imported.text.contains(line))
        let text = imported.text.replacing(
            line,
            with: "    relationships:\n      owners: { to: [Team], wire: ids, \(key), embeddedKey: "
                + "[relationships, owners, data] }\n")
        let reading = readSchemas([SchemaSource(path: "x.yaml", bytes: Array(text.utf8))])
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
    }

    // MARK: Maps and nested objects

    @Test("The keys of a map are the identities of records that do not have them")
    func maps() throws {
        let imported = try importing(
            sample: #"{"users":{"ada":{"name":"A","age":1},"joan":{"name":"J","age":2},"max":{"name":"M","age":3}}}"#)
        #expect(imported.lines.suffix(6) == ["User:", "attributes:", "id: string", "name: string", "age: int", ""])
        #expect(imported.report.text("").contains("Set `collections = .map` where you create the remote."))
        #expect(imported.notes(.unequal).isEmpty)
    }

    @Test("If the records have an id of their own, the key has another name")
    func mapWithIdentity() throws {
        let imported = try importing(sample: #"{"10":{"id":"a","x":1},"11":{"id":"a","x":2}}"#)
        #expect(imported.lines.contains("identity: id2"))
        #expect(imported.lines.contains("id2: string"))
    }

    @Test("An object that is empty somewhere has keys that are data")
    func emptyObjects() throws {
        let imported = try importing(sample: #"[{"id":1,"metadata":{}},{"id":2,"metadata":{"order":"7"}}]"#)
        #expect(imported.lines.contains("metadata: json?"))
        #expect(imported.notes(.decided).contains("Thing.metadata is json: it is empty in some samples"))
    }

    @Test(
        "A nested object whose values are null in some records is no map",
        arguments: [
            #"{"city":null,"country":null,"street":null}"#, #"{"city":null,"country":"a","street":null}"#,
        ])
    func nullMembers(_ first: String) throws {
        let full = #"{"city":"B","country":"DE","street":"X"}"#
        let objects = [first, full, full].enumerated().map { #"{"id":\#($0),"address":\#($1)}"# }
        let imported = try importing(sample: "[\(objects.joined(separator: ","))]")
        #expect(imported.lines.contains("addressCity: { type: string?, key: [address, city] }"))
        #expect(!imported.lines.contains { $0.hasPrefix("address:") })
    }

    @Test("A nested object whose keys are each absent in some records is a map")
    func absentMembers() throws {
        let imported = try importing(
            sample: #"[{"id":1,"sizes":{"s":1,"m":2}},{"id":2,"sizes":{"l":1}},{"id":3,"sizes":{"m":1,"l":null}}]"#)
        #expect(imported.lines.contains("sizes: json"))
    }

    @Test("The path in the report is that of an entity of the schema")
    func path() throws {
        let imported = try importing(samples: [("story_parts.json", #"[{"id":1}]"#)])
        #expect(imported.notes(.decided).contains("Paths are derived from the names: `/story_parts` for StoryPart"))
    }

    @Test("Files with the same name are told apart by their paths")
    func samePath() throws {
        let imported = try importing(samples: [
            ("a/x.json", #"[{"id":1,"a":1}]"#), ("b/x.json", #"[{"id":2,"a":"t"}]"#),
        ])
        let note = try #require(imported.notes(.decided).first { $0.hasPrefix("X.a is json") })
        #expect(note.contains("/a/x.json:1") && note.contains("/b/x.json:1"))
    }

    @Test("A list of several kinds is reported with a place for each")
    func mixedList() throws {
        let imported = try importing(sample: "[{\"id\":1,\"a\":[1]},\n{\"id\":2,\"a\":[\"x\"]}]")
        #expect(
            imported.notes(.decided).contains(
                "Thing.a is a list of json: a whole number in things.json:1, a text in things.json:2"))
    }
}
