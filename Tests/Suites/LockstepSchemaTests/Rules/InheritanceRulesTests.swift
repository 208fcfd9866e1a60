import Testing

@testable import LockstepSchema

@Suite("Rules of inheritance")
struct InheritanceRulesTests {
    @Test("a base entity exists, is abstract and does not form a cycle")
    func extends() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Journal
            entities:
              Item:
                abstract: true
                extends: Rcord
            #            ^ unknown-entity: 'Rcord'
                attributes: { id: uuid }
              Record:
                abstract: true
              Entry:
                extends: [Item, Page, Item]
            #                   ^ extends-concrete: 'Page', which is not abstract
            #                         ^ repeated-member: 'Item' is listed twice in extends
              Page:
            # ^ note: 'Page' is declared here
                attributes: { id: uuid }
              A:
                abstract: true
                extends: B
            #            ^ extends-loop: A → B → C → A
              B:
                abstract: true
                extends: [C]
            #             ^ note: 'B' extends here
              C:
                abstract: true
                extends: A
              D:
                extends: A
                attributes: { id: uuid }
              Self:
                abstract: true
                extends: Self
            #            ^ extends-loop: Self → Self
            """)
    }

    @Test("an inheritance chain has at most 64 entities")
    func depth() {
        let chain = (1...80).map { "  E\($0): { abstract: true, extends: E\($0 + 1) }" }.joined(separator: "\n")
        let text = "lockstep: 1\nschema: S\nentities:\n" + chain + "\n  E81: { abstract: true }"
        let diagnostics = readSchemas([SchemaSource(path: "a.yaml", bytes: Array(text.utf8))]).diagnostics
        #expect(diagnostics.count == 16)
        #expect(diagnostics.allSatisfy { $0.code == .extendsLoop })
    }

    @Test("an override keeps the type")
    func overrides() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Journal
            entities:
              Item:
                abstract: true
                attributes: { id: uuid, title: string, note: string, size: int }
            #                                  ^ note: 'title' is inherited from here
                relationships: { next: Entry? }
              Other:
                abstract: true
                attributes: { size: double }
            #                       ^ note: And from here
              Entry:
                extends: Item
                attributes: { title: string?, note: { type: string, default: "" } }
            #                        ^ override-differs: 'title' is 'string?' here, but 'string' in 'Item'
                relationships: { next: [Entry] }
            #                           ^ override-differs: '[Entry]' here, but 'Entry?'
              Page:
            # ^ override-differs: 'Page' inherits 'size' as 'int' and as 'double'
                extends: [Item, Other]
            """)
    }

    @Test("abstract entities cannot be destinations, and have no table and no path")
    func abstract() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Journal
            entities:
              Item:
            # ^ note: 'Item' is declared here
                abstract: true
                table: item
            #          ^ abstract-option: 'table'
                attributes: { id: uuid }
                relationships: { other: Item? }
            #                           ^ abstract-destination: The destination of 'other', 'Item',
                remote: { path: /items, write: [], wrap: item }
            #                   ^ abstract-option: 'path'
            #                                            ^ abstract-option: 'wrap'
              Entry:
                extends: Item
                relationships: { items: { to: [Item], sortedBy: id } }
            #                                  ^ abstract-destination: 'items'
            """)
    }

    @Test("an inherited mistake is reported once, in its declaration")
    func once() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Journal
            entities:
              Item:
                abstract: true
                attributes: { id: uuid, a: strng, b: int, B: int }
            #                              ^ unknown-type
            #                                             ^ column-clash
                relationships: { tag: { to: Tag?, inverse: nothing } }
            #                                              ^ unknown-inverse
              Entry: { extends: Item }
              Page: { extends: Item }
              Tag: { attributes: { id: uuid } }
            """)
    }
}
