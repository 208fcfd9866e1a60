import Testing

@testable import LockstepSchema

@Suite("YAML is parsed to nodes with positions")
struct NodeTests {
    @Test("Scalars stay text, and know whether they were plain")
    func scalars() {
        let node = expectParsing(
            """
            answer: NO
            number: 007
            quoted: "7"
            single: 'it''s'
            block: |
              two
              lines
            nothing:
            """)
        #expect(
            node?.outline
                == "{answer: NO, number: 007, quoted: \"7\", single: \"it's\", block: \"two\nlines\n\", nothing: }")
    }

    @Test("Every node has the line and column of its first character and after its last")
    func positions() {
        let node = expectParsing(
            """
            name: Shop
            list: [one, "two"]
            """)
        #expect(node?["name"]?.range.short == "1:7-1:11")
        #expect(node?["list"]?.range.short == "2:7-2:19")
        guard case .sequence(let elements) = node?["list"]?.content else { return #expect(Bool(false)) }
        #expect(elements.map(\.range.short) == ["2:8-2:11", "2:13-2:18"])
    }

    @Test("Columns count Unicode scalars, not bytes")
    func unicodeColumns() {
        let node = expectParsing("{ é: 🎂, ü: x }")
        #expect(node?["ü"]?.range.short == "1:12-1:13")
    }

    @Test("CR LF ends one line, and a byte order mark does not shift positions")
    func lineEnds() {
        let node = expectParsing("\u{FEFF}a: 1\r\nb: 2\r\n")
        #expect(node?["a"]?.range.short == "1:4-1:5")
        #expect(node?["b"]?.range.short == "2:4-2:5")
    }

    @Test("An alias is the value of its anchor at the alias's position; nested nodes keep their positions")
    func aliases() {
        let node = expectParsing(
            """
            base: &base { id: int }
            other: *base
            """)
        #expect(node?["other"]?.outline == "{id: int}")
        #expect(node?["other"]?.range.short == "2:8-2:13")
        #expect(node?["other"]?["id"]?.range.short == "1:19-1:22")
    }

    @Test("A later anchor of the same name takes precedence from there on")
    func redefinedAnchor() {
        let node = expectParsing("[&a one, *a, &a two, *a]")
        #expect(node?.outline == "[one, one, two, two]")
    }

    @Test("'<<' inserts the entries of a mapping in its place; own keys win")
    func merge() {
        let node = expectParsing(
            """
            base: &base { id: int, name: string }
            other: { first: x, <<: *base, name: text }
            """)
        #expect(node?["other"]?.outline == "{first: x, id: int, name: text}")
    }

    @Test("If several merged mappings have a key, the first wins")
    func mergeList() {
        let node = expectParsing(
            """
            a: &a { x: 1, y: 1 }
            b: &b { y: 2, z: 2 }
            c: { <<: [*a, *b], z: 3 }
            """)
        #expect(node?["c"]?.outline == "{x: 1, y: 1, z: 3}")
    }

    @Test("A merged mapping can have merged entries itself, and a quoted '<<' is a regular key")
    func mergeChain() {
        let node = expectParsing(
            """
            a: &a { x: 1 }
            b: &b { <<: *a, y: 2 }
            c: { <<: *b }
            d: { "<<": text }
            """)
        #expect(node?["c"]?.outline == "{x: 1, y: 2}")
        #expect(node?["d"]?.outline == "{\"<<\": text}")
    }

    @Test("YAML's own tags are accepted, and define the type of a scalar")
    func tags() {
        let node = expectParsing("[!!str 7, !!int \"7\", ! 7, !!seq [], !!map {}]")
        #expect(node?.outline == "[\"7\", 7, \"7\", [], {}]")
    }
}
