import LockstepImport
import Testing

@Suite("Shapes that models of Realm have")
struct RealmShapesTests {
    private func imported(_ hound: String, other: String, parent: String = "Object") throws -> ImportedSchema {
        try importingSwift(
            """
            class Hound: Object {
                @Persisted(primaryKey: true) var id: Int
            \(hound)
            }
            class Home: \(parent) {
                @Persisted var city: String
            \(other)
            }
            """)
    }

    @Test("Two relationships are inverses only if the models say so")
    func inverses() throws {
        let imported = try imported("@Persisted var home: Home?", other: "@Persisted var hound: Hound?")
        #expect(imported.lines.contains("home: Home?"))
        #expect(imported.lines.contains("hound: Hound?"))
    }

    @Test("An embedded object has one owner")
    func embedded() throws {
        let list = "@Persisted var homes: List<Home>"
        let open = try imported(list, other: "", parent: "EmbeddedObject")
        #expect(open.lines.contains("houndOfHomes: { to: Hound?, inverse: homes }"))
        #expect(
            open.notes(.decided).contains("Hound.homes has no inverse: 'Home.houndOfHomes' is its other end"))
        let named = try imported(
            list, other: "@Persisted(originProperty: \"homes\") var owners: LinkingObjects<Hound>",
            parent: "EmbeddedObject")
        #expect(named.lines.contains("owners: { to: Hound?, inverse: homes }"))
    }

    @Test("Nothing is decided about an embedded object that is not stored", arguments: ["Home?", "List<Home>"])
    func ignoredEmbedded(type: String) throws {
        let imported = try imported(
            "var home: \(type)\noverride class func ignoredProperties() -> [String] { [\"home\"] }", other: "",
            parent: "EmbeddedObject")
        #expect(imported.notes(.left) == ["Hound.home, a transient relationship"])
        #expect(!imported.notes(.decided).contains { $0.hasPrefix("Hound.home") })
        #expect(!imported.text.contains("houndOfHome"))
    }

    @Test("Properties that are not stored are reported, with what to write")
    func notStored() throws {
        let imported = try imported("var isDrawn = false", other: "")
        let note = imported.report.notes.first { $0.text == "Hound.isDrawn, which is not @Persisted" }
        #expect(note?.help == "If Realm stores it, declare it with `@Persisted` and its type.")
    }

    @Test(
        "Properties of older models are read without @Persisted",
        arguments: [
            ("let age = RealmProperty<Int?>()", "age: int64?"), ("let age = RealmOptional<Double>()", "age: double?"),
            ("let age: RealmOptional<Double> = RealmOptional()", "age: double?"),
            ("let names = List<String>()", "names: { type: [string], default: [] }"),
            ("let names: MutableSet<String> = MutableSet()", "names: { type: [string], default: [] }"),
            (
                "let homes = LinkingObjects(fromType: Home.self, property: \"hounds\")",
                "homes: { to: [Home], inverse: hounds }"
            ),
            (
                "let homes: LinkingObjects<Home> = LinkingObjects(fromType: Home.self, property: \"hounds\")",
                "homes: { to: [Home], inverse: hounds }"
            ),
            (
                "@objc dynamic var tmp = 0\noverride static func ignoredProperties() -> [String] { [\"tmp\"] }",
                "tmp: { type: int64, default: 0, transient: true }"
            ),
        ])
    func olderForms(property: String, line: String) throws {
        let list = property.contains("LinkingObjects") ? "let hounds = List<Hound>()" : ""
        let imported = try imported(property, other: list)
        #expect(imported.lines.contains(line), "\(imported.text)")
        #expect(imported.notes(.left).isEmpty)
    }

    @Test(
        "Collections are never nil and begin empty, and any value can be nil",
        arguments: [
            ("var note: List<String>", "note: { type: [string], default: [] }"),
            ("var note: MutableSet<Int>", "note: { type: [int64], default: [] }"),
            ("var note: List<Coat>", "note: { type: [Coat], default: [] }"),
            ("var note: List<Int?>", "note: { type: json, default: [] }"),
            ("var note: Map<String, Int>", "note: { type: json, default: {} }"),
            ("typealias Notes = List<String>\n@Persisted var note: Notes", "note: { type: [string], default: [] }"),
            ("var note: AnyRealmValue", "note: json?"),
            ("var note: String", "note: string"),
        ])
    func firstValues(property: String, line: String) throws {
        let persisted = property.hasPrefix("var") ? "@Persisted \(property)" : property
        let coat = "enum Coat: String, PersistableEnum { case short, long }"
        let imported = try imported("\(coat)\n\(persisted)", other: "")
        #expect(imported.lines.contains(line), "\(imported.text)")
        #expect(imported.notes(.left).isEmpty)
    }

    @Test(
        "What a function of an older model returns is read, or reported",
        arguments: [
            "primaryKey() -> String? { Self.key }", "primaryKey() -> String? { #keyPath(Toy.code) }",
            "indexedProperties() -> [String] { [\"price\", Self.key] }",
            "ignoredProperties() -> [String] { super.ignoredProperties() + [\"price\"] }",
        ])
    func unreadFunctions(function: String) throws {
        let imported = try importingSwift(
            """
            class Toy: Object {
                @objc dynamic var code = ""
                @objc dynamic var price = 0
                override class func \(function)
            }
            """)
        let name = function.prefix { $0 != "(" }
        let notes = imported.report.notes.filter { $0.kind == .left }
        #expect(notes.map(\.text) == ["Toy.\(name)(): what its code returns"])
        #expect(notes.first?.location == "App/App.swift:1")
        let isIndexed = imported.lines.contains("price: { type: int64, default: 0, indexed: true }")
        #expect(isIndexed == (name == "indexedProperties"))
        #expect(!imported.report.notes.contains { $0.kind == .ignored })
    }

    @Test("A key can have a default that a function of its type makes")
    func generatedKey() throws {
        let imported = try importingSwift(
            "class Hound: Object { @Persisted(primaryKey: true) var _id = ObjectId.generate() }")
        #expect(imported.lines.contains("_id: string"))
        #expect(imported.lines.contains("identity: _id"))
        #expect(imported.notes(.left) == ["Hound._id: the default ObjectId.generate()"])
    }
}
