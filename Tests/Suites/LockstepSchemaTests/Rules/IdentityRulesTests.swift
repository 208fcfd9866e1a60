import Testing

@testable import LockstepSchema

@Suite("Rules of identities and indexes")
struct IdentityRulesTests {
    @Test("an identity names attributes, each once")
    func unknown() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              A:
                identity: identifer
            #             ^ unknown-identity-attribute: 'A' has no attribute 'identifer'
                attributes: { identifier: uuid }
                relationships: { b: B?, bs: [B] }
            #                           ^ missing-inverse
              B:
                identity: [a, a, c]
            #                 ^ repeated-member: 'a' is listed twice in identity
            #                    ^ unknown-identity-attribute: 'c' is a relationship
                attributes: { a: int }
                relationships: { c: A? }
              C:
                identity: { local: here, remote: there }
            #                      ^ unknown-identity-attribute: 'here'
            #                                    ^ unknown-identity-attribute: 'there'
                attributes: { a: int }
            """)
    }

    @Test("an identity is required")
    func optional() {
        let text = """
            lockstep: 1
            schema: Shop
            entities:
              A:
                attributes: { id: "int?" }
            #                      ^ optional-identity: 'id' is the identity of 'A'
              B:
                identity: [a, b]
            #             ^ note: The identity is set here
                attributes: { a: int, b: int? }
            #                            ^ optional-identity: 'b'
            """
        expectDiagnostics(text)
        let diagnostics = readSchemas([SchemaSource(path: "a.yaml", bytes: Array(text.utf8))]).diagnostics
        #expect(diagnostics[0].remedy == "Write 'int', or 'identity: none' if it does not identify a record.")
    }

    @Test("an identity has a type that SQL can look up")
    func unsuitable() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              A:
                attributes: { id: [int] }
            #                      ^ unsuitable-identity: a list
              B:
                identity: key
                attributes: { key: json }
            #                      ^ unsuitable-identity: JSON
              C:
                identity: key
                attributes: { key: { type: int, transient: true, default: 0 } }
            #                              ^ unsuitable-identity: transient
            """)
    }

    @Test("local and remote identities can each be generated on their side")
    func localAndRemote() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              A:
                identity: { local: localID, remote: remoteID }
            #                      ^ note: It is the local identity here
            #                                       ^ note: It is the remote identity here
                attributes: { localID: int, remoteID: int }
            #                          ^ unsuitable-local-identity: 'localID' is made on the device
            #                                         ^ unsuitable-local-identity: 'remoteID' is made by the server
              B:
                identity: { local: localID, remote: localID }
            #                                       ^ unsuitable-local-identity: both
                attributes: { localID: uuid }
              C:
                identity: { local: localID, remote: remoteID }
                attributes: { localID: "uuid?", remoteID: [int] }
            #                           ^ optional-identity
            #                                              ^ unsuitable-identity: a list
            #                                              ^ unsuitable-local-identity
            """)
    }

    @Test("an attribute `id` that is not the identity does not have its type")
    func idNotIdentity() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Numbered:
                abstract: true
                attributes: { id: string }
            #                 ^ id-not-identity: 'id' is not the identity of 'Book'
              Book:
                extends: Numbered
                identity: isbn
                attributes: { isbn: string }
              Atlas:
                extends: Numbered
                identity: isbn
                attributes: { isbn: string }
              Line:
                identity: none
                attributes: { id: int64 }
            #                 ^ id-not-identity: 'id' is not the identity of 'Line', but lists would identify rows by it
              Draft:
                identity: { local: localID, remote: id }
                attributes: { localID: uuid, id: uuid? }
              Parcel:
                identity: [id, land]
                attributes: { id: int, land: string }
              Number:
                identity: number
                attributes: { number: int, id: string }
            """)
    }

    @Test("an index covers stored attributes and to-ones that hold the key")
    func indexes() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              A:
                attributes: { id: int, title: string, tags: [string] }
                relationships: { one: A?, many: [A], back: { to: B?, inverse: a } }
                indexes:
                  - [titel]
            #        ^ unknown-index-member: 'titel'
                  - [tags, one, many]
            #        ^ unsuitable-member: 'tags': it is a list
            #                   ^ unsuitable-member: to-many
                  - [title, title]
            #               ^ repeated-member: the index
                  - [back]
            #        ^ unsuitable-member: stored at the other end, 'B'
              B:
                attributes: { id: int }
                relationships: { a: A }
            """)
    }
}
