import Testing

@testable import LockstepSchema

@Suite("Unreadable declarations do not hide other problems")
struct LostMembersTests {
    @Test("a malformed type does not hide other diagnostics, and references to its attribute are not reported")
    func malformedType() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              X:
                identity: n
                attributes:
                  id: int
                  a: strng
            #        ^ unknown-type: strng
                  n: [[int]]
            #         ^ malformed-type
                relationships: { all: { to: [Y], sortedBy: m } }
                indexes: [[n, id]]
              Y:
                attributes:
                  id: int
                  a: strng2
            #        ^ unknown-type: strng2
                  m:
            #       ^ wrong-kind
            """)
    }

    @Test("an invalid case does not invalidate a default of its enum, nor does an invalid enum make a type unknown")
    func enums() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            enums:
              Mood: [sad, null]
            #             ^ wrong-kind
              Size: large
            #       ^ wrong-kind
            entities:
              X:
                attributes:
                  id: int
                  mood: { type: Mood, default: happy }
                  size: { type: Size?, default: small }
                  other: { type: int, default: 010 }
            #                                  ^ wrong-default
            """)
    }

    @Test("an invalid relationship or entity is not an unknown inverse, entity or base")
    func entities() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Lost: 7
            #       ^ wrong-kind
              X:
                extends: Lost
                identity: code
                attributes: { id: int }
                relationships:
                  other: { to: [Lost], inverse: back, sortedBy: name }
                  more: { to: [Y], inverse: back }
                  gone: Z?
            #           ^ unknown-entity
              Y:
                attributes: { id: int }
                relationships: { back: [[X]] }
            #                           ^ malformed-type
            """)
    }
}
