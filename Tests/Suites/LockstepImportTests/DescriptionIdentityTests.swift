import Foundation
import LockstepImport
import Testing

@Suite("What identifies the records of a description, and which path they have")
struct DescriptionIdentityTests {
    /// A description with these paths, as lines of YAML, and schemas.
    private func imported(_ paths: [String], schemas: [String]) throws -> ImportedSchema {
        let text = """
            openapi: 3.1.0
            paths:
            \(paths.map { "  \($0)" }.joined(separator: "\n"))
            components:
              schemas:
            \(schemas.map { "    \($0)" }.joined(separator: "\n"))
            """
        return try importing(text, file: "api.yaml")
    }

    private func response(_ schema: String) -> String {
        "responses: { \"200\": { description: OK, content: { application/json: { schema: \(schema) } } } }"
    }

    private func list(_ path: String, of name: String) -> String {
        "\(path): { get: { \(response("{ type: array, items: { $ref: \"#/components/schemas/\(name)\" } }")) } }"
    }

    private func record(_ path: String, of name: String) -> String {
        "\(path): { get: { \(response("{ $ref: \"#/components/schemas/\(name)\" }")) }, delete: { responses: {} } }"
    }

    private func schema(_ name: String, _ properties: String...) -> String {
        "\(name): { type: object, properties: { \(properties.joined(separator: ", ")) } }"
    }

    // MARK: Identities

    @Test(
        "The identity is the property with a usual name, or the one that the path of a record means",
        arguments: [
            ("Shelf", "{shelf_gid}", "gid"), ("Shelf", "{id}", "pk"), ("Shelf", "{shelfKey}", "key"),
            ("Shelf", "{slug}", "slug"), ("Shelf", "{shelf_code}", "code"), ("BookShelf", "{shelf_code}", "code"),
            ("Shelf", "{shelfName}", "shelf_name"),
        ])
    func parameter(name: String, parameter: String, key: String) throws {
        let imported = try imported(
            [list("/shelves", of: name), record("/shelves/\(parameter)", of: name)],
            schemas: [schema(name, "color: { type: string }", "\(key): { type: string }")])
        #expect(!imported.text.contains("localID"), "\(imported.text)")
        #expect(imported.notes(.decided).contains { $0.hasPrefix("\(name): its identity is '") })
    }

    @Test("The parameter of another record is no identity")
    func otherParameter() throws {
        let imported = try imported(
            [list("/shelves", of: "Shelf"), record("/shelves/{room_code}", of: "Shelf")],
            schemas: [schema("Shelf", "code: { type: string }")])
        #expect(imported.lines.contains("identity: localID"))
    }

    @Test("The last words of the name with 'id' identify a record that has a path")
    func lastWords() throws {
        let item = schema("OrderItem", "item_id: { type: integer }", "count: { type: integer }")
        let listed = try imported([list("/order_items", of: "OrderItem")], schemas: [item])
        #expect(listed.lines.contains("identity: itemID"))
        let order = schema(
            "Order", "id: { type: integer }",
            "items: { type: array, items: { $ref: \"#/components/schemas/OrderItem\" } }")
        let inside = try imported([list("/orders", of: "Order")], schemas: [order, item])
        #expect(inside.lines.suffix(6).contains("identity: none"))
        let other = try imported(
            [list("/order_items", of: "OrderItem"), list("/items", of: "Item")],
            schemas: [item, schema("Item", "id: { type: integer }")])
        #expect(other.lines.contains("item: Item?"))
        #expect(other.lines.contains("identity: localID"))
    }

    @Test("A key beside a value is the identity of a record with a path, and of no part of another")
    func key() throws {
        let tag = schema("Tag", "key: { type: string }", "value: { type: string }")
        let listed = try imported([list("/tags", of: "Tag")], schemas: [tag])
        #expect(listed.lines.contains("identity: key"))
        let image = schema(
            "Image", "id: { type: integer }",
            "tags: { type: array, items: { $ref: \"#/components/schemas/Tag\" } }")
        #expect(try imported([list("/images", of: "Image")], schemas: [image, tag]).lines.contains("identity: none"))
    }

    // MARK: Paths

    @Test("The path of an entity is the one that its records are below, and not a search")
    func search() throws {
        let asset = schema("Asset", "id: { type: string }")
        let imported = try imported(
            [list("/search/cities", of: "Asset"), record("/assets/{id}", of: "Asset")], schemas: [asset])
        #expect(imported.lines.contains("remote: { write: [delete] }"))
        #expect(imported.notes(.left) == ["GET /search/cities: Asset has '/assets'"])
        let both = try self.imported(
            [
                list("/newest", of: "Asset"), list("/search/assets", of: "Asset"), list("/assets", of: "Asset"),
                record("/newest/{place}", of: "Place"), record("/assets/{id}", of: "Asset"),
            ], schemas: [asset, schema("Place", "id: { type: string }")])
        #expect(both.lines.contains("remote: { write: [delete] }"))
    }

    @Test("Records below those of another schema have no path of their own, unless a list has the same name")
    func nested() throws {
        let schemas = [schema("Order", "id: { type: string }"), schema("Item", "id: { type: string }")]
        let paths = [
            list("/orders", of: "Order"), record("/orders/{order_id}", of: "Order"),
            record("/orders/{order_id}/items/{item_id}", of: "Item"),
        ]
        let found = try imported(paths + [list("/search", of: "Item")], schemas: schemas)
        #expect(!found.text.contains("path: /search"))
        #expect(found.notes(.left).contains("GET /search: Item has '/orders/{order_id}/items/{item_id}'"))
        #expect(found.notes(.decided).contains { $0.hasPrefix("Item has no path of its own") })
        let listed = try imported(paths + [list("/items", of: "Item")], schemas: schemas)
        #expect(!listed.notes(.decided).contains { $0.hasPrefix("Item has no path of its own") })
    }

    @Test("A path of one record that no list belongs to does not replace the path that lists and creates them")
    func token() throws {
        let body = "requestBody: { content: { application/json: { schema: { $ref: \"#/components/schemas/User\" } } } }"
        let users =
            "/users: { get: { \(response("{ type: array, items: { $ref: \"#/components/schemas/User\" } }")) }, "
            + "post: { \(body), responses: {} } }"
        let imported = try imported(
            [users, record("/verify/{token}", of: "User")], schemas: [schema("User", "id: { type: string }")])
        #expect(imported.lines.contains("remote: { write: [create] }"))
        #expect(imported.notes(.left) == ["GET, DELETE /verify/{token}"])
    }

    // MARK: An identity or a record

    private static let person = "Person: { type: object, required: [id], properties: { id: { type: string } } }"
    private static let formerPerson =
        "FormerPerson: { type: object, required: [id], properties: { id: { type: string }, isGone: { type: boolean } } }"

    private func choice(_ others: String...) -> String {
        let branches = others.map { $0.hasPrefix("{") ? $0 : "{ $ref: \"#/components/schemas/\($0)\" }" }
        return "{ anyOf: [\(branches.joined(separator: ", "))] }"
    }

    @Test("A value that is an identity or a record is a relationship")
    func expandable() throws {
        let owner = "owner: \(choice("{ type: string, maxLength: 9 }", "Person", "FormerPerson"))"
        let readers = "readers: { type: array, items: \(choice("{ type: string }", "Person")) }"
        let imported = try imported(
            [list("/books", of: "Book"), list("/people", of: "Person")],
            schemas: [schema("Book", "id: { type: string }", owner, readers), Self.person, Self.formerPerson])
        #expect(imported.lines.contains("owner: { to: Person?, key: owner }"))
        #expect(
            imported.lines.contains {
                $0.hasPrefix("readers: { to: [Person], inverse: readerBooks, wire: ids, key: readers, ")
                    && $0.contains("embeddedKey: readers")
            })
        #expect(
            imported.notes(.decided).contains(
                "Book.owner is the identity or the record of Person: only the identity is read and sent"))
    }

    @Test("A choice of an identity of another type, or of two kinds of records, is json")
    func choice() throws {
        let number = "number: \(choice("{ type: integer }", "Person"))"
        let thing = "thing: \(choice("{ type: string }", "Person", "Place"))"
        let imported = try imported(
            [list("/books", of: "Book"), list("/people", of: "Person")],
            schemas: [
                schema("Book", "id: { type: string }", number, thing), Self.person,
                schema("Place", "id: { type: string }"),
            ])
        #expect(imported.lines.contains("number: json?"))
        #expect(imported.lines.contains("thing: json?"))
    }

    @Test("The identity of a record beside the record can have another format of text")
    func formats() throws {
        let imported = try imported(
            [list("/books", of: "Book"), list("/people", of: "Person")],
            schemas: [
                schema(
                    "Book", "id: { type: string }", "ownerId: { type: string }",
                    "owner: { $ref: \"#/components/schemas/Person\" }"),
                schema("Person", "id: { type: string, format: uuid }"),
            ])
        #expect(imported.lines.contains("owner: { to: Person?, key: ownerId }"))
    }

    @Test("A list with what belongs to it is the relationship")
    func envelope() throws {
        let refunds =
            "refunds: { type: object, required: [data, has_more, object], properties: { "
            + "data: { type: array, items: { $ref: \"#/components/schemas/Refund\" } }, has_more: { type: boolean }, "
            + "object: { type: string, enum: [list] }, url: { type: string } } }"
        let places =
            "places: { type: object, properties: { data: { type: array, items: { type: object, "
            + "properties: { name: { type: string } } } }, total: { type: integer } } }"
        let other =
            "other: { type: object, properties: { data: { type: array, items: { type: object } }, "
            + "color: { type: string } } }"
        let imported = try imported(
            [list("/charges", of: "Charge")],
            schemas: [
                schema("Charge", "id: { type: string }", refunds, places, other),
                schema("Refund", "id: { type: string }"),
            ])
        #expect(imported.lines.contains("refunds: { to: [Refund], wire: embedded, key: [refunds, data] }"))
        #expect(imported.lines.contains("places: { to: [ChargePlace], wire: embedded, key: [places, data] }"))
        #expect(imported.lines.contains("other: json?"))
    }
}
