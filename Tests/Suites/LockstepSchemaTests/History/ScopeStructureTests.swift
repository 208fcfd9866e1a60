import LockstepEvolution
import LockstepJSON
import LockstepReview
import Testing

@testable import LockstepSchema

@Suite("Scopes and access in structures")
struct ScopeStructureTests {
    private static let lists = """
        lockstep: 1
        schema: Tasks
        entities:
          List:
            scope: self
            access: { read: [owner, members.user], write: owner }
            attributes: { id: uuid, owner: uuid }
            relationships: { members: { to: [Member], inverse: list } }
          Member:
            scope: list
            access: { write: list.members.list.owner }
            attributes: { id: uuid, user: uuid }
            relationships: { list: { to: List, inverse: members } }
          Profile: { scope: user, attributes: { id: uuid, user: uuid } }
          Country: { scope: public, access: { write: none }, attributes: { id: uuid } }
        """

    private static func tree(_ text: String) throws -> SchemaTree {
        let reading = readSchemas([SchemaSource(path: "test.yaml", bytes: Array(text.utf8))])
        #expect(reading.diagnostics.map(\.message) == [])
        return SchemaTree(try #require(reading.schemas.first).structure)
    }

    private static func renamed(_ text: String, _ former: String, to new: String) throws -> SchemaTree {
        try tree(text.replacing(former, with: new))
    }

    // MARK: JSON

    @Test("are read as they are written")
    func roundTrip() throws {
        let tree = try Self.tree(Self.lists)
        let structure = try SchemaStructure(recorded: SchemaTree(json: JSONValue(parsing: SchemaStructure(tree).json)))
        #expect(SchemaTree(structure) == tree)
        let owner = AccessPath(attribute: "owner")
        let members = AccessPath(relationships: ["members"], attribute: "user")
        let list = try #require(structure.entity("List"))
        #expect(list.scope == .own)
        #expect(list.readers == .users([members, owner]))
        #expect(list.writers == .users([owner]))
        let member = try #require(structure.entity("Member"))
        #expect(member.scope == .relationship("list"))
        #expect(member.readers == nil)
        #expect(
            member.writers == .users([AccessPath(relationships: ["list", "members", "list"], attribute: "owner")]))
        let country = try #require(structure.entity("Country"))
        #expect(country.scope == .everyone && country.readers == .everyone && country.writers == .nobody)
        #expect(structure.entity("Profile")?.scope == .attribute("user"))
    }

    @Test("are a text, or a list of paths in the order of their names")
    func json() throws {
        let entities = try Self.tree(Self.lists).entities
        let list = try #require(entities["List"]?.properties)
        #expect(list["scope"] == "self")
        #expect(list["read"] == ["members.user", "owner"])
        #expect(list["write"] == ["owner"])
        #expect(entities["Member"]?.properties["scope"] == ["relationship": "list"])
        #expect(entities["Member"]?.properties["read"] == nil)
        #expect(entities["Profile"]?.properties["scope"] == ["attribute": "user"])
        #expect(entities["Country"]?.properties["scope"] == "public")
        #expect(entities["Country"]?.properties["read"] == "everyone")
        #expect(entities["Country"]?.properties["write"] == "none")
    }

    @Test("are absent if the schema has none, so that earlier hashes stay the same")
    func absent() throws {
        let tree = try Self.tree(
            """
            lockstep: 1
            schema: Journal
            entities:
              Entry: { version: lock, attributes: { id: uuid, title: string, lock: int? } }
              Draft: { attributes: { id: uuid }, remote: none }
            """)
        #expect(StructureHash(tree).text == "6c43ac95143db8fb-73e628d38189a631")
        for entity in tree.entities.values {
            #expect(Set(entity.properties.keys).isDisjoint(with: ["scope", "read", "write"]))
        }
    }

