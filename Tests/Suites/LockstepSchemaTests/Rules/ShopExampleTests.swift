import Testing

@testable import LockstepSchema

@Suite("The example of the schema language, resolved")
struct ShopExampleTests {
    static let header = """
        version: 1
        doc: Products, their pictures and what people say of them.
        access: public
        wire: { names: snake_case, dates: iso8601 }
        columns: snake_case
        enums:
          Mood: [sad, neutral, happy]
          Size: { small: S, large: L }
          Priority: { type: int, cases: { low: 0, high: 10 } }
        types:
          Money: { stored: decimal }
        """
    static let entities = """
          Product:
            doc: Something we sell.
            identity: id
            attributes:
              id: int
              name: string
              note: string?
              size: Size?
              price: { type: Money, default: 0 }
              createdAt: { type: date, wire: "yyyy-MM-dd HH:mm:ss Z", default: now }
              stock: { type: int, wire: string, min: 0 }
              imageURL: { type: url?, key: [image, url] }
              summary: { type: string, key: description, maxLength: 200, indexed: true }
              photo: { type: data?, attachment: true }
              sku: { type: string, unique: true, renamedFrom: code, doc: "Stock keeping unit." }
            relationships:
              reviews: { to: [ProductReview], inverse: product, onDelete: cascade, sortedBy: createdAt }
              images: { to: [Picture], wire: embedded, ordered: true, onDelete: cascade }
              tags: { to: [Tag], inverse: products, wire: ids }
            indexes:
              - [size, createdAt]
            remote: { path: /products, write: [create, update, delete], wrap: true }
          ProductReview:
            attributes: { id: int, name: string, reviewText: string, createdAt: date }
            relationships:
              product: { to: Product?, inverse: reviews }
          Picture:
            attributes: { url: url }
          Tag:
            attributes: { id: int, name: string }
            relationships: { products: { to: [Product], inverse: tags, wire: none } }
        """

    let schema: Schema
    let product: Entity

    init() throws {
        schema = try resolved(Self.entities, header: Self.header)
        product = try schema.entity("Product")
    }

    @Test("the schema has its names and its enums")
    func whole() {
        #expect(schema.name == "Shop")
        #expect(schema.swiftName == "ShopSchema")
        #expect(schema.source == "Schemas/Shop.yaml")
        #expect(schema.access == .public)
        #expect(schema.entities.map(\.name) == ["Product", "ProductReview", "Picture", "Tag"])
        #expect(schema.entities.map(\.tableName) == ["product", "product_review", "picture", "tag"])
        #expect(schema.enumerations.map(\.name) == ["Mood", "Size", "Priority"])
        #expect(schema.enumerations[0].cases.map(\.rawValue) == [.string("sad"), .string("neutral"), .string("happy")])
        #expect(schema.enumerations[1].cases.map(\.rawValue) == [.string("S"), .string("L")])
        #expect(schema.enumerations[2].cases.map(\.rawValue) == [.int(0), .int(10)])
        #expect(schema.customTypes.map(\.stored) == [.decimal])
    }

