import Testing

@testable import LockstepSchema

@Suite("Rules of enums")
struct EnumRulesTests {
    @Test("an enum has cases, each with its own name and value")
    func cases() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            enums:
              Empty: {}
            # ^ empty-enum: 'Empty'
              Mood: [sad, happy, sad]
              #                  ^ duplicate-case: 'Mood' has two cases 'sad'
              Odd: [none, none_]
              #           ^ duplicate-case: 'none_'
              Size: { small: S, little: S }
              #              ^ note: First used by 'small'
              #                         ^ duplicate-raw-value: 'little' has the same raw value as 'small', 'S'
              Level: { type: int, cases: { low: {}, middle: 5, high: 4, top: {} } }
              #                                                         ^ duplicate-raw-value: 'top' has the same raw value as 'middle', 5
              Full: { type: int, cases: { last: 9223372036854775807, over: {}, more: {} } }
              #                                                      ^ raw-value-overflow: 'over'
            entities:
              Product:
                attributes: { id: int }
            """)
    }

    @Test("an open enum has 'unknown' already, a closed one does not")
    func unknown() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            enums:
              Open: [known, unknown]
              #             ^ reserved-case: 'unknown'
              Closed: { closed: true, cases: [known, unknown] }
            entities:
              Product:
                attributes: { id: int }
            """)
    }
}
