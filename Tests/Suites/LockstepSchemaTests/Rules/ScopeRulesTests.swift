import Testing

@testable import LockstepSchema

@Suite("Rules of scopes")
struct ScopeRulesTests {
    @Test("if an entity has a scope, each synced one has")
    func missing() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                scope: owner
            #          ^ note: 'List' has a scope here
                attributes: { id: uuid, owner: uuid }
              Task:
            # ^ missing-scope: 'Task' has no scope, so a server does not know who reads its records
                attributes: { id: uuid }
                relationships: { list: List }
              Draft:
                attributes: { id: uuid }
                remote: none
              Base: { abstract: true, attributes: { id: uuid } }
            """)
    }

    @Test("if there is a server, each synced entity has a scope")
    func missingForServer() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Tasks
            server: { user: sub }
            #       ^ note: The server is set here
            entities:
              List:
            # ^ missing-scope: 'List' has no scope
                attributes: { id: uuid }
            """)
    }

    @Test("no scope is missing if no synced entity has one")
    func none() throws {
        let schema = try resolved("  List: { attributes: { id: uuid } }\n  Base: { abstract: true, scope: self }")
        #expect(schema.entities.map(\.scope) == [nil])
        #expect(schema.server == nil)
    }

    @Test("a scope is a member of the entity")
    func unknown() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                scope: onwer
            #          ^ unknown-scope: 'List' has no attribute or relationship 'onwer' for its scope
                attributes: { id: uuid, owner: uuid }
              Task:
                scope: place
            #          ^ unknown-scope: 'Task' has no attribute or relationship 'place' for its scope
                attributes: { id: uuid }
              Base:
                abstract: true
                scope: somebody
            #          ^ unknown-scope: 'Base' has no attribute or relationship 'somebody'
                attributes: { id: uuid }
              Note: { extends: Base }
            """)
    }

    @Test("an attribute holds a user")
    func attributes() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Tasks
            enums:
              Team: [red, blue]
            types:
              UserID: { stored: string }
              Place: { stored: json }
            entities:
              A:
                scope: user
            #          ^ unsuitable-scope: 'user' cannot be the scope of 'A': it is optional
                attributes: { id: uuid, user: string? }
            #                           ^ note: 'user' is declared here
              B: { scope: team, attributes: { id: uuid, team: Team } }
            #             ^ unsuitable-scope: 'team' cannot be the scope of 'B': it is of the type 'Team'
              C: { scope: users, attributes: { id: uuid, users: [uuid] } }
            #             ^ unsuitable-scope: it is of the type '[uuid]'
              D: { scope: done, attributes: { id: uuid, done: bool } }
            #             ^ unsuitable-scope: it is of the type 'bool'
              E: { scope: user, attributes: { id: uuid, user: { type: int, transient: true, default: 0 } } }
            #             ^ unsuitable-scope: it is transient, and not stored
              F: { scope: user, attributes: { id: uuid, user: { type: int, wire: none, default: 0 } } }
            #             ^ unsuitable-scope: it is not sent
              G: { scope: place, attributes: { id: uuid, place: Place } }
            #             ^ unsuitable-scope: it is of the type 'Place'
              H: { scope: user, attributes: { id: uuid, user: UserID } }
              I: { scope: user, attributes: { id: uuid, user: int64 } }
              J: { scope: id, attributes: { id: int } }
            """)
    }

    @Test("a relationship is required, to-one, sent, and holds the key")
    func relationships() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                scope: public
                attributes: { id: uuid }
                relationships: { a: { to: [A], inverse: list }, c: { to: C?, inverse: list }, d: { to: D, inverse: list } }
              A:
                scope: list
            #          ^ unsuitable-scope: 'list' cannot be the scope of 'A': it is optional
                attributes: { id: uuid }
                relationships: { list: { to: List?, inverse: a } }
            #                    ^ note: 'list' is declared here
              B:
                scope: lists
            #          ^ unsuitable-scope: 'lists' cannot be the scope of 'B': it is a to-many relationship
                attributes: { id: uuid }
                relationships: { lists: { to: [List], wire: ids } }
              C:
                scope: list
                attributes: { id: uuid }
                relationships: { list: { to: List, inverse: c } }
              D:
                scope: list
            #          ^ unsuitable-scope: it is stored at the other end, 'List'
                attributes: { id: uuid }
                relationships: { list: { to: List?, inverse: d } }
              E:
                scope: partner
            #          ^ unsuitable-scope: it is stored in a table of its own
                attributes: { id: uuid }
                relationships: { partner: { to: E?, inverse: partner } }
            #                    ^ scope-does-not-fit: the to-one 'partner' cannot be its own inverse
              F:
                scope: draft
            #          ^ unsuitable-scope: it leads to 'Draft', whose records stay on the device
                attributes: { id: uuid }
                relationships: { draft: Draft }
              G:
                scope: list
            #          ^ unsuitable-scope: it is not sent
                attributes: { id: uuid }
                relationships: { list: { to: List, wire: none } }
              Draft: { attributes: { id: uuid }, remote: none }
            """)
    }

    @Test("records that stay on the device have no scope, but inherit one without effect")
    func device() throws {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Tasks
            entities:
              Draft:
                scope: self
            #          ^ unsuitable-scope: 'Draft' cannot have a scope: its records stay on the device
                access: { read: owner }
            #           ^ unsuitable-access: 'Draft' cannot have 'access:': its records stay on the device
                attributes: { id: uuid, owner: uuid }
                remote: none
            """)
        let schema = try resolved(
            """
              Owned: { abstract: true, scope: owner, access: { write: none }, attributes: { id: uuid, owner: uuid } }
              List: { extends: Owned }
              Draft: { extends: Owned, remote: none }
            """)
        #expect(schema.entities.map(\.scope) == [.attribute("owner"), nil])
        #expect(schema.entities.map(\.writers) == [.nobody, nil])
    }

    @Test("scopes that lead around in a circle are required relationships that do")
    func cycle() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Tasks
            entities:
              A:
                scope: b
                attributes: { id: uuid }
                relationships: { b: B }
            #                    ^ required-cycle: A.b → B.a → A
              B:
                scope: a
                attributes: { id: uuid }
                relationships: { a: A }
            """)
    }

    @Test("the device assigns the identity of an entity with a scope")
    func identities() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Tasks
            entities:
              A:
                scope: user
            #          ^ note: 'A' has a scope here
                identity: { local: localID, remote: remoteID }
            #             ^ scope-does-not-fit: 'A' has a scope, so its identity cannot be made by the server
                attributes: { localID: uuid, remoteID: int?, user: uuid }
              B:
                scope: user
                identity: none
            #             ^ scope-does-not-fit: 'B' has a scope, so its records need an identity
                attributes: { user: uuid }
              C:
            # ^ scope-does-not-fit: 'C' has a scope, so its records need an identity
                scope: user
                attributes: { user: uuid }
              D:
                scope: self
                access: { read: user, write: user }
                identity: [user, day]
            #             ^ scope-does-not-fit: 'D' has a scope, so as each record is one, its identity must be a single
                attributes: { user: uuid, day: int }
              E:
                scope: user
                identity: [user, day]
                attributes: { user: uuid, day: int }
              G:
                scope: user
                identity: day
            #             ^ scope-does-not-fit: 'G' has a scope, so 'day' cannot identify its records
                attributes: { user: uuid, day: date }
              F:
                scope: user
                version: number
            #            ^ scope-does-not-fit: 'F' has a scope, so it needs no version
                attributes: { id: uuid, user: uuid, number: int? }
                relationships: { friend: { to: F?, inverse: friend } }
            #                    ^ scope-does-not-fit: 'F' has a scope, so the to-one 'friend' cannot be its own inverse
            """)
    }

    @Test("relationships of an entity with a scope are not embedded")
    func embedding() {
        let text = """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                scope: public
                attributes: { id: uuid }
                relationships:
                  pages: [Page]
            #     ^ scope-does-not-fit: 'List' has a scope, so 'pages' cannot be embedded: each record is sent by itself
                  notes: { to: [Note], wire: embedded }
            #                                ^ scope-does-not-fit: 'notes' cannot be embedded
                  tasks: { to: [Task], inverse: list, wire: embedded }
            #                                               ^ scope-does-not-fit: 'tasks' cannot be embedded
                  tags: { to: [Tag], inverse: lists, wire: embedded }
            #                                              ^ scope-does-not-fit: 'tags' cannot be embedded
                  cover: { to: Page?, wire: embedded }
            #                               ^ scope-does-not-fit: 'cover' cannot be embedded
              Page: { scope: public, attributes: { id: uuid } }
              Note: { scope: public, attributes: { id: uuid } }
              Task: { scope: list, attributes: { id: uuid }, relationships: { list: { to: List, inverse: tasks } } }
              Tag:
                scope: public
                attributes: { id: uuid }
                relationships: { lists: { to: [List], inverse: tags, wire: none } }
            """
        expectDiagnostics(text)
        #expect(
            remedies(text) == [
                "Declare 'list: List?' in 'Page', and 'inverse: list' here.",
                "Set 'wire: none', declare 'list: List?' in 'Note', and 'inverse: list' here.",
                "Set 'wire: none'.", "Set 'wire: ids', or 'wire: none' if the other end is sent.", "Set 'wire: id'.",
            ])
    }

    @Test("dates of an entity with a scope have a named format")
    func dates() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Tasks
            wire: { dates: yyyy-MM-dd }
            #              ^ scope-does-not-fit: 'A' has a scope, so 'at' cannot be sent by a date pattern
            entities:
              A: { scope: public, attributes: { id: uuid, at: date, days: [date] } }
              B: { scope: public, attributes: { id: uuid, at: { type: date, wire: "dd.MM.yyyy" } } }
            #                                                                     ^ scope-does-not-fit: 'B' has a scope
              C: { scope: public, attributes: { id: uuid, at: { type: date, wire: iso8601 } } }
            """)
    }

    @Test("an invalid scope is reported with a remedy")
    func findings() {
        let text = """
            lockstep: 1
            schema: Tasks
            entities:
              A: { scope: pubic, attributes: { id: uuid } }
              B: { scope: somewhere, attributes: { id: uuid } }
              C: { scope: user, attributes: { id: uuid, user: uuid? } }
              D: { scope: at, attributes: { id: uuid, at: date } }
              E: { scope: c, attributes: { id: uuid }, relationships: { c: C? } }
              F: { attributes: { id: uuid }, relationships: { c: C } }
              G: { attributes: { id: uuid } }
              H: { scope: self, attributes: { id: uuid }, remote: none }
            """
        let others = "'scope: self', 'scope: public', or 'remote: none' if its records stay on the device."
        #expect(
            remedies(text) == [
                "Did you mean 'public'?",
                "Write 'self', 'public', or the name of an attribute that holds the user or of a required to-one "
                    + "relationship.",
                "Make it required: 'user: uuid'.", "Use a 'string', a 'uuid' or an integer that is sent.",
                "Make it required: 'c: C'.", "Write 'scope: c', \(others)",
                "Write 'scope:' with the attribute that holds the user, \(others)", "Remove 'scope:'.",
            ])
    }

    private func remedies(_ text: String) -> [String] {
        readSchemas([SchemaSource(path: "test.yaml", bytes: Array(text.utf8))]).diagnostics.map(\.remedy)
    }
}
