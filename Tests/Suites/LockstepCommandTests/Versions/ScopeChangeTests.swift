import Foundation
import TestSupport
import Testing

@Suite("Changes of scopes and access")
struct ScopeChangeTests {
    private let tool: CommandLineTool

    private static let schema = """
        lockstep: 1
        schema: Tasks
        server: { user: user_id }
        entities:
          List:
            scope: self
            access: { read: [owner, members.user], write: owner }
            attributes: { id: uuid, owner: uuid }
            relationships: { members: { to: [Member], inverse: list } }
          Member:
            scope: list
            attributes: { id: uuid, user: uuid }
            relationships: { list: { to: List, inverse: members } }
          Country: { scope: public, attributes: { id: uuid } }

        """

    init() throws {
        tool = try CommandLineTool()
        try tool.write(Self.schema, to: "Schemas/Tasks.yaml")
        #expect(try tool.run("migrate", "--from", "Schemas/Tasks.yaml").status == 0)
    }

    @Test("They are in the history")
    func history() throws {
        let history = try tool.read("Schemas/Tasks.history.yaml")
        #expect(history.contains("        scope: public\n        read: everyone\n        write: none\n"))
        #expect(history.contains("        scope: self\n        read: [members.user, owner]\n        write: [owner]\n"))
        #expect(history.contains("        scope: { relationship: list }\n        remote:"))
    }

    @Test("They are recorded without a hint, with what is renamed in them")
    func recorded() throws {
        let schema = Self.schema.replacing("user: uuid", with: "person: { type: uuid, renamedFrom: user, key: user }")
            .replacing("members.user", with: "members.person").replacing("scope: public", with: "scope: id")
            .replacing("    scope: list\n", with: "    scope: list\n    access: { write: list.owner }\n")
        try tool.write(schema, to: "Schemas/Tasks.yaml")
        #expect(
            try tool.run("diff").output.replacing(/\ +instant/, with: "") == """
                Tasks, since version 1
                  ~ Member.user → person
                  ~ Country: who reads it changes (everyone → id), its records move to another scope (public → id), \
                who writes it changes (none → id)
                  ~ Member: who writes it is set (list.owner)
                  ~ Member.person: key person → user

                """)
        #expect(try tool.run("migrate", "--name", "more").status == 0)
        let changes = try tool.read("Schemas/Tasks.history.yaml").components(separatedBy: "    changes:\n").last
        #expect(
            changes == """
                      - rename: Member.user
                        to: person
                      - change: Country
                        from: { read: everyone, scope: public, write: none }
                        to: { read: [id], scope: { attribute: id }, write: [id] }
                      - change: Member
                        from: {}
                        to: { write: [list.owner] }
                      - change: Member.person
                        from: {}
                        to: { key: user }

                """)
        #expect(try tool.run("check").status == 0)
        let described = try tool.run("describe").output
        #expect(described.contains("\"userClaim\" : \"user_id\""))
        #expect(described.contains("\"person\""))
    }
}
