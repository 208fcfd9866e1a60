import Foundation
import LockstepImport
import LockstepSchema
import Testing

/// Models with what no schema can have. Each becomes a valid schema, and the report says what was changed.
@Suite("Models that the language has no counterpart for")
struct RepairTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let model: String
        /// A part of the report, and a line of the schema.
        let note: String
        var line = ""

        init(_ name: String, _ model: String, note: String, line: String = "") {
            (testDescription, self.model, self.note, self.line) = (name, model, note, line)
        }
    }

    private static func item(_ members: String) -> String {
        "<entity name=\"Item\"><attribute name=\"id\" attributeType=\"UUID\"/>\(members)</entity>"
    }

    private static func attribute(_ rest: String) -> String { item("<attribute name=\"a\" \(rest)/>") }

    static let cases = [
        Case(
            "an attribute with the name of a foreign key",
            item(
                "<relationship name=\"owner\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"Owner\"/>"
                    + "<attribute name=\"ownerID\" optional=\"YES\" attributeType=\"String\"/>")
                + "<entity name=\"Owner\"><attribute name=\"id\" attributeType=\"UUID\"/></entity>",
            note: "Item.ownerID: the attribute was renamed to 'ownerIDValue' and is not in JSON, because ",
            line: "ownerIDValue: { type: string?, wire: none }"),
        Case(
            "a required attribute with a foreign key's name",
            item(
                "<relationship name=\"owner\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"Owner\"/>"
                    + "<attribute name=\"ownerID\" attributeType=\"String\"/>")
                + "<entity name=\"Owner\"><attribute name=\"id\" attributeType=\"UUID\"/></entity>",
            note: "Item.ownerID: the attribute was renamed", line: "ownerIDValue: { type: string?, wire: none }"),
        Case(
            "two attributes that are one column",
            item(
                "<attribute name=\"firstName\" attributeType=\"String\"/><attribute name=\"first_name\" "
                    + "attributeType=\"String\"/>"),
            note: "Item.first_name: the attribute was renamed to 'first_nameValue'",
            line: "first_nameValue: { type: string, key: first_name }"),
        Case(
            "two attributes that would be one column with their other names",
            item(
                "<relationship name=\"owner\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"Owner\"/>"
                    + "<attribute name=\"ownerID\" optional=\"YES\" attributeType=\"String\"/>"
                    + "<attribute name=\"owner_id\" optional=\"YES\" attributeType=\"Date\"/>")
                + "<entity name=\"Owner\"><attribute name=\"id\" attributeType=\"UUID\"/></entity>",
            note: "Item.owner_id: the attribute was renamed to 'owner_idValue",
            line: "owner_idValue2: { type: date?, key: owner_id }"),
        Case(
            "two attributes of one name",
            item(
                "<attribute name=\"x\" attributeType=\"String\"/><attribute name=\"x\" attributeType=\"Date\"/>"),
            note: "Item.x: it occurs twice", line: "x: string"),
        Case(
            "an attribute that the parent has",
            """
            <entity name="Base" isAbstract="YES"><attribute name="t" attributeType="String"/></entity>
            <entity name="Item" parentEntity="Base"><attribute name="t" optional="YES" attributeType="Date"/></entity>
            """, note: "Item.t: its parent has it, too"),
        Case(
            "a default that is no UUID", attribute("attributeType=\"UUID\" defaultValueString=\"bad\""),
            note: "Item.a: `default: bad` was left out, because the default of 'a' is not of its type 'uuid'",
            line: "a: uuid"),
        Case(
            "a default outside of the type", attribute("attributeType=\"Integer 16\" defaultValueString=\"99999\""),
            note: "Item.a: `default: 99999` was left out, because the default of 'a' is ", line: "a: int16"),
        Case(
            "a default outside of the limits",
            attribute("attributeType=\"Integer 16\" defaultValueString=\"0\" minValueString=\"5\""),
            note: "Item.a: `default: 0` was left out, because the default of 'a' is less than the minimum 5",
            line: "a: { type: int16, min: 5 }"),
        Case(
            "a default with a fraction", attribute("attributeType=\"Integer 16\" defaultValueString=\"3.7\""),
            note: "Item.a: defaultValueString 3.7", line: "a: int16"),
        Case(
            "a default that is no Boolean", attribute("attributeType=\"Boolean\" defaultValueString=\"maybe\""),
            note: "Item.a: defaultValueString maybe", line: "a: bool"),
        Case(
            "a date with a fraction", attribute("attributeType=\"Date\" defaultDateTimeInterval=\"0.5\""),
            note: "Item.a: defaultDateTimeInterval 0.5", line: "a: date"),
        Case(
            "limits that are crossed",
            attribute("attributeType=\"Integer 16\" minValueString=\"5\" maxValueString=\"1\""), note: "Item.a: `m"),
        Case(
            "a length with a fraction", attribute("attributeType=\"String\" minValueString=\"1.9\""),
            note: "Item.a: minValueString 1.9", line: "a: string"),
        Case(
            "a transient attribute without a default", attribute("attributeType=\"Date\" transient=\"YES\""),
            note: "Item.a was left out, because 'a' is transient, is required and has no default"),
        Case(
            "a transient attribute with the name of a foreign key",
            item(
                "<relationship name=\"next\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"Item\"/>"
                    + "<attribute name=\"nextID\" attributeType=\"Date\" transient=\"YES\"/>"),
            note: "Item.nextID was left out, because 'nextID' is transient, is required and has no default"),
        Case(
            "a transient attribute whose name is reserved",
            item("<attribute name=\"context\" attributeType=\"Date\" transient=\"YES\"/>"),
            note: "Item.context was left out, because 'context' is transient, is required and has no default"),
        Case(
            "a transient transformable without a default",
            attribute("attributeType=\"Transformable\" transient=\"YES\""),
            note: "Item.a was left out, because 'a' is transient, is required and has no default"),
        Case(
            "a transient attribute of an entity with another name",
            "<entity name=\"line_item\"><attribute name=\"Date\" attributeType=\"Date\" transient=\"YES\"/></entity>",
            note: "LineItem.Date was left out, because 'Date' is transient, is required and has no default"),
        Case(
            "user info of no meaning in a relationship",
            item(
                "<relationship name=\"r\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"Item\"><userInfo>"
                    + "<entry key=\"sync.nonExportable\" value=\"YES\"/></userInfo></relationship>"),
            note: "Item.r: user info sync.nonExportable = YES"),
        Case(
            "a date format that is none",
            item(
                "<attribute name=\"a\" attributeType=\"Date\"><userInfo><entry key=\"dateFormat\" value=\"bogus\"/>"
                    + "</userInfo></attribute>"), note: "Item.a: `wire: bogus` was left out, because ", line: "a: date"),
        Case(
            "an identity of bytes",
            "<entity name=\"Item\"><userInfo><entry key=\"identityAttribute\" value=\"a\"/></userInfo>"
                + "<attribute name=\"a\" attributeType=\"Binary\"/></entity>",
            note: "Item: the identity a of its user info", line: "identity: localID"),
        Case(
            "an inverse that is left out",
            item(
                "<relationship name=\"o\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"O\" "
                    + "inverseName=\"i\"/>")
                + "<entity name=\"O\"><attribute name=\"id\" attributeType=\"UUID\"/><relationship name=\"i\" "
                + "optional=\"YES\" toMany=\"YES\" transient=\"YES\" destinationEntity=\"Item\" "
                + "inverseName=\"o\"/></entity>",
            note: "Item.o: `inverse: i` was left out, because ", line: "o: O?"),
        Case(
            "a constraint with a member twice",
            item(
                "<attribute name=\"a\" attributeType=\"String\"/><uniquenessConstraints><uniquenessConstraint>"
                    + "<constraint value=\"a\"/><constraint value=\"a\"/></uniquenessConstraint></uniquenessConstraints>"
            ),
            note: "Item: the constraint over a, a"),
        Case(
            "names that differ in case only",
            "\(item(""))<entity name=\"ITEM\"><attribute name=\"id\" attributeType=\"UUID\"/></entity>",
            note: "ITEM is 'ITEM2'", line: "ITEM2:"),
        Case(
            "names that differ in an underscore only",
            "<entity name=\"Type\"><attribute name=\"id\" attributeType=\"UUID\"/></entity>"
                + "<entity name=\"Type_\"><attribute name=\"id\" attributeType=\"UUID\"/></entity>",
            note: "Type_ is 'Type_2'", line: "Type_2:"),
        Case(
            "an entity whose table would belong to the store",
            "<entity name=\"LockstepItem\"><attribute name=\"id\" attributeType=\"UUID\"/></entity>"
                + "<entity name=\"TableLockstepItem\"><attribute name=\"id\" attributeType=\"UUID\"/></entity>",
            note: "LockstepItem: its table is 'table_lockstep_item2', because the table 'lockstep_item' begins with "
                + "'lockstep_', which is reserved", line: "table: table_lockstep_item2"),
        Case(
            "an entity whose indexes would belong to SQLite",
            "<entity name=\"Sqlite\"><attribute name=\"id\" attributeType=\"UUID\"/></entity>",
            note: "Sqlite: its table is 'table_sqlite', because each index of the table 'sqlite' begins with ",
            line: "table: table_sqlite"),
        Case(
            "a byte order mark in the middle",
            attribute("attributeType=\"String\" regularExpressionString=\"[\u{FEFF}]\""),
            note: "Item.a: regularExpressionString"),
        Case(
            "a character that YAML has not",
            attribute("attributeType=\"String\" regularExpressionString=\"[&#x7F;]\""),
            note: "Item.a: regularExpressionString"),
    ]

    @Test("It is changed or left out, and the rest is a valid schema", arguments: cases)
    func repaired(_ example: Case) throws {
        let imported = try importing(model(example.model))
        let reading = readSchemas([SchemaSource(path: "Shop.yaml", bytes: Array(imported.text.utf8))])
        #expect(reading.diagnostics.filter { $0.severity == .error }.isEmpty)
        #expect(imported.report.notes.contains { $0.text.hasPrefix(example.note) }, "\(imported.report.text(""))")
        #expect(example.line.isEmpty || imported.text.contains(example.line), "\(imported.text)")
        let lost = imported.notes(.left).compactMap { $0.firstMatch(of: /\w+(\.\w+) was left out,/)?.1 }
        #expect(
            !imported.notes(.decided).contains { note in
                lost.contains { member in [" ", ":", ","].contains { note.contains(member + $0) } }
            })
    }

    @Test("Nothing is decided about an attribute that is left out, also in lists of attributes")
    func listedAttributes() throws {
        let scalar = "attributeType=\"Integer 16\" optional=\"YES\" usesScalarValueType=\"YES\""
        let imported = try importing(
            model(
                """
                <entity name="Base" isAbstract="YES"><attribute name="id" attributeType="UUID"/>
                <attribute name="size" \(scalar)/></entity>
                <entity name="Item" parentEntity="Base"><attribute name="size" \(scalar)/>
                <attribute name="password" attributeType="String" transient="YES"/>
                <attribute name="apiKey" attributeType="String"/></entity>
                """))
        #expect(imported.notes(.left).contains("Item.size: its parent has it, too"))
        #expect(imported.notes(.left).contains { $0.hasPrefix("Item.password was left out, because ") })
        let lists = imported.notes(.decided).filter { $0.hasPrefix("Secrets") || $0.hasPrefix("Required") }
        #expect(
            lists == [
                "Required, because a property of a scalar type is never nil: Base.size",
                "Secrets, by their names, which each device stores: Item.apiKey",
            ])
    }

    @Test("Nothing is decided about a relationship that is left out, because another one has its name")
    func sameRelationshipName() throws {
        let imported = try importing(
            model(
                """
                <entity name="Vehicle"><attribute name="id" attributeType="UUID"/></entity>
                <entity name="Car" parentEntity="Vehicle"/>
                <entity name="Tag"><attribute name="id" attributeType="UUID"/></entity>
                <entity name="Owner"><attribute name="id" attributeType="UUID"/>
                <relationship name="vehicle" optional="YES" maxCount="1" destinationEntity="Vehicle"/>
                <relationship name="vehicleCar" optional="YES" toMany="YES" destinationEntity="Tag"/></entity>
                """))
        #expect(imported.notes(.left) == ["Owner.vehicleCar: there is a relationship 'vehicleCar' already"])
        #expect(!imported.notes(.decided).contains { $0.hasPrefix("Owner.vehicleCar ") })
        #expect(imported.text.contains("vehicleCar: Car?"))
        #expect(!imported.text.contains("ownerOfVehicleCar"))
    }

    @Test("What is changed has the line of the model, and what to do")
    func places() throws {
        let text = model(
            """
            <entity name="Item"><attribute name="id" attributeType="UUID"/>
            <attribute name="a" attributeType="Integer 16" defaultValueString="0" minValueString="5"/>
            <attribute name="b_c" attributeType="String"/><attribute name="bC" attributeType="String"/>
            </entity>
            """)
        let notes = try importing(text).report.notes
        let loss = try #require(notes.first { $0.text.hasPrefix("Item.a: `default: 0` was left out") })
        #expect(loss.kind == .left)
        #expect(loss.location == "Shop.xcdatamodel/contents:4")
        #expect(loss.help == "Set it in Swift, in an initializer.")
        let renaming = try #require(notes.first { $0.text.contains("was renamed") })
        #expect(renaming.kind == .decided)
        #expect(renaming.location == "Shop.xcdatamodel/contents:5")
        #expect(renaming.help == "To choose another name, change it in the schema.")
    }

    @Test("A schema counts as checked, also if something was changed, but not one with a history")
    func isChecked() throws {
        #expect(try importing(model(Self.attribute("attributeType=\"UUID\""))).isChecked)
        #expect(try importing(model(Self.attribute("attributeType=\"UUID\" defaultValueString=\"bad\""))).isChecked)
        #expect(try !ImportFixture(name: "Shop").imported(hasVersions: true).isChecked)
    }

    @Test("Numbers keep all their digits")
    func digits() throws {
        let text = try importing(
            model(
                """
                <entity name="Item"><attribute name="id" attributeType="UUID"/>
                <attribute name="a" attributeType="Integer 64" defaultValueString="9007199254740993"/>
                <attribute name="b" attributeType="Decimal" defaultValueString="1234567890123.12345678"/>
                </entity>
                """)
        ).text
        #expect(text.contains("a: { type: int64, default: 9007199254740993 }"))
        #expect(text.contains("b: { type: decimal, default: 1234567890123.12345678 }"))
    }

    @Test("A chain of thousands of parents is cut, and does not take long")
    func chain() throws {
        let entities = (0..<4_000).map { number in
            "<entity name=\"E\(number)\" \(number > 0 ? "parentEntity=\"E\(number - 1)\"" : "")>"
                + "<attribute name=\"a\(number)\" attributeType=\"String\"/></entity>"
        }
        let imported = try importing(model(entities.joined(separator: "\n")))
        #expect(imported.report.notes.contains { $0.text.contains("levels below the first ancestor") })
    }

    @Test("Of two entities and of two attributes with one former name, the first was renamed")
    func sameFormerName() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bundle = folder.appendingPathComponent("Shop.xcdatamodeld")
        let versions = [
            "<entity name=\"A\"><attribute name=\"id\" attributeType=\"UUID\"/><attribute name=\"n\" "
                + "optional=\"YES\" attributeType=\"String\"/></entity>",
            "<entity name=\"B\" elementID=\"A\"><attribute name=\"id\" attributeType=\"UUID\"/><attribute name=\"x\" "
                + "optional=\"YES\" attributeType=\"String\" elementID=\"n\"/><attribute name=\"y\" optional=\"YES\" "
                + "attributeType=\"String\" elementID=\"n\"/></entity>"
                + "<entity name=\"C\" elementID=\"A\"><attribute name=\"id\" attributeType=\"UUID\"/></entity>",
        ]
        for (number, text) in versions.enumerated() {
            let version = bundle.appendingPathComponent("Shop \(number + 1).xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try model(text).write(to: version.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
        }
        let imported = try importSchema([ImportInput(path: bundle.path)], options: ImportOptions(hasVersions: true))
        let history = try #require(imported.history)
        #expect(history.contains("- rename: A\n        to: B\n"))
        #expect(history.contains("- rename: B.n\n        to: x\n"))
        #expect(history.contains("- add: C\n"))
        let notes = imported.report.notes.map(\.text)
        #expect(notes.contains("C: the renaming identifier 'A'"))
        #expect(notes.contains("B.y: the renaming identifier 'n'"))
        #expect(!notes.contains("B: the renaming identifier 'A'"))
    }
}
