import Foundation
import LockstepImport
import LockstepSchema
import Testing

@Suite("Core Data models become schemas")
struct CoreDataImportTests {
    @Test("A fixture of each feature becomes the expected schema and report", arguments: ImportFixture.all)
    func fixture(_ fixture: ImportFixture) throws {
        let imported = try fixture.imported()
        #expect(try imported.text == ImportFixture.expected("\(fixture.name).lockstep.yaml"))
        let report = imported.report.text("Schemas/\(fixture.name).yaml")
        #expect(try report == ImportFixture.expected("\(fixture.name).txt"))
    }

    @Test("With --rows, the map of a fixture is the expected one", arguments: ImportFixture.all)
    func map(_ fixture: ImportFixture) throws {
        let map = try #require(try fixture.imported(hasRows: true).companions.first)
        #expect(map.name == "\(fixture.name)Rows.swift")
        #expect(try map.text == ImportFixture.expected(map.name))
        #expect(try fixture.imported().companions.isEmpty)
    }

    @Test("The schema breaks no rule", arguments: ImportFixture.all)
    func rules(_ fixture: ImportFixture) throws {
        let text = try fixture.imported().text
        let reading = readSchemas([SchemaSource(path: "\(fixture.name).yaml", bytes: Array(text.utf8))])
        #expect(reading.diagnostics.isEmpty)
        #expect(reading.schemas.map(\.name) == [fixture.name])
    }

