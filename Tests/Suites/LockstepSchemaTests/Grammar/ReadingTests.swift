import Testing

@testable import LockstepSchema

@Suite("A schema's text becomes declarations")
struct ReadingTests {
    private func entity(_ body: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> EntityDeclaration {
        let text = "lockstep: 1\nschema: S\nentities:\n  E: \(body)\n"
        return try #require(expectReading(text, sourceLocation: sourceLocation)?.entities.first)
    }

    private func attribute(
        _ body: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> AttributeDeclaration {
        try #require(entity("{ attributes: { a: \(body) } }", sourceLocation: sourceLocation).attributes.first)
    }

    private func relationship(
        _ body: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> RelationshipDeclaration {
        try #require(entity("{ relationships: { r: \(body) } }", sourceLocation: sourceLocation).relationships.first)
    }

    private func enumeration(
        _ body: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> EnumerationDeclaration {
        let text = "lockstep: 1\nschema: S\nenums:\n  E: \(body)\nentities: {}\n"
        return try #require(expectReading(text, sourceLocation: sourceLocation)?.enumerations.first)
    }

    @Test("The top level of a file")
    func top() throws {
        let schema = try #require(
            expectReading(
                """
                lockstep: 1
                schema: Shop
                version: 3
                doc: Products, their pictures and what people say of them.
                access: public
                wire: { names: camelCase, dates: "yyyy-MM-dd" }
                columns: asWritten
                types:
                  Money: { stored: decimal, module: MoneyKit, doc: Euros. }
                entities: {}
                """))
        #expect(schema.name.value == "Shop")
        #expect(schema.name.range.short == "2:9-2:13")
        #expect(schema.version?.value == 3)
        #expect(schema.documentation == "Products, their pictures and what people say of them.")
        #expect(schema.access?.value == .public)
        #expect(schema.wire?.names?.value == .camelCase)
        #expect(schema.wire?.dates?.value == .pattern("yyyy-MM-dd"))
        #expect(schema.columnSpelling?.value == .asWritten)
        #expect(schema.types.map(\.name.value) == ["Money"])
        #expect(schema.types.first?.stored.value == "decimal")
        #expect(schema.types.first?.module?.value == "MoneyKit")
        #expect(schema.types.first?.documentation == "Euros.")
    }

    @Test("A missing key is nil, so that the rules know the defaults")
    func absent() throws {
        let schema = try #require(expectReading("lockstep: 1\nschema: Shop\nentities: {}\n"))
        #expect(schema.version == nil && schema.access == nil && schema.wire == nil && schema.columnSpelling == nil)
        let attribute = try attribute("{ type: string }")
        #expect(attribute.defaultValue == nil && attribute.isUnique == nil && attribute.key == nil)
    }

    @Test(
        "A type is a name, a '?' and brackets, with the position of the name",
        arguments: [
            ("string", "string", false, false, "4:25-4:31"), ("string?", "string", false, true, "4:25-4:31"),
            ("[string]", "string", true, false, "4:26-4:32"), ("\"[string]?\"", "string", true, true, "4:27-4:33"),
            ("\"[string]\"", "string", true, false, "4:27-4:33"), ("{ type: Mood? }", "Mood", false, true, "4:33-4:37"),
            ("{ type: [Mood] }", "Mood", true, false, "4:34-4:38"),
            ("{ type: Mood, optional: true }", "Mood", false, true, "4:33-4:37"),
            ("{ type: [Mood], optional: true }", "Mood", true, true, "4:34-4:38"),
        ])
    func types(text: String, name: String, isList: Bool, isOptional: Bool, place: String) throws {
        let attribute = try attribute(text)
        #expect(attribute.typeName.value == name)
        #expect(attribute.isList == isList)
        #expect(attribute.isOptional == isOptional)
        #expect(attribute.typeName.range.short == place)
    }

    @Test("All keys of an attribute")
    func longAttribute() throws {
        let attribute = try attribute(
            """
            { type: int, default: 7, key: [a, b], wire: string, min: -1, max: 1e3, minLength: 0, maxLength: 9, unique: \
            true, indexed: false, transient: true, attachment: false, column: c, renamedFrom: old, doc: Text., \
            deprecated: Use b. }
            """)
        #expect(attribute.defaultValue?.outline == "7")
        #expect(attribute.key?.value == ["a", "b"])
        #expect(attribute.wire?.value == .text)
        #expect(attribute.minimum?.value == "-1" && attribute.maximum?.value == "1e3")
        #expect(attribute.minimumLength?.value == 0 && attribute.maximumLength?.value == 9)
        #expect(attribute.isUnique?.value == true && attribute.isIndexed?.value == false)
        #expect(attribute.isTransient?.value == true && attribute.isAttachment?.value == false)
        #expect(attribute.column?.value == "c" && attribute.renamedFrom?.value == "old")
        #expect(attribute.documentation == "Text." && attribute.deprecation == "Use b.")
    }

    @Test(
        "The JSON form of an attribute",
        arguments: [
            ("none", AttributeWireDeclaration.none), ("string", .text), ("iso8601", .date(.iso8601)),
            ("secondsSince1970", .date(.secondsSince1970)), ("millisecondsSince1970", .date(.millisecondsSince1970)),
            ("\"yyyy-MM-dd HH:mm:ss Z\"", .date(.pattern("yyyy-MM-dd HH:mm:ss Z"))), ("yyyy", .date(.pattern("yyyy"))),
        ])
    func attributeWire(text: String, expected: AttributeWireDeclaration) throws {
        #expect(try attribute("{ type: date, wire: \(text) }").wire?.value == expected)
    }

    @Test("A key of one name is a path of one, and can look like a number")
    func key() throws {
        #expect(try attribute("{ type: string, key: description }").key?.value == ["description"])
        #expect(try attribute("{ type: string, key: 7 }").key?.value == ["7"])
    }

    @Test("A relationship's short forms")
    func shortRelationships() throws {
        let toOne = try relationship("Product?")
        #expect(toOne.destination.value == "Product" && toOne.isOptional && !toOne.isToMany)
        let required = try relationship("Product")
        #expect(!required.isOptional && !required.isToMany)
        let toMany = try relationship("[Product]")
        #expect(toMany.destination.value == "Product" && toMany.isToMany && toMany.isOptional)
    }

    @Test("All keys of a relationship")
    func longRelationship() throws {
        let relationship = try relationship(
            """
            { to: [Review], inverse: product, onDelete: cascade, sortedBy: [-createdAt, name], ordered: false, wire: \
            embedded, key: all, column: c, doc: Text., deprecated: Use b. }
            """)
        #expect(relationship.inverse?.value == "product")
        #expect(relationship.onDelete?.value == .cascade)
        #expect(
            relationship.sortedBy.map(\.value) == [
                .init(attribute: "createdAt", isDescending: true), .init(attribute: "name", isDescending: false),
            ])
        #expect(relationship.isOrdered?.value == false)
        #expect(relationship.wire?.value == .embedded)
        #expect(relationship.key?.value == ["all"])
        #expect(relationship.column?.value == "c")
        #expect(relationship.documentation == "Text." && relationship.deprecation == "Use b.")
        #expect(try self.relationship("{ to: [R], sortedBy: -at }").sortedBy.map(\.value.isDescending) == [true])
    }

    @Test("The forms of an identity")
    func identities() throws {
        func identity(_ text: String) throws -> String {
            switch try entity("{ identity: \(text) }").identity?.value {
            case nil: "absent"
            case .some(.none): "none"
            case .attributes(let names): names.map(\.value).joined(separator: "+")
            case .local(let local, let remote): "\(local.value)/\(remote.value)"
            }
        }
        #expect(try identity("key") == "key")
        #expect(try identity("[a, b]") == "a+b")
        #expect(try identity("{ local: localID, remote: remoteID }") == "localID/remoteID")
        #expect(try identity("none") == "none")
        #expect(try identity("\"none\"") == "none", "between quotes it is an attribute of that name")
        #expect(try entity("{}").identity == nil)
    }

    @Test("An entity's other keys")
    func entityKeys() throws {
        let entity = try entity(
            """
            { doc: Text., abstract: true, extends: [A, B], table: t, indexes: [[a, b], { on: c, unique: true }] }
            """)
        #expect(entity.documentation == "Text." && entity.isAbstract && entity.table?.value == "t")
        #expect(entity.extends.map(\.value) == ["A", "B"])
        #expect(entity.indexes.map { $0.members.map(\.value) } == [["a", "b"], ["c"]])
        #expect(entity.indexes.map(\.isUnique) == [false, true])
        #expect(try self.entity("{ extends: A }").extends.map(\.value) == ["A"])
    }

    @Test("A remote, or none")
    func remotes() throws {
        let remote = try #require(entity("{ remote: { path: /p, write: [create, delete], wrap: true } }").remote?.value)
        #expect(remote.path?.value == "/p")
        #expect(remote.writes?.map(\.value) == [.create, .delete])
        #expect(remote.wrap?.value == .flag(true))
        #expect(try entity("{ remote: { wrap: item } }").remote?.value?.wrap?.value == .key("item"))
        #expect(try entity("{ remote: { write: [] } }").remote?.value?.writes?.isEmpty == true)
        let local = try #require(try entity("{ remote: none }").remote)
        #expect(local.value == nil)
        #expect(try entity("{}").remote == nil)
    }

    @Test("The forms of an enum")
    func enumerations() throws {
        let names = try enumeration("[sad, no, true]")
        #expect(names.cases.map(\.name.value) == ["sad", "no", "true"])
        #expect(names.cases.allSatisfy { $0.rawValue == nil } && !names.isInteger && !names.isClosed)
        let spelt = try enumeration("{ small: S, large: \"7\" }")
        #expect(spelt.cases.map(\.rawValue?.value) == [.string("S"), .string("7")])
        let integers = try enumeration(
            "{ type: int, closed: true, doc: Text., cases: { low: -1, high: { value: 10, doc: Much. } } }")
        #expect(integers.isInteger && integers.isClosed && integers.documentation == "Text.")
        #expect(integers.cases.map(\.rawValue?.value) == [.int(-1), .int(10)])
        #expect(integers.cases.map(\.documentation) == [nil, "Much."])
        let counted = try enumeration("{ type: int, cases: [low, high] }")
        #expect(counted.isInteger && counted.cases.allSatisfy { $0.rawValue == nil })
        let documented = try enumeration("{ small: { value: S }, large: { doc: Big. } }")
        #expect(documented.cases.map(\.rawValue?.value) == [.string("S"), nil])
    }

    @Test("Members keep their order")
    func order() throws {
        let names = ["z", "a", "M", "b9", "A"]
        let attributes = names.map { "\($0): int" }.joined(separator: ", ")
        #expect(try entity("{ attributes: { \(attributes) } }").attributes.map(\.name.value) == names)
    }
}
