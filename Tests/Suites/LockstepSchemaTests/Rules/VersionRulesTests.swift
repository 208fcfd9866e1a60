import Testing

@testable import LockstepSchema

@Suite("Rules of versions")
struct VersionRulesTests {
    @Test("a version is an attribute of the entity")
    func unknown() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              A:
                version: lockVersion
            #            ^ unknown-version-attribute: 'A' has no attribute 'lockVersion' for its version
                attributes: { id: int, lock_version: int? }
                relationships: { one: { to: B?, inverse: many }, others: { to: [B], inverse: other } }
              B:
                version: many
            #            ^ unknown-version-attribute: 'many' is a to-many relationship, but a version must be an attribute
                attributes: { id: int }
                relationships:
                  many: { to: [A], inverse: one }
                  other: { to: A?, inverse: others }
              C:
                version: next
            #            ^ unknown-version-attribute: 'next' is a to-one relationship
                attributes: { id: int }
                relationships: { next: C? }
            """)
    }

    @Test("a version is a number, a text or a date that is sent")
    func unsuitable() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            enums:
              Mood: [sad, happy]
            entities:
              A:
                version: tags
            #            ^ note: The version is set here
                attributes: { id: int, tags: "[int]?" }
            #                                  ^ unsuitable-version: 'tags' cannot be the version of 'A': it is of the type '[int]?'
              B:
                version: mood
            #            ^ note: The version is set here
                attributes: { id: int, mood: Mood? }
            #                                ^ unsuitable-version: it is of the type 'Mood?'
              C:
                version: draft
            #            ^ note: The version is set here
                attributes: { id: int, draft: { type: int, transient: true, default: 0 } }
            #                                         ^ unsuitable-version: it is transient, and not stored
              D:
                version: own
            #            ^ note: The version is set here
                attributes: { id: int, own: { type: int?, wire: none } }
            #                                       ^ unsuitable-version: it is not sent
              E:
                version: lock
            #            ^ note: It is the version here
                attributes: { id: int, lock: int }
            #                                ^ unsuitable-version: 'lock' is set by the server, so it cannot be required
              F:
                version: id
            #            ^ unsuitable-version: 'id' is the identity of 'F', but a version changes with each write
                attributes: { id: int }
              G:
                identity: { local: localID, remote: remoteID }
                version: remoteID
            #            ^ unsuitable-version: 'remoteID' is the identity of 'G'
                attributes: { localID: uuid, remoteID: int? }
            """)
    }

    @Test("an entity that is never written by itself needs no version")
    func useless() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              A:
                version: lock
            #            ^ unsuitable-version: 'A' cannot have a version: its records stay on the device
                attributes: { id: int, lock: int? }
                remote: none
              B:
                identity: none
                version: lock
            #            ^ unsuitable-version: 'B' cannot have a version: its records have no identity
                attributes: { lock: int? }
            """)
    }

    @Test("a version is inherited, and useless if nothing is written")
    func inherited() throws {
        let schema = try resolved(
            """
              Locked: { abstract: true, version: lock, attributes: { id: int, lock: { type: int, default: 0 } } }
              Dated: { abstract: true, attributes: { changedAt: date?, revision: string? } }
              A: { extends: Locked }
              B: { extends: [Locked, Dated], version: changedAt }
              C: { extends: Locked, remote: none }
              D: { extends: Dated, version: revision, attributes: { id: int } }
            """)
        #expect(schema.entities.map(\.version) == ["lock", "changedAt", nil, "revision"])
    }

    @Test("an invalid version is reported with a remedy")
    func remedies() {
        let text = """
            lockstep: 1
            schema: Shop
            entities:
              A: { version: lockVersion, attributes: { id: int, lock_version: int? } }
              B: { version: lock, attributes: { id: int, lock: int } }
            """
        let diagnostics = readSchemas([SchemaSource(path: "a.yaml", bytes: Array(text.utf8))]).diagnostics
        #expect(
            diagnostics.map(\.remedy) == ["Did you mean 'lock_version'?", "Write 'int?', or give it a default."])
    }
}
