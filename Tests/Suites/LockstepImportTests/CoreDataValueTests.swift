import LockstepImport
import Testing

@Suite("Attributes, identities and classes of real models")
struct CoreDataValueTests {
    private func imported(_ members: String, relationships: String = "", named name: String = "Item") throws
        -> ImportedSchema
    {
        let others = "<entity name=\"Category\"><attribute name=\"id\" attributeType=\"String\"/></entity>"
        return try importing(
            model("<entity name=\"\(name)\">\(members)</entity>\(relationships.isEmpty ? "" : others)"))
    }

    private func attribute(_ name: String, _ type: String, _ rest: String = "") -> String {
        "<attribute name=\"\(name)\" attributeType=\"\(type)\" \(rest)/>"
    }

    @Test(
        "A default that is left of another type is one of the new type",
        arguments: [
            ("Boolean", "0.0", "a: { type: bool, default: false }"),
            ("Boolean", "1.0", "a: { type: bool, default: true }"),
            ("Integer 32", "NO", "a: { type: int32, default: 0 }"),
            ("Integer 16", "YES", "a: { type: int16, default: 1 }"),
            ("Double", "NO", "a: { type: double, default: 0 }"),
        ])
    func defaults(type: String, value: String, line: String) throws {
        let item = attribute("id", "String") + attribute("a", type, "defaultValueString=\"\(value)\"")
        let imported = try imported(item)
        #expect(imported.lines.contains(line))
        #expect(imported.notes(.left).isEmpty)
    }

    @Test("A Boolean has no other number as its default")
    func twoIsNoBoolean() throws {
        let imported = try imported(
            attribute("id", "String") + attribute("a", "Boolean", "defaultValueString=\"2.0\""))
        #expect(imported.notes(.left) == ["Item.a: defaultValueString 2.0"])
    }

    @Test(
        "A transformable of a class that has a type is of this type",
        arguments: [("String", "string"), ("URL", "url"), ("NSUUID", "uuid"), ("Date", "date")])
    func transformables(name: String, type: String) throws {
        let imported = try imported(
            attribute("id", "String") + attribute("a", "Transformable", "optional=\"YES\" customClassName=\"\(name)\""))
        #expect(imported.lines.contains("a: \(type)?"))
    }

    @Test("What a transformer of the app writes is reported")
    func transformer() throws {
        let imported = try imported(
            attribute("id", "String")
                + attribute("a", "Transformable", "customClassName=\"String\" valueTransformerName=\"Crypt\""))
        let note = try #require(imported.report.notes.first { $0.text.hasPrefix("Item.a") })
        #expect(note.help == "What 'Crypt' makes of it is in no row that is copied: write its values in Swift.")
    }

    @Test("The module of a class is no part of its name")
    func module() throws {
        let text = model("<entity name=\"Box\" representedClassName=\"Shop.Box\">\(attribute("id", "String"))</entity>")
        #expect(try !importing(text).notes(.decided).contains { $0.contains("the class is") })
    }

    @Test("An index over data is left out for this reason")
    func dataIndex() throws {
        let index = "<fetchIndex name=\"i\"><fetchIndexElement property=\"a\" type=\"Binary\"/></fetchIndex>"
        let imported = try imported(attribute("id", "String") + attribute("a", "Binary") + index)
        let note = try #require(imported.report.notes.first { $0.text == "Item: the index over a" })
        #expect(note.help == "'a' is data, which has no index.")
    }

    @Test("The last words of the name with 'ID' are the identity, unless they name the other end of a relationship")
    func lastWords() throws {
        let categories = attribute("categoryID", "Integer 64") + attribute("siteID", "Integer 64")
        #expect(try imported(categories, named: "ProductCategory").lines.contains("identity: categoryID"))
        let link = "<relationship name=\"c\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"Category\"/>"
        let linked = try imported(categories + link, relationships: link, named: "ProductCategory")
        #expect(linked.lines.contains("identity: localID"))
        let note = attribute("noteID", "String")
        #expect(try self.imported(note, named: "NoteEntity").lines.contains("identity: noteID"))
    }

    @Test("A key that most entities have beside their identity is reported, because it can be a part of it")
    func tenant() throws {
        let names = ["Order", "Product", "Coupon", "Refund", "Site"]
        let entities = names.map { name in
            let own = attribute("\(name.lowercased())ID", "Integer 64")
            return "<entity name=\"\(name)\">\(own)\(name == "Site" ? "" : attribute("siteID", "Integer 64"))</entity>"
        }
        let report = try importing(model(entities.joined())).report
        let note = try #require(report.notes.first { $0.text.hasPrefix("siteID") })
        #expect(note.text == "siteID is an attribute of 4 entities, and no part of their identity")
        #expect(note.help?.contains("`identity: [siteID, orderID]` in Order") == true)
        for (chosen, isMeant) in [([0, 1, 4], true), ([0, 1], true), ([0, 4], false)] {
            let few = try importing(model(chosen.map { entities[$0] }.joined())).report
            #expect(few.notes.contains { $0.text.hasPrefix("siteID is an attribute of 2") } == isMeant)
        }
        let mixed = try importing(model(entities[0] + entities[1] + entities[4].replacing("site", with: "page"))).report
        #expect(!mixed.notes.contains { $0.text.hasPrefix("siteID is") })
    }

