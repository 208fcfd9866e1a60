import LockstepEvolution
import LockstepReview
import Testing

/// The table of what a change means for apps and servers of two versions, one test for each row.
@Suite("The check of what is sent")
struct WireCheckTests {
    private static func entry(
        _ attributes: [AttributeStructure] = [], _ relationships: [RelationshipStructure] = [],
        remote: RemoteStructure? = RemoteStructure(path: "/entries", writes: [.create, .update, .delete])
    ) -> EntityStructure {
        EntityStructure(
            name: "Entry", table: "entry", identity: .attributes(["id"]),
            attributes: [attribute("id", .scalar(.int))] + attributes, relationships: relationships, remote: remote)
    }

    private static func attribute(
        _ name: String, _ type: ValueType = .scalar(.string), optional: Bool = false,
        default defaultValue: DefaultValue? = nil, key: String? = nil, former: [[String]] = [],
        format: String? = nil
    ) -> AttributeStructure {
        AttributeStructure(
            name: name, column: name, type: type, isOptional: optional, defaultValue: defaultValue,
            wire: WireStructure(path: [key ?? name], format: format, formerPaths: former))
    }

    /// The levels of the findings in each direction that are not safe.
    private static func levels(
        from old: EntityStructure..., to new: EntityStructure, enumerations: [EnumerationStructure] = [],
        newEnumerations: [EnumerationStructure]? = nil
    ) throws -> [WireDirection: WireLevel] {
        let older = SchemaStructure(name: "Journal", enumerations: enumerations, entities: old)
        let newer = SchemaStructure(
            name: "Journal", enumerations: newEnumerations ?? enumerations, entities: [new] + old.dropFirst())
        let check = try WireCheck(from: SchemaTree(older), to: SchemaTree(newer))
        var levels: [WireDirection: WireLevel] = [:]
        for finding in check.findings where finding.level > .safe {
            levels[finding.direction] = max(levels[finding.direction] ?? .safe, finding.level)
        }
        return levels
    }

    @Test("An optional attribute, or one with a default, is added")
    func addOptional() throws {
        let new = Self.entry([
            Self.attribute("place", optional: true), Self.attribute("pinned", .scalar(.bool), default: .bool(false)),
        ])
        #expect(try Self.levels(from: Self.entry(), to: new).isEmpty)
    }

    @Test("A required attribute without a default is added")
    func addRequired() throws {
        let levels = try Self.levels(from: Self.entry(), to: Self.entry([Self.attribute("site")]))
        #expect(levels == [.newAppReadsOldServer: .breaking, .oldAppWritesNewServer: .breaking])
    }

    @Test("An optional attribute is removed: what older apps write is lost on the new server")
    func removeOptional() throws {
        let old = Self.entry([Self.attribute("place", optional: true)])
        #expect(try Self.levels(from: old, to: Self.entry()) == [.oldAppWritesNewServer: .dangerous])
    }

    @Test("What older apps do not write is not lost: removed attributes that are read-only, or of such an entity")
    func removeUnwritten() throws {
        var readOnly = Self.attribute("place", optional: true)
        readOnly.wire?.isReadOnly = true
        #expect(try Self.levels(from: Self.entry([readOnly]), to: Self.entry()).isEmpty)
        let remote = RemoteStructure(path: "/entries", writes: [.delete])
        let old = Self.entry([Self.attribute("place", optional: true)], remote: remote)
        #expect(try Self.levels(from: old, to: Self.entry(remote: remote)).isEmpty)
    }

    @Test("An optional relationship is removed: the links that older apps write are lost on the new server")
    func removeRelationship() throws {
        let tag = EntityStructure(
            name: "Tag", table: "tag", identity: .attributes(["id"]), attributes: [Self.attribute("id", .scalar(.int))])
        let link = RelationshipStructure(
            name: "tag", destination: "Tag", isToMany: false, isOptional: true,
            storage: .foreignKey(columns: ["tag_id"], position: nil), wire: .id(paths: [["tagID"]], embeddedPath: []))
        let levels = try Self.levels(from: Self.entry([], [link]), tag, to: Self.entry())
        #expect(levels == [.oldAppWritesNewServer: .dangerous])
    }

