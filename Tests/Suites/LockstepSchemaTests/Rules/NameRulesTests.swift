import Testing

@testable import LockstepSchema

@Suite("Rules of names")
struct NameRulesTests {
    @Test("names are identifiers")
    func identifiers() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: My-Shop
            #       ^ not-an-identifier: the name of a schema
            enums:
              Mood: [so so, "it's"]
              #      ^ not-an-identifier: 'so so' cannot be the name of a case
              #             ^ not-an-identifier: case
              "A B": [a]
            # ^ not-an-identifier: the name of an enum
            types:
              Money!: { stored: decimal, module: My Module }
            # ^ not-an-identifier: 'Money!' cannot be the name of a type
            #                                    ^ not-an-identifier: module
            entities:
              Pro"duct:
            # ^ not-an-identifier: entity
                attributes: { id: int, 1st: string }
            #                          ^ not-an-identifier: attribute
                relationships: { next.one: Entry? }
            #                    ^ not-an-identifier: relationship
              Entry:
                attributes: { id: int }
            """)
    }

    @Test("a public type does not have the name of one that apps import", arguments: ["public", "package", "internal"])
    func ambiguousTypes(_ access: String) {
        let text = """
            lockstep: 1
            schema: Recipes
            access: \(access)
            enums:
              Dimension: [length]
            # ^ ambiguous-type-name: The public type 'Dimension' is ambiguous in apps: Foundation has
              Mood: [sad]
            entities:
              Unit: { table: units, attributes: { id: int } }
            # ^ ambiguous-type-name: The public type 'Unit' is ambiguous in apps: Foundation has
              Record: { attributes: { id: int } }
            # ^ ambiguous-type-name: The public type 'Record' is ambiguous in apps: GRDB, which Lockstep exports, has
              SyncStatus: { attributes: { id: int } }
            # ^ ambiguous-type-name: The public type 'SyncStatus' is ambiguous in apps: Lockstep has
              Observable: { attributes: { id: int } }
            # ^ ambiguous-type-name: The public type 'Observable' is ambiguous in apps: Observation has
              Task: { attributes: { id: int } }
            """
        expectDiagnostics(access == "public" ? text : text.replacing(/\n# +\^.*/, with: ""))
    }

    @Test("types begin with a capital letter")
    func capitals() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: shop
            #       ^ lower-case-name: 'shop'
            enums:
              mood: [sad]
            # ^ lower-case-name: an enum
            types:
              money: { stored: decimal }
            # ^ lower-case-name: a type
            entities:
              _product:
            # ^ lower-case-name: an entity
                attributes: { id: int }
            """)
    }

    @Test("members avoid the names in generated code")
    func reserved() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes:
                  id: int
                  context: string
            #     ^ reserved-name: 'context'
                  CodingKeys: string
            #     ^ reserved-name: 'CodingKeys'
                  Object: string
            #     ^ reserved-name: 'Object'
                  keyValues: string
                  description: string
                  hash: string
                  type: string
                relationships:
                  representation: Product?
            #     ^ reserved-name: 'representation'
                  lockstep: Product?
            #     ^ reserved-name: 'lockstepID'
              Price:
                identity: [keyValues, currency]
                attributes:
                  keyValues: int
            #     ^ reserved-name: 'keyValues'
                  currency: string
            """)
    }

    @Test("every reserved name is rejected; the remedy keeps the key", arguments: ReservedNames.members.sorted())
    func everyReservedName(name: String) throws {
        let text = "lockstep: 1\nschema: S\nentities: { E: { attributes: { \(name): string } } }"
        let diagnostics = readSchemas([SchemaSource(path: "a.yaml", bytes: Array(text.utf8))]).diagnostics
        #expect(diagnostics.map(\.code) == [.reservedName])
        #expect(diagnostics.first?.remedy.contains("'key: \(name)'") ?? false)
    }

    @Test("types avoid the names used by generated code")
    func reservedTypes() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            enums:
              Swift: [a]
            # ^ reserved-type-name: 'Swift'
            types:
              Type: { stored: string }
            # ^ reserved-type-name: 'Type'
            entities:
              Foundation:
            # ^ reserved-type-name: 'Foundation'
                attributes: { id: int }
              Codable:
                attributes: { id: int }
              Task:
                attributes: { id: int }
            """)
    }

    @Test("a type with the name of a module that macros refer to is a warning")
    func modulesOfMacros() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Laboratory
            enums:
              Testing: [a]
            # ^ reserved-type-name: 'Testing' hides the module of that name
            types:
              SwiftUI: { stored: string }
            # ^ reserved-type-name: 'SwiftUI' hides the module of that name
            entities:
              Observation:
            # ^ reserved-type-name: 'Observation' hides the module of that name
                attributes: { id: int }
            """)
    }

    @Test("members do not shadow types")
    func membersLikeTypes() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            enums: { Mood: [sad] }
            entities:
              Product:
                attributes:
                  id: int
                  URL: url
            #     ^ member-named-like-type: 'URL'
                  Mood: Mood
            #     ^ member-named-like-type: 'Mood'
                  ShopSchema: string
            #     ^ member-named-like-type: 'ShopSchema'
                  Title: string
                relationships:
                  Product: Product?
            #     ^ member-named-like-type: 'Product'
            """)
    }

    @Test("types differ by more than case, including the schema type and representations")
    func typeClash() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Journal
            #       ^ note: 'JournalSchema' is the schema type
            enums:
              JournalSchema: [a]
            # ^ type-name-clash: two types 'JournalSchema'
            types:
              Mood: { stored: string }
            # ^ note: 'Mood' is a type here
            entities:
              mOOD:
            # ^ lower-case-name: mOOD
            # ^ type-name-clash: same file
                table: other
                attributes: { id: int }
              EntryRepresentation:
            # ^ note: 'EntryRepresentation' is an entity here
                attributes: { id: int }
              Entry:
            # ^ type-name-clash: two types 'EntryRepresentation'
                attributes: { id: int }
            """)
    }

    @Test("members have unique names, including those generated for relationships")
    func memberClash() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes:
                  id: int
                  self: string
                  self_: string
            #     ^ name-clash: 'self_' in 'Product' is the name of attribute 'self' and attribute 'self_'
                  author: string
            #     ^ note: Attribute 'author' is here
                  productID: int
            #     ^ note: Attribute 'productID' is here
                relationships:
                  author: Product?
            #     ^ name-clash: attribute 'author' and relationship 'author'
                  product: Product?
            #     ^ name-clash: 'productID' in 'Product' is the name of attribute 'productID' and the foreign key
            """)
    }

    @Test("two spellings of one name are one diagnostic")
    func columnClash() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            wire: { names: snake_case }
            entities:
              User:
                attributes:
                  id: uuid
                  userID: int
            #     ^ note: Attribute 'userID' is here
                  user_id: int
            #     ^ column-clash: The column 'user_id' of 'User' would store both attribute 'userID' and attribute 'user_id'
                  Note: { type: string, column: NOTE }
                  other: { type: string, column: note }
            #     ^ column-clash: 'note'
              Log:
                attributes:
                  text: { type: string, column: LOCKSTEP_ID }
            #     ^ column-clash: the key of an entity without identity
            """)
    }

    @Test("each key belongs to one member, and does not lead through another's value")
    func keyClash() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes:
                  id: int
                  title: string
                  heading: { type: string, key: title }
            #     ^ key-clash: 'title' of 'Product' would be used for attribute 'title' and attribute 'heading'
                  imageURL: { type: url?, key: [image, url] }
                  imageData: { type: data?, key: image }
            #     ^ key-inside-another: 'image.url'
                  deep: { type: int, key: [a, b, c] }
                  other: { type: int, key: [a, b, d] }
                  inner: { type: int, key: [a, b] }
            #     ^ key-inside-another: 'a.b.c'
                relationships:
                  related: { to: Product?, key: title }
            #     ^ key-clash: relationship 'related'
                  owner: { to: Product?, key: [owner, id] }
            #     ^ key-inside-another: 'owner.id'
            """)
    }

    @Test("members that are not sent cannot collide")
    func keysOffTheWire() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes:
                  id: int
                  title: string
                  heading: { type: string?, transient: true }
                  secret: { type: string?, wire: none }
                  other: { type: string, key: secret }
                  more: { type: string, key: heading }
            """)
    }

    @Test("each table belongs to one entity, and not to the store")
    func tableClash() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              ProductReview:
            # ^ note: First used by 'ProductReview'
                attributes: { id: int }
              Review:
                table: PRODUCT_review
            #          ^ table-clash: 'PRODUCT_review'
                attributes: { id: int }
              LockstepOutbox:
            # ^ reserved-table: 'lockstep_'
                attributes: { id: int }
              Other:
                table: sqlite_other
            #          ^ reserved-table: 'sqlite_'
                attributes: { id: int }
              Sqlite:
            # ^ reserved-table: Each index of the table 'sqlite' begins with 'sqlite_'
                attributes: { id: int }
            """)
    }

    @Test("SQL names can contain anything that can be read, but are not empty")
    func unusable() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                table: ""
            #          ^ unusable-name: empty
                attributes:
                  id: { type: int, column: "a\\0b" }
            #                              ^ unusable-name: 'column' must be one line
                  name: { type: string, column: "the \\"name\\"; DROP TABLE 'x' 🙂" }
                  key: { type: string, key: "a \\"b\\" 🙂" }
            """)
    }

    @Test("a repeated key is reported by the syntax only")
    func repeatedKey() {
        let text = "lockstep: 1\nschema: S\nentities:\n  E:\n    attributes: { id: int, a: int, a: int }\n"
        let codes = readSchemas([SchemaSource(path: "a.yaml", bytes: Array(text.utf8))]).diagnostics.map(
            \.code.rawValue)
        #expect(codes == ["duplicate-key"])
    }

    @Test("a list of ids and the parts of a composite key occupy their names too")
    func derivedNames() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes:
                  id: int
                  tagIDs: { type: string, key: other }
            #     ^ note: 'tagIDs'
                  ownerCountry: { type: string, column: land, key: land }
            #     ^ note: 'ownerCountry'
                relationships:
                  tags: { to: [Tag], inverse: products }
            #     ^ name-clash: 'tagIDs'
                  owner: Owner?
            #     ^ name-clash: 'ownerCountry'
              Tag:
                attributes: { id: int }
                relationships: { products: { to: [Product], inverse: tags } }
              Owner:
                identity: [country, number]
                attributes: { country: string, number: int }
            """)
    }
}
