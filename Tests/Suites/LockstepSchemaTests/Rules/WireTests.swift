import Testing

@testable import LockstepSchema

@Suite("The JSON form of relationships")
struct WireTests {
    static let entities = """
          Product:
            attributes: { id: int, imageURL: url? }
            relationships:
              maker: Company?
              cover: { to: Picture, wire: embedded }
              home: { to: Company?, key: [meta, home] }
              bigReviews: { to: [Review], inverse: product, wire: embedded }
              answers: { to: [Answer], inverse: product, wire: ids }
              stockItems: [StockItem]
              childTags: { to: [Tag], inverse: products }
          Company: { attributes: { id: int } }
          Picture: { attributes: { id: int } }
          Review: { attributes: { id: int }, relationships: { product: Product } }
          Answer: { attributes: { id: int }, relationships: { product: { to: Product, wire: none } } }
          StockItem: { attributes: { id: int } }
          Tag: { attributes: { id: int }, relationships: { products: [Product] } }
        """

    @Test(
        "depends on their kind, as written in the schema",
        arguments: [
            ("asWritten", "makerID", "childTagIDs", "bigReviews"),
            ("snake_case", "maker_id", "child_tag_ids", "big_reviews"),
            ("camelCase", "makerId", "childTagIds", "bigReviews"),
        ])
    func defaults(spelling: String, makerKey: String, tagsKey: String, reviewsKey: String) throws {
        let schema = try resolved(Self.entities, header: "wire: { names: \(spelling) }")
        let product = try schema.entity("Product")
        #expect(try product.relationship("maker").wire == .id(paths: [[makerKey]], embeddedPath: ["maker"]))
        #expect(try product.relationship("cover").wire == .embedded(path: ["cover"]))
        #expect(try product.relationship("home").wire == .id(paths: [["meta", "home"]], embeddedPath: ["home"]))
        #expect(try product.relationship("bigReviews").wire == .embedded(path: [reviewsKey]))
        #expect(try product.relationship("childTags").wire == .ids(path: [tagsKey]))
        // Declared without inverse: the owner contains them.
        #expect(
            try product.relationship("stockItems").wire
                == .embedded(path: [NameSpelling(rawValue: spelling)!.spell("stockItems")]))
        #expect(try schema.entity("StockItem").relationship("product").wire == .none)
        // The owner contains the whole record, and the record contains its owner when it comes by itself.
        let productKey = NameSpelling(rawValue: spelling)!.spell("product", "ID")
        #expect(
            try schema.entity("Review").relationship("product").wire == .id(paths: [[productKey]], embeddedPath: []))
        #expect(try schema.entity("Answer").relationship("product").wire == .none)
        #expect(
            try schema.entity("Tag").relationship("products").wire
                == .ids(path: [NameSpelling(rawValue: spelling)!.spell("product", "IDs")]))
    }

    @Test(
        "wire.paths is the style of paths that are not given; without it, they are in snake_case whatever the keys are",
        arguments: [
            ("names: camelCase", "/job_sheets", "/user_ids"), ("names: asWritten", "/job_sheets", "/user_ids"),
            ("paths: snake_case", "/job_sheets", "/user_ids"), ("paths: kebab-case", "/job-sheets", "/user-ids"),
            ("names: camelCase, paths: names", "/jobSheets", "/userIds"),
            ("names: snake_case, paths: names", "/job_sheets", "/user_ids"),
            ("paths: names", "/JobSheets", "/UserIDs"),
        ])
    func paths(wire: String, sheets: String, ids: String) throws {
        let schema = try resolved(
            """
              JobSheet: { attributes: { id: int } }
              UserID: { attributes: { id: int } }
              Box: { attributes: { id: int }, remote: { path: /my_Boxes } }
            """, header: "wire: { \(wire) }")
        #expect(try schema.entity("JobSheet").remote?.path == sheets)
        #expect(try schema.entity("UserID").remote?.path == ids)
        #expect(try schema.entity("Box").remote?.path == "/my_Boxes")
    }

    @Test("The defaults are those of the table on the page")
    func table() throws {
        let schema = try resolved(
            """
              Owner:
                attributes: { id: int }
                relationships:
                  plain: Part?
                  one: { to: Part?, inverse: back }
                  implied: [Part]
                  many: { to: [Part], inverse: owner }
                  others: { to: [Part], inverse: owners }
                  pairs: { to: [Pair], inverse: owners }
                  parts: { to: [Scrap], inverse: owner, wire: embedded }
              Part:
                attributes: { id: int }
                relationships: { back: Owner?, owner: Owner?, owners: [Owner] }
              Pair:
                identity: [a, b]
                attributes: { a: int, b: int }
                relationships: { owners: [Owner] }
              Scrap:
                identity: none
                attributes: { a: int }
                relationships: { owner: Owner? }
            """, header: "wire: { names: snake_case }")
        let (owner, part) = (try schema.entity("Owner"), try schema.entity("Part"))
        #expect(try owner.relationship("plain").wire == .id(paths: [["plain_id"]], embeddedPath: ["plain"]))
        #expect(try owner.relationship("one").wire == .id(paths: [["one_id"]], embeddedPath: ["one"]))
        #expect(try part.relationship("back").wire == .none)
        #expect(try owner.relationship("implied").wire == .embedded(path: ["implied"]))
        #expect(try owner.relationship("many").wire == .none)
        #expect(try part.relationship("owner").wire == .id(paths: [["owner_id"]], embeddedPath: ["owner"]))
        #expect(try owner.relationship("others").wire == .ids(path: ["other_ids"]))
        #expect(try part.relationship("owners").wire == .ids(path: ["owner_ids"]))
        #expect(try owner.relationship("pairs").wire == .none)
        #expect(try schema.entity("Pair").relationship("owners").wire == .ids(path: ["owner_ids"]))
        #expect(try schema.entity("Scrap").relationship("owner").wire == .none)
    }

    @Test("a relationship has a second key for the form that `wire:` does not name")
    func otherKeys() throws {
        let schema = try resolved(
            """
              Owner:
                attributes: { id: int }
                relationships:
                  one: { to: Part?, embeddedKey: whole_part }
                  ids: { to: [Part], wire: ids, embeddedKey: [data, parts] }
                  records: { to: [Part], idsKey: record_ids }
                  mixed: { to: [Part], wire: ids, key: mixed, embeddedKey: mixed }
              Part:
                attributes: { id: int }
            """, header: "wire: { names: snake_case }")
        let owner = try schema.entity("Owner")
        #expect(try owner.relationship("one").wire == .id(paths: [["one_id"]], embeddedPath: ["whole_part"]))
        #expect(try owner.relationship("ids").wire == .ids(path: ["id_ids"], embeddedPath: ["data", "parts"]))
        #expect(try owner.relationship("records").wire == .embedded(path: ["records"], idsPath: ["record_ids"]))
        #expect(try owner.relationship("mixed").wire == .ids(path: ["mixed"], embeddedPath: ["mixed"]))
    }

    @Test("implied delete rules: deny if the other end is required")
    func deleteRules() throws {
        let schema = try resolved(Self.entities)
        #expect(try schema.entity("Product").relationship("answers").onDelete == .deny)
        #expect(try schema.entity("Product").relationship("stockItems").onDelete == .nullify)
        #expect(try schema.entity("Review").relationship("product").onDelete == .nullify)
        #expect(try schema.entity("Product").relationship("cover").onDelete == .nullify)
    }

    @Test(
        "paths and wrapping are derived from the name",
        arguments: [
            ("Person", "/people", "person"), ("ProductCategory", "/product_categories", "product_category"),
            ("Series", "/series", "series"), ("HTMLPage", "/html_pages", "html_page"),
            ("Status", "/statuses", "status"),
            ("Settings", "/settings", "setting"),
        ])
    func remotes(name: String, path: String, wrapKey: String) throws {
        let schema = try resolved(
            "  \(name): { attributes: { id: int }, remote: { wrap: true, write: [delete, create] } }")
        #expect(schema.entities.map(\.remote) == [Remote(path: path, writes: [.create, .delete], wrapKey: wrapKey)])
    }

    @Test("a path and a key are used unchanged")
    func explicitRemote() throws {
        let schema = try resolved(
            "  A: { attributes: { id: int }, remote: { path: v1/things, write: [], wrap: thing } }")
        #expect(schema.entities.map(\.remote) == [Remote(path: "v1/things", writes: [], wrapKey: "thing")])
    }
}
