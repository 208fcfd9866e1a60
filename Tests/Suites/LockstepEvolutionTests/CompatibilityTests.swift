import LockstepEvolution
import LockstepJSON
import LockstepReview
import Testing

@Suite("The check against earlier versions")
struct CompatibilityTests {
    private static func tree(_ attributes: AttributeStructure...) -> SchemaTree {
        let id = AttributeStructure(
            name: "id", column: "id", type: .scalar(.int), wire: WireStructure(path: ["id"]))
        let entry = EntityStructure(
            name: "Entry", table: "entry", identity: .attributes(["id"]), attributes: [id] + attributes,
            remote: RemoteStructure(path: "/entries", writes: [.create, .update, .delete]))
        return SchemaTree(SchemaStructure(name: "Journal", entities: [entry]))
    }

    private static func text(_ name: String, column: String) -> AttributeStructure {
        AttributeStructure(
            name: name, column: column, type: .scalar(.string), isOptional: true, wire: WireStructure(path: [name]))
    }

    /// Version 2 adds an attribute, and version 3 renames it.
    private static func history() throws -> SchemaHistory {
        var history = SchemaHistory(beginningWith: tree(), version: 1, isReleased: true)
        let trees = [tree(text("bodyText", column: "body_text")), tree(text("text", column: "text"))]
        for (index, next) in trees.enumerated() {
            let renames = index == 1 ? [MemberPath("Entry", member: "bodyText"): "text"] : [:]
            let changes = try SchemaDiff.changes(
                from: try history.structure(at: index + 1), to: next, renames: renames)
            history.versions.append(
                SchemaHistory.Version(
                    number: index + 2, hash: StructureHash(next), isReleased: true, changes: changes))
        }
        return history
    }

    private static func compatibility(_ history: SchemaHistory, oldest: Int? = nil) throws -> SchemaCompatibility {
        try SchemaCompatibility(
            with: history.supportedVersions(oldest: oldest).map {
                try SchemaCompatibility.Version($0, of: history, unrecorded: [], hash: history.head.hash)
            })
    }

    @Test("A rename in the history is found as a key that changes, of the versions that had it")
    func transitive() throws {
        let compatibility = try Self.compatibility(try Self.history())
        let found = compatibility.findings.filter { $0.finding.level > .safe }
        #expect(Set(found.map(\.finding.code)) == [.keyChanged])
        #expect(Set(found.map(\.versions)) == [[2]])
        let finding = try #require(found.first { $0.finding.direction == .oldAppWritesNewServer })
        #expect(
            finding.finding.message(older: finding.older, newer: "version 3")
                == "apps of version 2 send 'bodyText'; a server made for version 3 may not read it")
    }

    @Test("The same finding of several versions is reported once")
    func merged() throws {
        var history = try Self.history()
        var last = try history.structure(at: 3)
        let change = SchemaChange(
            MemberPath("Entry"),
            action: .change(
                from: ["remote": ["path": "/entries"]], to: ["remote": ["path": "/notes"]]))
        try last.apply(change)
        history.versions.append(SchemaHistory.Version(number: 4, hash: StructureHash(last), changes: [change]))
        let compatibility = try Self.compatibility(history)
        let paths = compatibility.findings.filter { $0.finding.code == .pathChanged }
        #expect(paths.count == 4 && Set(paths.map(\.versions)) == [[1, 2, 3]])
        #expect(compatibility.isBreaking)
        #expect(compatibility.advice.required == .neither)
    }

    @Test("Files of every supported version are counted by the work of opening them")
    func store() throws {
        let summary = try Self.compatibility(try Self.history(), oldest: 2).summary(of: [.store])
        #expect(summary == "store ok (versions 2–3 open, 2 instant)")
    }

    @Test("A history is a prefix of one that continues it, even if versions were released in the meantime")
    func prefix() throws {
        let history = try Self.history()
        var earlier = history
        earlier.versions.removeLast()
        earlier.versions[1].isReleased = false
        #expect(earlier.isPrefix(of: history))
        #expect(!history.isPrefix(of: earlier))
        earlier.versions[1].hash = history.versions[2].hash
        #expect(earlier.firstDifference(from: history) == 2)
    }

    @Test("The advice says who is released first")
    func advice() throws {
        let required = AttributeStructure(
            name: "site", column: "site", type: .scalar(.int), wire: WireStructure(path: ["site"]))
        #expect(try Self.advice(from: Self.tree(), to: Self.tree(required)).required == .neither)
        #expect(try Self.advice(from: Self.tree(required), to: Self.tree()).required == .neither)
        let optional = Self.text("place", column: "place")
        #expect(try Self.advice(from: Self.tree(), to: Self.tree(optional)).careful == .any)
        let removal = try Self.advice(from: Self.tree(optional), to: Self.tree())
        #expect(removal.careful == .appFirst)
        #expect(
            removal.text == """
                Release the app first, and the server when no older app is supported, unless the server accepts and \
                keeps what older apps send.
                """)
        let wide = AttributeStructure(
            name: "site", column: "site", type: .scalar(.int), isOptional: true, wire: WireStructure(path: ["site"]))
        #expect(try Self.advice(from: Self.tree(wide), to: Self.tree(required)).required == .any)
        #expect(try Self.advice(from: Self.tree(wide), to: Self.tree(required)).careful == .neither)
    }

    private static func advice(from old: SchemaTree, to new: SchemaTree) throws -> ReleaseAdvice {
        ReleaseAdvice(try WireCheck(from: old, to: new).findings)
    }
}
