import Testing

@testable import LockstepSchema

@Suite("Rules of attributes")
struct AttributeRulesTests {
    @Test("a type exists, and is not an entity")
    func types() throws {
        let text = """
            lockstep: 1
            schema: Shop
            enums:
              Mood: [sad]
            entities:
              Product:
                attributes:
                  id: int
                  a: strng
            #        ^ unknown-type: There is no type 'strng'
                  b: { type: [mood?], default: 7, min: 3, unique: true }
            #                 ^ malformed-type
                  d: [Product]
            #         ^ unknown-type: 'Product' is an entity
            """
        expectDiagnostics(text.replacing("[mood?]", with: "[Moood]").replacing("malformed-type", with: "unknown-type"))
        let diagnostics = readSchemas([
            SchemaSource(path: "a.yaml", bytes: Array(text.replacing("mood?", with: "mood").utf8))
        ]).diagnostics
        #expect(
            diagnostics.map(\.remedy) == [
                "Did you mean 'string'?", "Did you mean 'Mood'?",
                "Make it a relationship: 'd: [Product]' under 'relationships:'.",
            ])
    }

    @Test("a default has its attribute's type")
    func wrongDefaults() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            types: { Money: { stored: decimal } }
            entities:
              Product:
                attributes:
                  id: int
                  a: { type: int, default: one }
            #                              ^ wrong-default: The default of 'a' is not of its type 'int'
                  b: { type: int, default: "1" }
            #                              ^ wrong-default
                  c: { type: int, default: 1.5 }
            #                              ^ wrong-default
                  d: { type: int16, default: 32768 }
            #                                ^ wrong-default
                  e: { type: int32, default: -2147483649 }
            #                                ^ wrong-default
                  f: { type: int, default: 9223372036854775808 }
            #                              ^ wrong-default
                  g: { type: bool, default: yes }
            #                               ^ wrong-default
                  h: { type: double, default: 1e999 }
            #                                 ^ wrong-default
                  i: { type: float, default: 1e39 }
            #                                ^ wrong-default
                  j: { type: decimal, default: 123456789012345678901234567890123456789 }
            #                                  ^ wrong-default
                  k: { type: date, default: 2023-02-29 }
            #                               ^ wrong-default
                  l: { type: uuid, default: 6ba7b810 }
            #                               ^ wrong-default
                  m: { type: url, default: "a b" }
            #                              ^ wrong-default
                  n: { type: data, default: "a" }
            #                               ^ wrong-default
                  o: { type: json, default: '{"a":}' }
            #                               ^ wrong-default
                  p: { type: [int], default: 1 }
            #                                ^ wrong-default
                  q: { type: [int], default: [1, two] }
            #                                    ^ wrong-default
                  r: { type: string, default: [a] }
            #                                 ^ wrong-default
                  s: { type: string, default: null }
            #                                 ^ wrong-default
                  t: { type: Money, default: free }
            #                                ^ wrong-default
                  u: { type: string, default: now }
                  v: { type: string?, default: null }
            """)
    }

    @Test("a default is a case of its enum, not its raw value")
    func cases() {
        let text = """
            lockstep: 1
            schema: Shop
            enums:
              Size: { small: S, large: L }
            # ^ note: 'Size' is declared here
              Level: { type: int, cases: { low: 0, high: 10 } }
            entities:
              Product:
                attributes:
                  id: int
                  a: { type: Size, default: smal }
            #                               ^ unknown-case: 'Size' has no case 'smal'
                  b: { type: Size, default: L }
            #                               ^ unknown-case
                  c: { type: [Level], default: [low, 10] }
            #                                        ^ unknown-case
                  d: { type: Size, default: huge }
            #                               ^ unknown-case
                  e: { type: Size, default: [small] }
            #                               ^ wrong-default
            """
        expectDiagnostics(text)
        let diagnostics = readSchemas([SchemaSource(path: "a.yaml", bytes: Array(text.utf8))]).diagnostics
        #expect(
            diagnostics.prefix(4).map(\.remedy) == [
                "Did you mean 'small'?", "Use the name of the case, not its raw value: 'large'.",
                "Use the name of the case, not its raw value: 'high'.", "Write 'small' or 'large'.",
            ])
    }

    @Test("a default is within the limits")
    func limits() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            types: { Money: { stored: decimal } }
            entities:
              Product:
                attributes:
                  id: int
                  a: { type: int, min: 1, default: 0 }
            #                                      ^ default-outside-limits: The default of 'a' is less than the minimum 1
                  b: { type: Money, max: 0.30, default: 0.300000000000000000000000000001 }
            #                                           ^ default-outside-limits: greater than the maximum 0.30
                  c: { type: double, max: 1, default: 1.5 }
            #                                         ^ default-outside-limits
                  d: { type: string, maxLength: 3, default: abcd }
            #                                               ^ default-outside-limits: 3 letters
                  e: { type: [string], minLength: 1, default: [] }
            #                                                 ^ default-outside-limits: 1 values
                  f: { type: data, minLength: 4, default: AAAA }
            #                                             ^ default-outside-limits: 4 bytes
                  g: { type: string, maxLength: 3, default: äöü }
                  h: { type: decimal, min: -1e2, max: 0.30, default: 0.3000 }
            """)
    }

    @Test("limits fit the type, are values of it, and allow some values")
    func limitsThemselves() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes:
                  id: int
                  a: { type: string, min: 1 }
            #                             ^ limit-does-not-fit: 'min' is for numbers, but 'a' is 'string'
                  b: { type: int, maxLength: 1 }
            #                                ^ limit-does-not-fit: strings, data and lists
                  c: { type: [int], max: 1 }
            #                            ^ limit-does-not-fit: '[int]'
                  d: { type: date, min: 1 }
            #                           ^ limit-does-not-fit
                  e: { type: int, min: 0.5 }
            #                          ^ wrong-limit: 0.5
                  f: { type: int16, max: 40000 }
            #                            ^ wrong-limit: 40000
                  g: { type: int, min: 5, max: 1 }
            #                          ^ limits-crossed: 'min' (5) is greater than 'max' (1)
            #                                  ^ note: 'max' is here
                  h: { type: string, minLength: 5, maxLength: 1 }
            #                                   ^ limits-crossed
                  i: { type: decimal, min: 0.1, max: 0.10 }
            """)
    }

    @Test("wire formats fit the type")
    func wire() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            wire: { dates: "yyyy-bb" }
            entities:
              Product:
                attributes:
                  id: int
                  a: { type: string, wire: string }
            #                              ^ wire-does-not-fit: 'a' is 'string'
                  b: { type: [int], wire: string }
            #                             ^ wire-does-not-fit
                  c: { type: int, wire: millisecondsSince1970 }
            #                           ^ wire-does-not-fit: date format
                  d: { type: bool, wire: "yyyy" }
            #                            ^ wire-does-not-fit: 'yyyy' could only be a date pattern
                  e: { type: date, wire: "yyyy'T" }
            #                            ^ bad-date-pattern: quote
                  f: { type: date, wire: "--" }
            #                            ^ bad-date-pattern: no field
                  g: { type: date, wire: "iota" }
            #                            ^ bad-date-pattern: 'i'
                  slip1: { type: date, wire: "YYYY-MM-dd" }
            #                                ^ bad-date-pattern: week-based year
                  slip2: { type: date, wire: "yyyy-MM-DD" }
            #                                ^ bad-date-pattern: day of the year
                  slip3: { type: date, wire: "yyyy-mm-dd" }
            #                                ^ bad-date-pattern: use 'M' for the month
                  slip4: { type: date, wire: "HH:mm" }
            #                                ^ bad-date-pattern: no year
                  week: { type: date, wire: "YYYY-'W'ww-e" }
                  h: { type: [date], wire: secondsSince1970 }
                  i: { type: bool, wire: string }
                  j: { type: date, wire: "yyyy-MM-dd'T'HH:mm:ss.SSSZ" }
            """)
    }

    @Test("options do not contradict each other")
    func options() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes:
                  id: int
                  a: { type: [string], unique: true }
            #                                  ^ option-does-not-fit: 'unique'
                  b: { type: json, indexed: true }
            #                               ^ option-does-not-fit: 'indexed'
                  c: { type: string?, attachment: true }
            #                                     ^ option-does-not-fit: 'attachment'
                  d: { type: data?, attachment: true, key: dd, default: AAAA, unique: true }
            #                                                           ^ option-does-not-fit: 'default'
            #                                                                         ^ option-does-not-fit: 'unique'
                  e: { type: int?, transient: true, key: ee, column: eee, unique: true, wire: string }
            #                                            ^ option-does-not-fit: 'key'
            #                                                        ^ option-does-not-fit: 'column'
            #                                                                     ^ option-does-not-fit: 'unique'
            #                                                                                 ^ option-does-not-fit: 'wire'
                  f: { type: int?, wire: none, key: ff }
            #                                       ^ option-does-not-fit: is not sent
                  g: { type: [string], unique: false, indexed: false }
                  h: { type: data?, attachment: true, wire: none, key: hh }
            #                                                          ^ option-does-not-fit: is not sent
                  i: { type: data?, attachment: true, key: [photo, file] }
            """)
    }

    @Test("what only the server sets is in JSON, and is not the identity")
    func readOnly() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes:
                  id: int
                  a: { type: int?, readOnly: true }
                  b: { type: int?, readOnly: false, wire: none }
                  c: { type: int?, wire: none, readOnly: true }
            #                                            ^ option-does-not-fit: 'c' is not in JSON ('wire: none')
                  d: { type: int?, transient: true, readOnly: true }
            #                                                 ^ option-does-not-fit: 'd' is transient
              Other:
                attributes: { id: { type: int, readOnly: true } }
            #                                            ^ option-does-not-fit: 'id' is the identity of 'Other'
            """)
    }

    @Test("an attribute that is not sent has a default")
    func missingDefault() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes:
                  id: { type: uuid, wire: none }
                  a: { type: int, transient: true }
            #     ^ missing-default: 'a' is transient
                  b: { type: int, wire: none }
            #     ^ missing-default: 'b' is not sent
                  c: { type: data, attachment: true }
            #                ^ missing-default: attachment
                  d: { type: int, transient: true, default: 0 }
            """)
    }

    @Test("a former name is not used by another member")
    func renamed() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes:
                  id: int
                  code: string
            #     ^ note: 'code' is declared here
                  sku: { type: string, renamedFrom: code }
            #                                       ^ renamed-from-existing: still exists
                  a: { type: string, renamedFrom: old }
            #                                     ^ note: The other is here
                  b: { type: string, renamedFrom: old }
            #                                     ^ renamed-from-existing: another attribute
            """)
    }

    @Test("former names of entities, relationships and cases are not in use, either")
    func renamedOthers() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            enums:
              Size: { cases: { small: S, tiny: { value: T, renamedFrom: small } } }
            #                                                           ^ renamed-from-existing: 'tiny' cannot be renamed
            entities:
              Product:
                renamedFrom: Maker
            #                ^ renamed-from-existing: 'Product' cannot be renamed from 'Maker'
                attributes: { id: int, size: Size }
                relationships:
                  maker: { to: Maker?, renamedFrom: old }
            #                                       ^ note: The other is here
                  owner: { to: Maker?, renamedFrom: old }
            #                                       ^ renamed-from-existing: so is another relationship
              Maker:
                attributes: { id: int }
            """)
    }
}
