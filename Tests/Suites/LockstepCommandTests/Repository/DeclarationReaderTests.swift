import Testing

@testable import upkeep

struct DeclarationReaderTests {
    /// The names of types that a file uses and that no declaration in it shadows.
    private func uses(_ text: String) -> Set<String> {
        let names = DeclarationReader.read(text)
        let scopes = TypeScopes([names])
        return Set(names.uses.filter { !scopes.hides($0) }.map(\.name))
    }

    @Test func aFileDeclaresTheTypesAtItsTop() {
        let names = DeclarationReader.read(
            """
            public final class Store { struct Options {}; enum Kind { case memory } }
            extension Store { actor Queue {} }
            @available(macOS 14, *) package indirect enum Tree { case leaf, node(Tree) }
            protocol Port { associatedtype Answer; class func make() }
            typealias Row = [String]
            private struct Hidden {}
            func open() { struct Local {} }
            """)
        #expect(names.declared == ["Store", "Tree", "Port", "Row"])
        #expect(names.members["Store"] == ["Options", "Kind", "Queue"])
        #expect(names.members["Port"] == ["Answer"])
    }

    @Test func membersAreNoUses() {
        #expect(uses("let a: Outer.Inner = .Other") == ["Outer"])
        #expect(uses("let a: LockstepStore.Context") == ["LockstepStore", "Context"])
    }

    @Test func genericParametersAreNoUses() {
        #expect(uses("struct Box<Item: Shape, Other> { var item: Item; func other() -> Other }") == ["Shape"])
        #expect(uses("func map<Item, Result>(_ a: Item, _ b: (Item) -> Result) -> List<Item> { Item() }") == ["List"])
        #expect(
            uses("extension Row { init?<Item>(_ item: Item) { make { Item() } } }\nlet a: Item") == ["Row", "Item"])
        #expect(uses("static func < (lhs: Left, rhs: Right) -> Bool { Left() }") == ["Left", "Right", "Bool"])
    }

    @Test func namesInsideOfATypeHideOthers() {
        #expect(uses("extension Store { func a() -> Kind }\nstruct Store { enum Kind {} }") == ["Store"])
        #expect(uses("protocol Port { associatedtype Answer }\nstruct Server: Port { let a: Answer }") == ["Port"])
        #expect(uses("struct A { enum Kind {} }\nstruct B { let a: Kind }") == ["Kind"])
        #expect(uses("func a() { struct Local {}; Local() }\nlet b: Local") == ["Local"])
    }

    @Test func privateTypesAreKnownInTheirFileOnly() {
        #expect(uses("private struct Hidden {}\nlet a = Hidden(Seen())") == ["Seen"])
        #expect(uses("struct Seen { private(set) var a = 1 }\nlet a = Seen()") == ["Seen"])
    }
}