    /// Every attribute of every element, changed: the schema or the report changes, or the report says that it has no
    /// meaning, or that the element in this line was not taken over.
    @Test("Nothing of a model is lost in silence", arguments: ImportFixture.all)
    func nothingIsLost(_ fixture: ImportFixture) throws {
        let lines = try fixture.contents.components(separatedBy: "\n")
        let original = try importing(lines.joined(separator: "\n"), named: fixture.name)
        let text = original.text + original.report.text("")
        let ignored = original.report.notes.filter { $0.kind == .ignored }.map(\.text).joined()
        let left = Set(original.report.notes.filter { $0.kind == .left }.compactMap(\.location))
        var count = 0
        for (index, line) in lines.enumerated().dropFirst() {
            let element = String(line.drop { " <".contains($0) }.prefix { $0.isLetter })
            for match in line.matches(of: /([A-Za-z]+)="([^"]*)"/) {
                let attribute = match.1
                if ignored.contains("\(element) \(attribute)") || element == "element" { continue }
                if left.contains("\(fixture.name).xcdatamodel/contents:\(index + 1)") { continue }
                count += 1
                let changed = line.replacingCharacters(
                    in: match.range, with: "\(attribute)=\"\(Self.changed(String(match.2)))\"")
                var others = lines
                others[index] = changed
                let result = Result { try importing(others.joined(separator: "\n"), named: fixture.name) }
                guard case .success(let other) = result else { continue }
                #expect(other.text + other.report.text("") != text, "\(index + 1): \(changed)")
            }
        }
        #expect(count > 10)
    }

    private static func changed(_ value: String) -> String {
        switch value {
        case "YES": "NO"
        case "NO": "YES"
        case "true": "false"
        default: Int(value).map { String($0 + 1) } ?? Double(value).map { String($0 + 1) } ?? "\(value)Changed"
        }
    }

    @Test("Versions become a history, with renames and answers")
    func versions() throws {
        let imported = try ImportFixture(name: "Shop").imported(hasVersions: true)
        #expect(try imported.text == ImportFixture.expected("Shop.yaml"))
        #expect(try imported.history == ImportFixture.expected("Shop.history.yaml"))
        let source = VersionedSource(
            schema: SchemaSource(path: "Shop.yaml", bytes: Array(imported.text.utf8)),
            history: SchemaSource(path: "Shop.history.yaml", bytes: Array((imported.history ?? "").utf8)))
        #expect(
            readVersions([source], checking: .release).diagnostics.filter { $0.severity == .error }.isEmpty)
    }

    @Test("Without --versions the current version counts, and renaming identifiers are reported")
    func currentVersion() throws {
        let imported = try ImportFixture(name: "Shop").imported()
        #expect(imported.history == nil)
        #expect(imported.text.contains("      name: string\n"))
        #expect(imported.report.notes.contains { $0.text == "Product.comments: the renaming identifier 'reviews'" })
    }

    @Test("The parts of a composite are named in its note, and what else they have is reported")
    func composites() throws {
        let imported = try importing(
            model(
                """
                <entity name="Plane"><attribute name="id" attributeType="UUID"/>
                <attribute name="paint" optional="YES" attributeType="Composite" customClassName="Paint"/></entity>
                <composite name="Paint"><attribute name="base" attributeType="String" defaultValueString="white"/>
                <attribute name="stripe" optional="YES" attributeType="Composite" customClassName="Stripe"/>
                <userInfo><entry key="k" value="v"/></userInfo></composite>
                """))
        #expect(
            imported.notes(.decided).contains(
                "Plane.paint, a composite (Paint: base String, stripe Composite Stripe?), is json"))
        #expect(
            imported.notes(.left) == [
                "Paint.base: <attribute> defaultValueString=\"white\"", "Paint: user info k = v",
            ])
    }

    @Test("What Xcode writes into each new model, and an index over an expression, are one note at most")
    func newModel() throws {
        let imported = try importing(
            model(
                """
                <entity name="Item"><attribute name="name" optional="YES" attributeType="String"/>
                <fetchIndex name="byLength"><fetchIndexElement expression="length:(name)" expressionType="String" \
                type="Binary" order="ascending"/></fetchIndex></entity>
                """
            ).replacing("<model>", with: "<model usedWithSwiftData=\"YES\">"))
        #expect(imported.notes(.left) == ["Item: index byLength over length:(name)"])
    }

    // MARK: Relationships

    @Test(
        "The key of a to-many relationship leads to a list of records, or of identities if it says so",
        arguments: [
            ("JSONKeyPath", "garage.cars", "wire: embedded, key: [garage, cars]"),
            ("sync.remoteKey", "my_cars", "wire: embedded"), ("mappedKeyName", "cars", "wire: embedded, key: cars"),
            ("sync.remoteKey", "car_ids", "wire: ids, key: car_ids"),
        ])
    func listKeys(_ key: String, _ value: String, _ options: String) throws {
        for inverse in ["maxCount=\"1\"", "toMany=\"YES\""] {
            let imported = try importing(
                model(
                    """
                    <entity name="Car"><attribute name="id" attributeType="UUID"/>
                    <relationship name="owner" \(inverse) optional="YES" destinationEntity="Owner" inverseName="vehicles"/>
                    </entity>
                    <entity name="Owner"><attribute name="id" attributeType="UUID"/>
                    <relationship name="vehicles" toMany="YES" optional="YES" destinationEntity="Car" inverseName="owner">
                    <userInfo><entry key="\(key)" value="\(value)"/></userInfo></relationship></entity>
                    """))
            let line = try #require(imported.lines.first { $0.hasPrefix("vehicles:") })
            #expect(line.hasPrefix("vehicles: { to: [Car], inverse: owner, \(options)"))
            let note = "Owner.vehicles is embedded: the key of a to-many relationship leads to a list of records"
            #expect(imported.notes(.decided).contains(note) == options.contains("embedded"))
            #expect(imported.notes(.left).isEmpty)
        }
    }

    @Test("The order between records of different kinds is reported", arguments: [true, false])
    func order(_ isOrdered: Bool) throws {
        let imported = try importing(
            model(
                """
                <entity name="Vehicle"><attribute name="id" attributeType="UUID"/></entity>
                <entity name="Car" parentEntity="Vehicle"/>
                <entity name="Owner"><attribute name="id" attributeType="UUID"/>
                <relationship name="vehicles" toMany="YES" optional="YES" \(isOrdered ? "ordered=\"YES\"" : "") \
                destinationEntity="Vehicle"/></entity>
                """))
        let note = "Owner.vehicles: the order between records of different kinds"
        #expect(imported.notes(.left).contains(note) == isOrdered)
    }

    @Test("The map of the rows is that of the library, also where an entity has its name")
    func hiddenMap() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let contents = folder.appendingPathComponent("Shop.xcdatamodel/contents")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: contents.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(model("<entity name=\"CoreDataMap\"/>").utf8).write(to: contents)
        let imported = try importSchema(
            [ImportInput(path: contents.deletingLastPathComponent().path)], options: ImportOptions(hasRows: true))
        let text = try #require(imported.companions.first?.text)
        #expect(text.contains("extension LockstepCoreData.CoreDataMap {"))
        #expect(text.contains("static let shop = LockstepCoreData.CoreDataMap(entities: ["))
    }
}