    @Test("are sent, not stored")
    func hash() throws {
        let former = StructureHash(try Self.tree(Self.lists))
        for (old, new) in [("scope: public, access: { write: none }", "scope: public, access: { write: everyone }")] {
            let hash = StructureHash(try Self.renamed(Self.lists, old, to: new))
            #expect(hash.store == former.store)
            #expect(hash.wire != former.wire)
        }
        #expect(
            StructureHash(try Self.renamed(Self.lists, "[owner, members.user]", to: "[members.user, owner]")) == former)
        // Without a scope, `public` is written as its defaults say.
        #expect(StructureHash(try Self.renamed(Self.lists, ", access: { write: none }", to: "")) == former)
    }

    // MARK: Changes

    @Test(
        "A change is recorded, needs no hint, and says what happens",
        arguments: [
            (
                "scope: user, attributes", "scope: public, attributes",
                "Profile: who reads it changes (user → everyone), its records move to another scope (user → public), "
                    + "who writes it changes (user → none)"
            ),
            (
                "read: [owner, members.user]", "read: owner",
                "List: who reads it changes (members.user, owner → owner)"
            ),
            (
                "    access: { write: list.members.list.owner }\n", "",
                "Member: who writes it is no longer set (list.members.list.owner)"
            ),
        ])
    func changes(old: String, new: String, text: String) throws {
        let former = try Self.tree(Self.lists)
        let new = try Self.renamed(Self.lists, old, to: new)
        for (from, to) in [(former, new), (new, former)] {
            let review = try ChangeReview(from: from, to: to, hints: ReviewHints())
            #expect(review.isComplete && review.findings.isEmpty)
            #expect(review.changes.count == 1)
            #expect(review.costs == [.instant])
            if from == former { #expect(review.changes.map(\.text) == [text]) }
            var tree = from
            for change in review.changes {
                try tree.apply(SchemaChange(json: change.json, path: []))
            }
            #expect(tree == to)
        }
    }

    @Test("A schema that gets scopes changes its entities, and no table")
    func added() throws {
        let new = try Self.tree(Self.lists)
        var former = new
        for name in new.entities.keys {
            for key in ["scope", "read", "write"] { former.entities[name]?.properties[key] = nil }
        }
        #expect(StructureHash(former).store == StructureHash(new).store)
        let review = try ChangeReview(from: former, to: new, hints: ReviewHints())
        #expect(review.isComplete)
        #expect(
            review.changes.map(\.text) == [
                "Country: who reads it is set (everyone), its scope is set (public), who writes it is set (none)",
                "List: who reads it is set (members.user, owner), its scope is set (self), who writes it is set (owner)",
                "Member: its scope is set (list), who writes it is set (list.members.list.owner)",
                "Profile: who reads it is set (user), its scope is set (user), who writes it is set (user)",
            ])
    }

    @Test(
        "What is renamed is renamed in scopes and paths",
        arguments: [
            ("List", "owner", "keeper"), ("Profile", "user", "person"), ("Member", "user", "zoe"),
            ("Member", "list", "folder"), ("List", "members", "people"), ("Member", nil, "Guest"),
            ("List", nil, "Folder"),
        ])
    func renames(type: String, member: String?, name: String) throws {
        let path = MemberPath(type, member: member)
        var tree = try Self.tree(Self.lists)
        try tree.apply(SchemaChange(path, action: .rename(to: name)))
        _ = try SchemaStructure(recorded: tree)
        if member != nil {
            let access = tree.entities.values.flatMap { entity in
                ["scope", "read", "write"].compactMap { entity.properties[$0] }
            }
            #expect("\(access)".contains(name))
        }
        // The way back results in the same tree.
        let back = member == nil ? MemberPath(name) : MemberPath(type, member: name)
        try tree.apply(SchemaChange(back, action: .rename(to: member ?? type)))
        #expect(try tree == Self.tree(Self.lists))
    }

    @Test("A path follows a rename only of the entity that it leads through")
    func renamedElsewhere() throws {
        var tree = try Self.tree(Self.lists)
        try tree.apply(SchemaChange(MemberPath("Profile", member: "user"), action: .rename(to: "person")))
        #expect(tree.entities["List"]?.properties["read"] == ["members.user", "owner"])
        #expect(tree.entities["Profile"]?.properties["read"] == ["person"])
        try tree.apply(SchemaChange(MemberPath("Member", member: "user"), action: .rename(to: "a")))
        try tree.apply(SchemaChange(MemberPath("List", member: "members"), action: .rename(to: "zs")))
        #expect(tree.entities["List"]?.properties["read"] == ["owner", "zs.a"])
        #expect(tree.entities["Member"]?.properties["write"] == ["list.zs.list.owner"])
    }
}