    @Test(
        "Texts whose names say that they are secrets are reported",
        arguments: [
            ("privateKey", true), ("api_key", true), ("accessToken", true), ("passwordDigest", true),
            ("otpSecret", true), ("otp_backup", true), ("tokenCount", false), ("publicKey", false), ("digest", false),
            ("token", true), ("apiKeys", true), ("tokens", true), ("pins", false), ("tokenCounts", false),
            ("guest_token", true), ("accessKey", true), ("jwt", true), ("pin", true),
            ("passcode", true), ("passwords", true), ("secretCount", false), ("resetTokenID", false), ("mapPin", false),
        ])
    func secrets(name: String, isSecret: Bool) throws {
        let notes = try imported(attribute("id", "String") + attribute(name, "String")).notes(.decided)
        #expect(
            notes.contains { $0.hasPrefix("Secrets, by their names") && $0.hasSuffix(": Item.\(name)") } == isSecret)
    }

    @Test("A date whose name is that of a secret is none")
    func secretDate() throws {
        let notes = try imported(attribute("id", "String") + attribute("passwordChanged", "Date")).notes(.decided)
        #expect(!notes.contains { $0.hasPrefix("Secrets") })
    }

    @Test("An address whose name is that of a secret is reported")
    func secretAddress() throws {
        let notes = try imported(attribute("id", "String") + attribute("secretLink", "URI")).notes(.decided)
        #expect(notes.contains { $0.hasPrefix("Secrets") && $0.hasSuffix(": Item.secretLink") })
    }

    @Test("The default of a secret is neither in the schema nor in the report, whether it is possible or not")
    func secretDefaults() throws {
        let imported = try imported(
            attribute("id", "String") + attribute("apiKey", "String", "defaultValueString=\"sk_live\"")
                + attribute("secrets", "Transformable", "defaultValueString=\"sk_live\"")
                + attribute("jwt", "String", "transient=\"YES\" defaultValueString=\"sk_live\"")
                + attribute("token", "String", "defaultValueString=\"\""))
        #expect(!imported.text.contains("sk_live"))
        #expect(!imported.report.text("x", isComplete: true).contains("sk_live"))
        #expect(
            imported.notes(.left).contains(
                "Item.apiKey: its default was left out, because its name is that of a secret"))
        #expect(imported.lines.contains("jwt: { type: string?, transient: true }"))
        #expect(imported.lines.contains("token: { type: string, default: \"\" }"))
    }

    @Test(
        "What an attribute has that its type or its identity does not use is reported",
        arguments: [
            (
                "<attribute name=\"a\" attributeType=\"String\" isCodable=\"YES\"/>",
                "Item.a: <attribute> isCodable=\"YES\""
            ),
            ("<attribute attributeType=\"String\"/>", "Item: <attribute> without a name"),
            (
                "<attribute name=\"a\" attributeType=\"Binary\" allowsExternalBinaryDataStorage=\"YES\"/>",
                "Item.a: that large values are stored in files"
            ),
            ("<attribute name=\"a\" attributeType=\"String\"><x/></attribute>", "Item.a: <x>, which is not known"),
            ("<enumeration name=\"a\"/>", "Item: <enumeration>, which is not known"),
        ])
    func unused(element: String, note: String) throws {
        #expect(try imported(attribute("id", "String") + element).notes(.left) == [note])
    }

    @Test("An identity is sent, whatever its user info says")
    func identityIsSent() throws {
        let info = "<userInfo><entry key=\"sync.nonExportable\" value=\"YES\"/></userInfo>"
        let imported = try imported("<attribute name=\"id\" attributeType=\"String\">\(info)</attribute>")
        #expect(imported.notes(.decided).contains("Item.id is sent, because it is an identity"))
    }

    @Test("The key of a relationship that becomes several is reported")
    func keyOfKinds() throws {
        let imported = try importing(
            model(
                """
                <entity name="Vehicle"><attribute name="id" attributeType="UUID"/></entity>
                <entity name="Car" parentEntity="Vehicle"/>
                <entity name="Owner"><attribute name="id" attributeType="UUID"/>
                <relationship name="vehicle" optional="YES" maxCount="1" destinationEntity="Vehicle">
                <userInfo><entry key="JSONKeyPath" value="garage.vehicle"/></userInfo></relationship></entity>
                """))
        #expect(imported.notes(.left) == ["Owner.vehicle: its key garage.vehicle"])
    }

    @Test(
        "A relationship with another name has a note, and one without a key of its own gets another key",
        arguments: [true, false])
    func relationshipNames(_ isToMany: Bool) throws {
        let rest = isToMany ? "toMany=\"YES\"" : "maxCount=\"1\""
        let report = try importing(
            model(
                """
                <entity name="Owner"><attribute name="id" attributeType="UUID"/>
                <relationship name="entity" optional="YES" \(rest) destinationEntity="Owner"/></entity>
                """)
        ).report
        let text = "Owner.entity is 'entityValue': the name is reserved, or not a valid name in Swift"
        let note = try #require(report.notes.first { $0.text == text })
        #expect(note.kind == .decided)
        #expect(note.location == "Shop.xcdatamodel/contents:4")
        #expect(
            note.help
                == (isToMany ? nil : "Its key in JSON is derived from this name. For another key, write `key:`."))
    }

    @Test("A name that is cut was too long")
    func longName() throws {
        let name = String(repeating: "a", count: 300)
        let notes = try imported(attribute("id", "String") + attribute(name, "String")).notes(.decided)
        #expect(notes.contains { $0.hasPrefix("Item.\(name) is 'aaa") && $0.hasSuffix("': the name is too long") })
    }
}
