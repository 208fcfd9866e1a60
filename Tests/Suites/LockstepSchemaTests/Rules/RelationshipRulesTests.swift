import Testing

@testable import LockstepSchema

@Suite("Rules of relationships")
struct RelationshipRulesTests {
    @Test("a destination is an entity of the schema")
    func destinations() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            enums: { Mood: [sad] }
            entities:
              Product:
                attributes: { id: int }
                relationships:
                  a: Prodct?
            #        ^ unknown-entity: There is no entity 'Prodct'
                  b: { to: [Mood], inverse: x, ordered: true }
            #               ^ unknown-entity: 'Mood' is a type
            """)
    }

    @Test("to one, whole records are not under the key of the identity; to many, they can be")
    func oneKeyForBoth() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Basket:
                attributes: { id: int }
                relationships:
                  item: { to: Item?, key: item, embeddedKey: item }
            #                                                ^ relationship-option: the identity of 'item' has the same
                  gift: { to: Item?, embeddedKey: giftID }
            #                                     ^ relationship-option: the identity of 'gift' has the same key
                  card: { to: Item?, key: card }
                  items: { to: [Item], wire: ids, key: items, embeddedKey: items }
              Item:
                attributes: { id: int }
            """)
    }

    @Test("a wrong value of one option does not hide what is wrong with the others")
    func wrongOption() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Library
            entities:
              Author:
                attributes: { id: int }
                relationships:
                  books: { to: [Book], inverse: writer, onDelete: destroy }
            #                                   ^ unknown-inverse: 'Book' has no relationship 'writer'
            #                                                     ^ not-allowed: 'destroy' is not a value of 'onDelete'
              Book:
                attributes: { id: int }
                relationships: { author: Author? }
            """)
    }

    @Test("an order that no other device gets is reported, unless the schema says so")
    func orderNotSent() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Basket:
                attributes: { id: int }
                relationships:
                  a: { to: [Item], inverse: a, ordered: true }
            #                                           ^ order-not-sent: The order of 'a' stays on the device
                  b: { to: [Item], inverse: b, ordered: true, wire: none }
                  c: { to: [Item], inverse: c, ordered: true, wire: ids }
                  d: { to: [Item], inverse: d, ordered: true, wire: embedded }
                  e: { to: [Item], ordered: true }
                  f: { to: [Item], inverse: f, ordered: true }
                  g: { to: [Pin], inverse: g, ordered: true }
                  h: { to: [Place], inverse: h, ordered: true }
            #                                            ^ order-not-sent: The order of 'h' stays on the device
                  i: { to: [Item], inverse: i }
                  j: { to: [Item], inverse: j, ordered: false }
              Item:
                attributes: { id: int }
                relationships:
                  a: { to: Basket?, inverse: a }
                  b: { to: Basket?, inverse: b }
                  c: { to: Basket?, inverse: c }
                  d: { to: Basket?, inverse: d }
                  f: { to: [Basket], inverse: f }
                  i: { to: Basket?, inverse: i }
                  j: { to: Basket?, inverse: j }
              Place:
                identity: [x, y]
                attributes: { x: int, y: int }
                relationships: { h: { to: [Basket], inverse: h } }
              Pin:
                attributes: { id: int }
                relationships:
                  g: { to: Basket?, inverse: g }
                  pages: { to: [Sheet], inverse: pin, ordered: true }
                remote: none
              Sheet:
                attributes: { id: int }
                relationships: { pin: { to: Pin?, inverse: pages } }
            """)
    }

    @Test("Rails adds records without identity again: a list of nested attributes needs one")
    func nestedAttributes() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Order:
                attributes: { id: int }
                relationships:
                  lines: { to: [Line], wire: embedded, key: lines_attributes }
            #                                               ^ nested-without-identity: 'Line' has no identity
                  notes: { to: [Note], wire: embedded, key: [data, notes_attributes] }
                  texts: { to: [Text], wire: embedded, key: texts }
              Line:
                identity: none
                attributes: { text: string }
              Note:
                attributes: { id: int }
              Text:
                identity: none
                attributes: { text: string }
            """)
    }

    @Test("a second key is for the form that is not sent, has a place of its own, and needs one identity to list")
    func otherKeys() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Basket:
                attributes: { id: int, name: { type: string, key: items } }
                relationships:
                  a: { to: [Item], wire: embedded, embeddedKey: b }
            #                                                   ^ relationship-option: 'embeddedKey' is not allowed here
                  c: { to: [Item], wire: ids, idsKey: d }
            #                                         ^ relationship-option: 'idsKey' is not allowed here
                  e: { to: Item?, wire: embedded, idsKey: f }
            #                                             ^ relationship-option: 'idsKey' is not allowed here
                  g: { to: [Pair], wire: embedded, idsKey: h }
            #                                              ^ relationship-option: 'idsKey' is not allowed here
                  i: { to: [Scrap], wire: embedded, idsKey: j }
            #                                               ^ relationship-option: 'idsKey' is not allowed here
                  k: { to: [Item], wire: none, inverse: basket, embeddedKey: l }
            #                                                                ^ relationship-option: 'embeddedKey' is
                  m: { to: [Item], wire: ids, embeddedKey: items }
            #     ^ key-clash: The JSON key 'items' of 'Basket' would be used for attribute 'name'
              Item:
                attributes: { id: int }
                relationships: { basket: Basket? }
              Pair:
                identity: [a, b]
                attributes: { a: int, b: int }
              Scrap:
                identity: none
                attributes: { a: int }
            """)
    }

    @Test("an inverse exists, and a broken pair is reported at one end")
    func unknownInverse() {
        let text = """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships:
                  reviews: { to: [Review], inverse: prduct }
            #                                       ^ unknown-inverse: 'Review' has no relationship 'prduct'
              Review:
            # ^ note: 'Review' is declared here
                attributes: { id: int }
                relationships:
                  product: { to: Product?, inverse: reviews }
            """
        expectDiagnostics(text)
        let diagnostics = readSchemas([SchemaSource(path: "a.yaml", bytes: Array(text.utf8))]).diagnostics
        #expect(diagnostics.map(\.remedy) == ["Did you mean 'product'?"])
    }

    @Test("an inverse leads back to this relationship only, and is a different one")
    func inverses() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships:
                  a: { to: [Review], inverse: author }
            #                                 ^ inverse-elsewhere: 'Review.author' has the destination 'User'
                  b: { to: [Review], inverse: product }
            #                                 ^ note: First used here
                  c: { to: [Review], inverse: product }
            #                                 ^ inverse-claimed-twice: 'product' is already the inverse of 'Product.b'
                  d: { to: Review?, inverse: other }
            #                                ^ inverse-elsewhere: names 'e' as its inverse, not 'd'
                  e: { to: Review?, inverse: other }
                  f: { to: Product, inverse: f }
            #                                ^ inverse-of-itself: 'f' is required
                  g: { to: [Product], inverse: g }
                  h: { to: [Product], inverse: h, wire: embedded }
            #                                           ^ embedding-cycle: 'h' is its own inverse
                  i: { to: Product?, inverse: i, wire: embedded }
            #                                          ^ embedding-cycle: 'i' is its own inverse
                  j: { to: Product?, inverse: j, column: j_id, holdsKey: true }
            #                                            ^ relationship-option: 'j' are stored in a table of its own
            #                                                            ^ relationship-option: 'j' are stored in a table
              Review:
                attributes: { id: int }
                relationships:
                  author: User?
                  product: Product?
                  other: { to: Product?, inverse: e }
              User:
                attributes: { id: int }
            """)
    }

    @Test("one of two to-one relationships holds the key, and the required one if there is one")
    func keyHolder() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              A:
                attributes: { id: int }
                relationships:
                  both: { to: B?, inverse: both, holdsKey: true }
                  neither: { to: B?, inverse: neither, holdsKey: false }
                  required: { to: B, inverse: required }
                  many: { to: [B], inverse: one, holdsKey: true }
            #                                              ^ relationship-option: 'many' is a to-many relationship
                  alone: { to: B?, holdsKey: true }
            #                                ^ relationship-option: 'alone' has no inverse that is a to-one relationship
              B:
                attributes: { id: int }
                relationships:
                  both: { to: A?, inverse: both, holdsKey: true }
            #                                              ^ relationship-option: one end has the key
                  neither: { to: A?, inverse: neither, holdsKey: false }
            #                                                    ^ relationship-option: one of the two ends has the key
                  required: { to: A?, inverse: required, holdsKey: true }
            #                                                      ^ relationship-option: 'A.required' is required
                  one: { to: A?, inverse: many, holdsKey: true }
            #                                             ^ relationship-option: 'one' has no inverse
            """)
    }

    @Test("table is for relationships that are to-many at both ends, which have one table with a name of its own")
    func table() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              A:
                attributes: { id: int }
                relationships:
                  bs: { to: [B], inverse: as, table: links }
                  same: { to: [B], inverse: same, table: both }
                  other: { to: [B], inverse: other, table: left }
                  one: { to: B?, inverse: many, table: ones }
            #                                          ^ relationship-option: the links of 'one' are stored in 'A'
                  clash: { to: [B], inverse: clash, table: B }
            #                                              ^ table-clash: would be used for 'B' and 'A.clash'
                  taken: { to: [B], inverse: taken, table: Links }
            #                                              ^ table-clash: would be used for 'A.bs' and 'A.taken'
                  mine: { to: [B], inverse: mine, table: lockstep_b }
            #                                            ^ reserved-table: begins with 'lockstep_'
              B:
                attributes: { id: int }
                relationships:
                  as: { to: [A], inverse: bs }
                  same: { to: [A], inverse: same, table: both }
                  other: { to: [A], inverse: other, table: right }
            #                                              ^ relationship-option: both ends have one table
                  many: { to: [A], inverse: one, table: manys }
            #                                           ^ relationship-option: the links of 'many' are stored in 'A'
                  clash: { to: [A], inverse: clash }
                  taken: { to: [A], inverse: taken }
                  mine: { to: [A], inverse: mine }
            """)
    }

    @Test("unlisted is for embedded records with one owner")
    func unlisted() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              A:
                attributes: { id: int }
                relationships:
                  list: { to: [B], inverse: owner, wire: embedded, unlisted: unlink }
                  one: { to: B?, inverse: other, wire: embedded, holdsKey: true, unlisted: delete }
                  ids: { to: [B], unlisted: delete, wire: ids }
            #                               ^ relationship-option: the records of 'ids' are not embedded
                  many: { to: [B], inverse: many, wire: embedded, unlisted: unlink }
            #                                                               ^ relationship-option: can have other owners
                  shared: { to: B?, wire: embedded, unlisted: delete }
            #                                                 ^ relationship-option: a record of 'shared' can have other
                  shown: { to: B?, inverse: shownIn, wire: embedded, unlisted: delete }
            #                                                                  ^ relationship-option: a record of 'shown'
              B:
                attributes: { id: int }
                relationships:
                  owner: { to: A?, inverse: list, wire: none }
                  other: { to: A?, inverse: one, wire: none }
                  many: { to: [A], inverse: many, wire: none }
                  shownIn: { to: [A], inverse: shown, wire: none }
            """)
    }

    @Test("required relationships do not form a cycle")
    func requiredCycle() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              A:
                attributes: { id: int }
                relationships:
                  b: B
            #     ^ required-cycle: A.b → B.c → C.a → A
                  self: A
            #     ^ required-cycle: A.self → A
              B:
                attributes: { id: int }
                relationships:
                  c: { to: C, onDelete: cascade }
            #     ^ note: 'c' is required here
                  optional: A?
              C:
                attributes: { id: int }
                relationships: { a: A }
              D:
                attributes: { id: int }
                relationships: { e: { to: E, inverse: d } }
            #                    ^ required-cycle: D.e → E.d → D
              E:
                attributes: { id: int }
                relationships: { d: D, a: A }
            """)
    }

    @Test("a required to-one is not nullified")
    func requiredNullified() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships:
                  reviews: { to: [Review], inverse: product, onDelete: nullify }
            #                                                          ^ required-nullified: 'Review.product'
              Review:
                attributes: { id: int }
                relationships:
                  product: { to: Product, onDelete: nullify }
            #     ^ note: 'product' is required here
            """)
    }

    @Test("a destination has an identity")
    func identity() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships:
                  log: Log?
            #          ^ destination-without-identity: The destination of 'log', 'Log',
                  logs: [Log]
                  tags: { to: [Tag], inverse: products }
            #                  ^ destination-without-identity: 'tags'
                  more: { to: [Log], wire: ids }
            #                  ^ destination-without-identity: 'more'
              Log:
            # ^ note: 'Log' has no identity
                attributes: { text: string }
                relationships:
                  lines: [Product]
            #     ^ missing-inverse
            #     ^ destination-without-identity: The records in 'lines' could not refer to 'Log'
              Tag:
                identity: none
            #             ^ note: 'Tag' has no identity
                attributes: { id: int }
                relationships: { products: [Product] }
            """)
    }

    @Test(
        "a record that embeds itself, and is embedded by its inverse, is reported once, in any order",
        arguments: [true, false])
    func embeddedInItself(isParentFirst: Bool) {
        let parent = """
                  parent: { to: Item?, wire: embedded, inverse: children }
            #                                ^ embedding-cycle: Item.parent → Item
            """
        let children = "      children: { to: [Item], wire: embedded }"
        let start = "lockstep: 1\nschema: Tasks\nentities:\n  Item:\n    attributes: { id: uuid }\n    relationships:\n"
        expectDiagnostics(start + (isParentFirst ? [parent, children] : [children, parent]).joined(separator: "\n"))
    }

    @Test("embedded records do not embed each other without end")
    func embedding() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Tasks
            entities:
              Item:
                attributes: { id: uuid }
                relationships:
                  parent: { to: Item?, wire: embedded, inverse: children }
            #                                ^ embedding-cycle: Item.parent → Item
                  children: { to: [Item] }
                  list: { to: List?, wire: embedded, inverse: items }
            #                              ^ embedding-cycle: 'list' and its inverse 'items' are both embedded
                  owner: { to: Owner?, wire: embedded }
            #                                ^ embedding-cycle: Item.owner → Owner.first → Item
              List:
                attributes: { id: uuid }
                relationships: { items: { to: [Item], wire: embedded } }
            #                                               ^ note: 'items' is embedded here
              Owner:
                attributes: { id: uuid }
                relationships: { first: { to: Item?, wire: embedded } }
              Tree:
                attributes: { id: uuid }
                relationships: { branches: [Tree] }
            """)
    }

    @Test("options fit the kind of relationship")
    func options() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships:
                  a: { to: Product?, ordered: true }
            #                                 ^ relationship-option: 'ordered'
                  b: { to: Product?, sortedBy: id }
            #                                  ^ relationship-option: 'sortedBy'
                  c: { to: Product?, wire: ids }
            #                              ^ relationship-option: 'wire: ids'
                  d: { to: [Review], wire: id, column: dd }
            #                              ^ relationship-option: 'wire: id'
            #                                          ^ relationship-option: 'column' is not allowed here: the links of 'd' are stored in 'Review'
                  e: { to: [Review], ordered: true, sortedBy: id }
            #                                 ^ note: It is ordered here
            #                                                 ^ relationship-option: 'sortedBy'
                  f: { to: [Review], inverse: product, key: ff }
            #                                               ^ relationship-option: 'f' is not sent
                  g: { to: Pair?, key: gg, column: ggg }
            #                          ^ relationship-option: the identity of 'Pair' has 2 attributes
            #                                      ^ relationship-option: the identity of 'Pair' has 2 attributes
              Review:
                attributes: { id: int }
                relationships: { product: Product? }
              Pair:
                identity: [left, right]
                attributes: { left: int, right: int }
            """)
    }

    @Test("a to-many is sorted by stored attributes of its destination")
    func sorting() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships:
                  a: { to: [Review], sortedBy: [writenAt, -text, -nothing] }
            #                                   ^ unknown-sort-attribute: 'writenAt'
            #                                                    ^ unknown-sort-attribute: 'nothing'
                  b: { to: [Review], sortedBy: author }
            #                                  ^ unknown-sort-attribute: 'author' is a relationship
                  c: { to: [Review], sortedBy: [tags, shown, id, -id] }
            #                                   ^ unsuitable-member: 'tags': it is a list
            #                                         ^ unsuitable-member: transient
            #                                                    ^ repeated-member: 'id' is listed twice in sortedBy
              Review:
                attributes:
                  { id: int, writtenAt: date, text: string, tags: [string], shown: { type: bool?, transient: true } }
                relationships: { author: Product? }
            """)
    }
}
