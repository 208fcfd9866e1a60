import Testing

@testable import LockstepSchema

@Suite("Rules of access")
struct AccessRulesTests {
    @Test("somebody reads and writes a scope of its own, and creates its first record")
    func missing() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Tasks
            entities:
              A:
                scope: self
            #          ^ missing-access: 'A' is a scope of no one: nothing says who reads and writes it
                attributes: { id: uuid, owner: uuid }
              B:
                scope: self
            #          ^ missing-access: 'B' is a scope of no one: nothing says who writes it
                access: { read: owner }
                attributes: { id: uuid, owner: uuid }
              C:
                scope: self
            #          ^ missing-access: nothing says who reads it
                access: { write: [members.user, members.list.members.user] }
            #                    ^ missing-access: Nobody can create a first record of 'C'
                attributes: { id: uuid, owner: uuid }
                relationships: { members: { to: [Member], inverse: list } }
              Member:
                scope: list
                attributes: { id: uuid, user: string }
                relationships: { list: { to: C, inverse: members } }
              D: { scope: self, access: { read: none, write: none }, attributes: { id: uuid } }
            """)
    }

    @Test("with functions of the server, the schema says nothing of access")
    func custom() throws {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Tasks
            server: { access: custom }
            #                 ^ note: This is set here
            entities:
              A: { scope: self, attributes: { id: uuid } }
              B:
                scope: self
                access: { read: nobody.knows }
            #           ^ unsuitable-access: 'access:' has no effect: functions of the server say who reads and writes
                attributes: { id: uuid }
            """)
        let schema = try resolved(
            "  A: { scope: self, attributes: { id: uuid } }\n  B: { scope: public, attributes: { id: uuid } }",
            header: "server: { user: user_id, access: custom }")
        #expect(schema.server == ServerOptions(userClaim: "user_id", hasCustomAccess: true))
        #expect(schema.entities.map(\.scope) == [.own, .everyone])
        #expect(schema.entities.map(\.readers) == [nil, nil])
        #expect(schema.entities.map(\.writers) == [nil, nil])
    }

    @Test("access is about a scope, and reading about one of the entity itself")
    func unsuitable() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                scope: owner
            #          ^ note: 'List' is the scope here
                attributes: { id: uuid, owner: uuid }
              Task:
                scope: list
                access: { read: list.owner, write: list.owner }
            #                   ^ unsuitable-access: 'Task' cannot say who reads it: its scope 'list' does
                attributes: { id: uuid }
                relationships: { list: List }
              Step:
                scope: task
                access: { read: everyone }
            #                   ^ unsuitable-access: 'Step' cannot say who reads it: its scope 'task' does
                attributes: { id: uuid }
                relationships: { task: Task }
              Profile:
                scope: user
                access: { read: everyone }
            #                   ^ unsuitable-access: 'Profile' cannot say who reads it: the user in 'user' does
                attributes: { id: uuid, user: uuid }
              Country:
                scope: public
                access: { read: none, write: everyone }
            #                   ^ unsuitable-access: 'Country' cannot say who reads it: everybody does
                attributes: { id: uuid }
              Team:
                scope: self
                access: { read: everyone, write: everyone }
            #                   ^ unsuitable-access: 'Team' cannot be everyone's: each of its records is a scope of its own
            #                                    ^ unsuitable-access: 'Team' cannot be everyone's
                attributes: { id: uuid }
            """)
        expectDiagnostics(
            """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                access: { read: owner }
            #           ^ unsuitable-access: 'List' has 'access:', but no scope
                attributes: { id: uuid, owner: uuid }
            """)
    }

    @Test("a path leads over relationships to a user")
    func paths() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                scope: self
                access:
                  read:
                    - owner
                    - membrs.user
            #         ^ bad-access-path: 'List' has no relationship 'membrs'
                    - members.usr
            #         ^ bad-access-path: 'Member' has no attribute 'usr'
                    - title.user
            #         ^ bad-access-path: 'title' of 'List' is an attribute, and only the last part is one
                    - members
            #         ^ bad-access-path: 'members' is a relationship, and the last part is an attribute
                    - members.since
            #         ^ bad-access-path: 'since' cannot hold a user: it is of the type 'date'
                    - drafts.user
            #         ^ bad-access-path: 'drafts' leads to 'Draft', whose records stay on the device
                    - hidden.user
            #         ^ bad-access-path: 'hidden' is not sent at either end
                    - members..user
            #         ^ bad-access-path: a part of 'members..user' is empty
                    - ""
            #         ^ bad-access-path: a part of '' is empty
                    - none
            #         ^ bad-access-path: 'List' has no attribute 'none'
                  write: [owner, members.user, owner]
            #                                  ^ repeated-member: 'owner' is listed twice in write
                attributes: { id: uuid, owner: uuid, title: string }
                relationships:
                  members: { to: [Member], inverse: list }
                  drafts: { to: [Draft], inverse: list, wire: none }
                  hidden: { to: Member?, wire: none }
              Member:
                scope: list
                access: { write: list.members.user }
                attributes: { id: uuid, user: string?, since: date }
            #                                          ^ note: 'since' is declared here
                relationships: { list: { to: List, inverse: members } }
              Draft:
                attributes: { id: uuid, user: uuid }
                relationships: { list: { to: List?, inverse: drafts } }
                remote: none
            """)
    }

    @Test("an inherited path leads from the entity that inherits it")
    func inherited() throws {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Tasks
            entities:
              Shared: { abstract: true, scope: self, access: { read: owner, write: team.owner }, attributes: { id: uuid } }
            #                                                        ^ bad-access-path: 'List' has no attribute 'owner'
            #                                                                      ^ bad-access-path: 'List' has no relationship 'team'
              List: { extends: Shared }
            """)
        let schema = try resolved(
            """
              Shared: { abstract: true, scope: self, access: { read: [owner, users.id], write: owner } }
              List: { extends: Shared, attributes: { id: uuid, owner: uuid }, relationships: { users: { to: [User], wire: ids } } }
              User: { scope: id, access: { write: none }, attributes: { id: uuid } }
            """)
        let list = try schema.entity("List")
        let users = AccessPath(relationships: ["users"], attribute: "id")
        #expect(list.scope == .own)
        #expect(list.readers == .users([AccessPath(attribute: "owner"), users]))
        #expect(list.writers == .users([AccessPath(attribute: "owner")]))
        let user = try schema.entity("User")
        #expect(user.readers == .users([AccessPath(attribute: "id")]))
        #expect(user.writers == .nobody)
    }

    @Test("each kind of scope has its own access by default")
    func defaults() throws {
        let schema = try resolved(
            """
              Profile: { scope: user, attributes: { id: uuid, user: uuid } }
              Country: { scope: public, attributes: { id: uuid } }
              Town: { scope: country, attributes: { id: uuid }, relationships: { country: Country } }
              Street:
                scope: town
                access: { write: none }
                attributes: { id: uuid }
                relationships: { town: Town }
            """)
        let user = AccessRule.users([AccessPath(attribute: "user")])
        #expect(schema.server == nil)
        #expect(
            schema.entities.map(\.scope) == [
                .attribute("user"), .everyone, .relationship("country"), .relationship("town"),
            ])
        #expect(schema.entities.map(\.readers) == [user, .everyone, nil, nil])
        #expect(schema.entities.map(\.writers) == [user, .nobody, nil, .nobody])
        #expect(schema.structure.entities.map(\.scope) == schema.entities.map(\.scope))
        #expect(schema.structure.entities.map(\.writers) == schema.entities.map(\.writers))
    }

    @Test("keywords win over names of members")
    func keywords() throws {
        let schema = try resolved(
            "  A: { scope: public, access: { write: everyone }, attributes: { id: uuid, public: uuid, everyone: uuid } }"
        )
        #expect(schema.entities[0].scope == .everyone)
        #expect(schema.entities[0].writers == .everyone)
    }

    @Test("the user's claim is 'sub' by default")
    func claim() throws {
        let schema = try resolved("  A: { scope: public, attributes: { id: uuid } }", header: "server: {}")
        #expect(schema.server == ServerOptions(userClaim: "sub", hasCustomAccess: false))
    }

    @Test("an invalid access is reported with a remedy")
    func findings() {
        let text = """
            lockstep: 1
            schema: Tasks
            entities:
              A: { scope: self, access: { read: owner }, attributes: { id: uuid, owner: uuid } }
              B: { scope: self, access: { read: [none, ownr, a], write: a.bs.user }, attributes: { id: uuid, owner: uuid }, relationships: { a: A } }
              C: { scope: a, access: { read: a.owner }, attributes: { id: uuid }, relationships: { a: A } }
              D: { scope: self, access: { read: es.user, write: es.user }, attributes: { id: uuid }, relationships: { es: { to: [E], inverse: d } } }
              E: { scope: d, attributes: { id: uuid, user: uuid? }, relationships: { d: { to: D, inverse: es } } }
            """
        let remedies = readSchemas([SchemaSource(path: "test.yaml", bytes: Array(text.utf8))]).diagnostics.map(\.remedy)
        #expect(
            remedies == [
                "Add 'access: { write: owner }', with the attribute that holds the user, or a path to one. "
                    + "Or write 'server: { access: custom }' if functions of the server say it.",
                "Write 'none' by itself, not in a list.", "Did you mean 'owner'?",
                "Add the attribute of 'A' that holds the user: 'a.user'.",
                "Use a relationship of 'A', or declare one.", "Remove 'read:', or set it in 'A'.",
                "Add an attribute that holds the user: 'write: [owner, es.user]'.",
            ])
    }

    @Test("the keys are read by the grammar")
    func grammar() {
        expectReading(
            """
            lockstep: 1
            schema: Tasks
            server: { user: "", acess: custom }
            #               ^ wrong-kind: 'user' must be text, not the quoted text ''
            #                   ^ unknown-key: Unknown key 'acess' in 'server'
            entities:
              A:
                scope: [a]
            #          ^ wrong-kind: 'scope' must be 'self' or 'public' or a name, not a list
                access: public
            #           ^ wrong-kind: 'access' must be a mapping of the keys of access, not the text 'public'
              B:
                access: { read: [], writers: { a: b }, write: }
            #                   ^ wrong-kind: 'read' must be 'none' or 'everyone', a path or a list of paths, not an empty list
            #                       ^ unknown-key: Unknown key 'writers' in 'access'
            #                                                 ^ wrong-kind: not nothing
            """)
        expectReading(
            """
            lockstep: 1
            schema: Tasks
            server: { access: costum }
            #                 ^ not-allowed: 'costum' is not a value of 'access'
            entities: { A: { attributes: { id: int } } }
            """)
    }
}