    @Test("A required attribute is removed")
    func removeRequired() throws {
        let levels = try Self.levels(from: Self.entry([Self.attribute("site")]), to: Self.entry())
        #expect(
            levels == [
                .oldAppReadsNewServer: .breaking, .newAppWritesOldServer: .breaking, .oldAppWritesNewServer: .dangerous,
            ])
    }

    @Test("A key is renamed")
    func renameKey() throws {
        let old = Self.entry([Self.attribute("text", optional: true, key: "bodyText")])
        let levels = try Self.levels(from: old, to: Self.entry([Self.attribute("text", optional: true)]))
        #expect(
            levels == [
                .newAppReadsOldServer: .dangerous, .oldAppReadsNewServer: .dangerous,
                .newAppWritesOldServer: .dangerous, .oldAppWritesNewServer: .dangerous,
            ])
    }

    @Test("A key is renamed, and the former one is still read")
    func formerKey() throws {
        let old = Self.entry([Self.attribute("text", optional: true, key: "bodyText")])
        let new = Self.entry([Self.attribute("text", optional: true, former: [["bodyText"]])])
        #expect(try Self.levels(from: old, to: new)[.newAppReadsOldServer] == nil)
        // Back again, with the former key still read by the older app.
        #expect(try Self.levels(from: new, to: old)[.oldAppReadsNewServer] == nil)
    }

    @Test("The key of a required attribute is renamed: records without it are skipped")
    func renameRequiredKey() throws {
        let old = Self.entry([Self.attribute("title", key: "heading")])
        let levels = try Self.levels(from: old, to: Self.entry([Self.attribute("title")]))
        #expect(Set(levels.values) == [.breaking] && levels.count == 4)
    }

    @Test("N1 Another spelling of a key is read all the same")
    func spelling() throws {
        let old = Self.entry([Self.attribute("bodyText", optional: true, key: "body_text")])
        let levels = try Self.levels(from: old, to: Self.entry([Self.attribute("bodyText", optional: true)]))
        #expect(levels == [.newAppWritesOldServer: .dangerous, .oldAppWritesNewServer: .dangerous])
    }

    @Test("N3 A date in seconds becomes ISO 8601: both are read, and the servers may not")
    func dateForm() throws {
        let old = Self.entry([Self.attribute("at", .scalar(.date), format: "secondsSince1970")])
        let levels = try Self.levels(from: old, to: Self.entry([Self.attribute("at", .scalar(.date))]))
        #expect(levels == [.newAppWritesOldServer: .dangerous, .oldAppWritesNewServer: .dangerous])
    }

    @Test("N3 A date pattern is read only by apps that know it")
    func datePattern() throws {
        let new = Self.entry([Self.attribute("at", .scalar(.date), format: "dd.MM.yy")])
        let levels = try Self.levels(from: Self.entry([Self.attribute("at", .scalar(.date))]), to: new)
        #expect(levels[.oldAppReadsNewServer] == .breaking)
        #expect(levels[.newAppReadsOldServer] == nil)
    }

    @Test("N4 A text becomes a number: apps read some texts as numbers, and no numbers as texts")
    func textToNumber() throws {
        let old = Self.entry([Self.attribute("stock", optional: true)])
        let levels = try Self.levels(
            from: old, to: Self.entry([Self.attribute("stock", .scalar(.int), optional: true)]))
        #expect(levels[.newAppReadsOldServer] == .dangerous)
        #expect(levels[.oldAppReadsNewServer] == .breaking)
        #expect(levels[.newAppWritesOldServer] == .dangerous)
        #expect(levels[.oldAppWritesNewServer] == .dangerous)
    }

    @Test("An integer becomes wider: only older sides can get values that do not fit")
    func wider() throws {
        let old = Self.entry([Self.attribute("stock", .scalar(.int16))])
        let levels = try Self.levels(from: old, to: Self.entry([Self.attribute("stock", .scalar(.int))]))
        #expect(levels == [.oldAppReadsNewServer: .dangerous, .newAppWritesOldServer: .dangerous])
    }

    @Test("An attribute becomes required: the others may leave it empty")
    func becomesRequired() throws {
        let old = Self.entry([Self.attribute("title", optional: true)])
        let levels = try Self.levels(from: old, to: Self.entry([Self.attribute("title")]))
        #expect(levels == [.newAppReadsOldServer: .dangerous, .oldAppWritesNewServer: .dangerous])
    }

    private static func mood(_ names: String..., closed: Bool) -> EnumerationStructure {
        EnumerationStructure(
            name: "Mood", isClosed: closed, isInteger: false,
            cases: names.map { EnumerationStructure.Case(name: $0, rawValue: .string($0)) })
    }

    @Test("A case is added to an open enum, and to a closed one", arguments: [false, true])
    func addCase(closed: Bool) throws {
        let entry = Self.entry([Self.attribute("mood", .enumeration("Mood"))])
        let levels = try Self.levels(
            from: entry, to: entry, enumerations: [Self.mood("sad", closed: closed)],
            newEnumerations: [Self.mood("sad", "happy", closed: closed)])
        #expect(
            levels == (closed ? [.oldAppReadsNewServer: .breaking, .newAppWritesOldServer: .dangerous] : [:]))
    }

    @Test("R1 A to-one that was embedded is sent as a key: the object is still read, the servers may not read the key")
    func embedding() throws {
        let tag = EntityStructure(
            name: "Tag", table: "tag", identity: .attributes(["id"]), attributes: [Self.attribute("id", .scalar(.int))])
        func link(_ wire: RelationshipWire) -> RelationshipStructure {
            RelationshipStructure(
                name: "tag", destination: "Tag", isToMany: false, isOptional: true,
                storage: .foreignKey(columns: ["tag_id"], position: nil), wire: wire)
        }
        let levels = try Self.levels(
            from: Self.entry([], [link(.embedded(path: ["tag"]))]), tag,
            to: Self.entry([], [link(.id(paths: [["tagID"]], embeddedPath: ["tag"]))]))
        #expect(levels[.newAppReadsOldServer] == nil)
        #expect(levels[.newAppWritesOldServer] == .dangerous && levels[.oldAppWritesNewServer] == .dangerous)
    }

    @Test("R11 A form that is only read makes the other end of a change safe to read, and changes nothing that is sent")
    func otherForm() throws {
        let tag = EntityStructure(
            name: "Tag", table: "tag", identity: .attributes(["id"]), attributes: [Self.attribute("id", .scalar(.int))])
        func link(_ wire: RelationshipWire) -> RelationshipStructure {
            RelationshipStructure(
                name: "tags", destination: "Tag", isToMany: true, isOptional: true, storage: .inverseForeignKey,
                wire: wire)
        }
        func levels(_ old: RelationshipWire, _ new: RelationshipWire) throws -> [WireDirection:
            WireLevel]
        {
            try Self.levels(from: Self.entry([], [link(old)]), tag, to: Self.entry([], [link(new)]))
        }
        #expect(try levels(.ids(path: ["ids"]), .ids(path: ["ids"], embeddedPath: ["tags"])) == [:])
        let sent = try levels(.embedded(path: ["tags"]), .ids(path: ["ids"], embeddedPath: ["tags"]))
        #expect(sent[.newAppReadsOldServer] == nil && sent[.oldAppReadsNewServer] != nil)
        #expect(sent[.newAppWritesOldServer] == .dangerous)
        let back = try levels(.ids(path: ["ids"]), .embedded(path: ["tags"], idsPath: ["ids"]))
        #expect(back[.newAppReadsOldServer] == nil && back[.oldAppReadsNewServer] != nil)
    }

    @Test("The path changes: nothing arrives")
    func path() throws {
        let new = Self.entry(remote: RemoteStructure(path: "/notes", writes: [.create, .update, .delete]))
        let levels = try Self.levels(from: Self.entry(), to: new)
        #expect(levels.count == 4 && Set(levels.values) == [.breaking])
    }

    @Test("A write is added, and removed")
    func writes() throws {
        let readOnly = Self.entry(remote: RemoteStructure(path: "/entries", writes: []))
        #expect(try Self.levels(from: readOnly, to: Self.entry()) == [.newAppWritesOldServer: .breaking])
        #expect(try Self.levels(from: Self.entry(), to: readOnly) == [.oldAppWritesNewServer: .breaking])
    }

    @Test("A key that wraps records changes: nothing that is sent is understood")
    func wrap() throws {
        let new = Self.entry(
            remote: RemoteStructure(path: "/entries", writes: [.create, .update, .delete], wrapKey: "entry"))
        let levels = try Self.levels(from: Self.entry(), to: new)
        #expect(levels == [.newAppWritesOldServer: .breaking, .oldAppWritesNewServer: .breaking])
    }

    @Test("What stays on the device is not compared")
    func local() throws {
        let old = Self.entry(remote: nil)
        #expect(try Self.levels(from: old, to: Self.entry([Self.attribute("site")], remote: nil)).isEmpty)
    }
}
