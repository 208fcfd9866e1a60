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

    @Test("A value that a scalar's function makes has the type of the scalar")
    func generated() throws {
        let imported = try importingSwift(
            "class Hound: Object { @Persisted(primaryKey: true) var _id = ObjectId.generate() }")
        #expect(imported.lines.contains("identity: _id"))
        #expect(imported.lines.contains("_id: string"))
    }

    @Test("Properties of older models that are not read are reported, with what to write")
    func olderForms() throws {
        let imported = try imported("let age = RealmProperty<Int?>()", other: "")
        let note = imported.report.notes.first { $0.text == "Hound.age, which is not @Persisted" }
        #expect(note?.help == "If Realm stores it, declare it with `@Persisted` and its type.")
    }
}