    @Test("the product's columns are in order, the implied key is in the picture's table")
    func columns() throws {
        #expect(
            product.columns.map(\.name) == [
                "id", "name", "note", "size", "price", "created_at", "stock", "image_url", "summary", "photo", "sku",
            ])
        #expect(try schema.entity("ProductReview").columns.last?.name == "product_id")
        let picture = try schema.entity("Picture")
        #expect(picture.columns.map(\.name) == ["lockstep_id", "url", "product_id", "images_position"])
        #expect(picture.columns.map(\.property) == ["lockstepID", "url", "productID", "imagesPosition"])
        #expect(
            picture.columns.map(\.content) == [
                .surrogateKey, .attribute("url"), .foreignKey(relationship: "product", attribute: "id"),
                .position(relationship: "product", inverse: "images"),
            ])
        #expect(picture.columns.map(\.isOptional) == [false, false, true, true])
    }

    @Test("the product's attributes have the JSON forms of the schema")
    func attributes() throws {
        #expect(try product.attribute("note").isOptional)
        #expect(try product.attribute("price").defaultValue == .decimal("0"))
        #expect(try product.attribute("price").type == .custom("Money"))
        #expect(
            try product.attribute("createdAt").wire
                == AttributeWire(path: ["created_at"], format: .date(.pattern("yyyy-MM-dd HH:mm:ss Z"))))
        #expect(try product.attribute("createdAt").defaultValue == .now)
        #expect(try product.attribute("stock").wire?.format == .text)
        #expect(try product.attribute("stock").limits == AttributeLimits(minimum: "0"))
        #expect(try product.attribute("imageURL").wire?.path == ["image", "url"])
        #expect(try product.attribute("summary").wire?.path == ["description"])
        #expect(try product.attribute("summary").limits.maximumLength == 200)
        #expect(try product.attribute("photo").type == .attachment)
        #expect(try product.attribute("photo").wire?.path == ["photo"])
        #expect(try product.attribute("photo").isAttachment)
        #expect(try product.attribute("sku").isUnique)
        #expect(try product.attribute("sku").renamedFrom == "code")
        #expect(try schema.entity("ProductReview").attribute("createdAt").wire?.format == .date(.iso8601))
    }

    @Test("the relationships know their inverses")
    func relationships() throws {
        let reviews = try product.relationship("reviews")
        #expect(reviews.inverse == "product")
        #expect(reviews.storage == .inverseForeignKey)
        #expect(reviews.onDelete == .cascade)
        #expect(reviews.sortedBy == [Relationship.SortKey(attribute: "createdAt", isDescending: false)])
        #expect(reviews.wire == .none)
        let images = try product.relationship("images")
        #expect(images.wire == .embedded(path: ["images"]))
        #expect(images.isOrdered)
        #expect(images.inverse == "product")
        let implied = try schema.entity("Picture").relationship("product")
        #expect(implied.isImplied && implied.isOptional && !implied.isToMany)
        #expect(implied.wire == .none)
        let back = try schema.entity("ProductReview").relationship("product")
        #expect(back.wire == .id(paths: [["product_id"]], embeddedPath: ["product"]))
        #expect(back.foreignKey?.isLocal == false)
    }

    @Test("many-to-many has a join table")
    func joinTable() throws {
        #expect(
            schema.joinTables == [
                JoinTable(
                    name: "product_tag",
                    left: .init(entity: "Product", relationship: "tags", columns: ["product_id"], positionColumn: nil),
                    right: .init(entity: "Tag", relationship: "products", columns: ["tag_id"], positionColumn: nil),
                    isLocal: false)
            ])
        #expect(try product.relationship("tags").storage == .joinTable("product_tag", isLeft: true))
        #expect(try product.relationship("tags").wire == .ids(path: ["tag_ids"]))
        #expect(try schema.entity("Tag").relationship("products").storage == .joinTable("product_tag", isLeft: false))
    }

    @Test("indexes are the declared ones, and those of foreign keys")
    func indexes() throws {
        #expect(
            product.indexes == [
                IndexStructure(name: "product_summary", columns: ["summary"], isUnique: false),
                IndexStructure(name: "product_size_created_at", columns: ["size", "created_at"], isUnique: false),
            ])
        #expect(
            try schema.entity("ProductReview").indexes == [
                IndexStructure(name: "product_review_product_id", columns: ["product_id"], isUnique: false)
            ])
    }

    @Test("remotes have a path")
    func remotes() throws {
        #expect(product.remote == Remote(path: "/products", writes: [.create, .update, .delete], wrapKey: "product"))
        #expect(
            try schema.entity("ProductReview").remote
                == Remote(path: "/product_reviews", writes: [.create, .update, .delete], wrapKey: nil))
    }
}
