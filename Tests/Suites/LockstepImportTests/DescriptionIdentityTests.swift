import Foundation
import LockstepImport
import Testing

@Suite("What identifies the records of a description")
struct DescriptionIdentityTests: DescriptionText {
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

    @Test(
        "A last word of the name that only says what the type is for is no part of what others call it",
        arguments: ["Dto", "DTO", "Response", "Model", "Entity"])
    func typeWord(_ word: String) throws {
        let tag = schema("Tag\(word)", "id: { type: integer }", "userId: { type: string, format: uuid }")
        let user = schema(
            "User\(word)", "userId: { type: string, format: uuid }",
            "tagIds: { type: array, items: { type: integer } }", "mainTagId: { type: integer }")
        let imported = try imported(
            [list("/users", of: "User\(word)"), list("/tags", of: "Tag\(word)")], schemas: [user, tag])
        #expect(imported.lines.contains("identity: userId"))
        #expect(imported.lines.contains { $0.hasPrefix("tags: { to: [Tag\(word)],") })
        #expect(imported.lines.contains("mainTag: { to: Tag\(word)?, key: mainTagId }"))
        #expect(imported.lines.contains { $0.contains("User\(word)?") && $0.hasSuffix("key: userId }") })
        let other = try self.imported(
            [list("/users", of: "User\(word)"), list("/people", of: "User")],
            schemas: [user, schema("User", "id: { type: string, format: uuid }")])
        #expect(other.lines.contains("user: { to: User?, key: userId }"))
    }

    // MARK: Bases

    private func extending(_ base: String, by name: String, _ properties: String...) -> String {
        "\(name): { allOf: [{ $ref: \"#/components/schemas/\(base)\" }, "
            + "{ type: object, properties: { \(properties.joined(separator: ", ")) } }] }"
    }

    /// Cats and dogs that include a thing, whose `id` has these options.
    private func pets(_ option: String, requests: [String]) throws -> ImportedSchema {
        try imported(
            requests,
            schemas: [
                schema("Thing", "id: { type: string, format: uuid\(option) }", "color: { type: string }"),
                extending("Thing", by: "Cat", "name: { type: string }"),
                extending("Thing", by: "Dog", "cat: { $ref: \"#/components/schemas/Cat\" }"),
                schema("NewCat", "name: { type: string }"),
            ])
    }

    @Test(
        "An identity that entities inherit is required, also if the description has it as optional or as read-only",
        arguments: ["", ", readOnly: true", ", nullable: true"])
    func inherited(_ option: String) throws {
        let imported = try pets(option, requests: [list("/cats", of: "Cat")])
        #expect(imported.text.contains("  Thing:\n    abstract: true\n    attributes:\n      id: uuid\n"))
        #expect(imported.lines.contains("cat: { to: Cat?, wire: embedded }"))
        #expect(!imported.text.contains("left out"))
        let note = "Cat: its identity is 'id' of the entity that it extends, by its name"
        #expect(imported.notes(.decided).contains { $0.hasPrefix(note) && $0.hasSuffix(", which is required here") })
    }

    @Test(
        "If the server makes the identity of one entity, each has the one that the description lets them inherit",
        arguments: [(", readOnly: true", "Cat"), ("", "NewCat")])
    func inheritedFromServer(option: String, sent: String) throws {
        let imported = try pets(option, requests: [create("/cats", of: "Cat", sending: json(sent))])
        #expect(imported.text.contains("  Thing:\n    abstract: true\n    attributes:\n      color: string?\n"))
        #expect(imported.lines.contains("identity: { local: localID, remote: remoteID }"))
        #expect(imported.lines.contains("remoteID: { type: uuid?, key: id }"))
        #expect(imported.lines.contains("id: uuid"))
        #expect(!imported.text.contains("left out"))
    }

    @Test("Records whose identity no schema can have stay on the device")
    func unusable() throws {
        let thing = schema("Thing", "id: { type: string, format: byte }")
        for schemas in [[thing.replacing("Thing", with: "Cat")], [thing, extending("Thing", by: "Cat")]] {
            let imported = try imported([list("/cats", of: "Cat")], schemas: schemas)
            #expect(imported.lines.contains("remote: none"))
            #expect(imported.lines.contains { $0.hasPrefix("localID: { type: uuid, default: new, wire: none }") })
            let note = imported.report.notes.first { $0.text.hasPrefix("Cat: the identity id was left out") }
            #expect(note?.help == "Each record gets a new 'localID' on the device, where it stays (`remote: none`).")
        }
    }

    // MARK: Bodies

    private static let cat = "Cat: { type: object, properties: { id: { type: string }, name: { type: string } } }"

    @Test(
        "What only requests have is no entity, wherever it is in a body",
        arguments: [
            "application/json: { schema: { type: object, properties: { data: FORM } } }",
            "application/json: { schema: { type: array, items: FORM } }", "multipart/form-data: { schema: FORM }",
        ])
    func onlySent(_ body: String) throws {
        let content = body.replacing("FORM", with: "{ $ref: \"#/components/schemas/Form\" }")
        let form = schema("Form", "id: { type: string }", "name: { type: string }")
        for requests in [
            [create("/cats", of: "Cat", sending: content)],
            [list("/cats", of: "Cat"), replace("/cats/{id}", sending: content)],
        ] {
            let imported = try imported(requests, schemas: [Self.cat, form])
            #expect(imported.notes(.left).contains("Form is not an entity: it is only sent"))
        }
    }

    @Test("A request whose body is not JSON is no write, and is reported")
    func otherBody() throws {
        let content = "application/x-www-form-urlencoded: { schema: { type: object } }"
        let imported = try imported(
            [create("/cats", of: "Cat", sending: content), replace("/cats/{id}", sending: content)],
            schemas: [Self.cat])
        #expect(imported.lines.contains("remote: { write: [] }"))
        let reason = "its body is not JSON"
        #expect(imported.notes(.left) == ["POST /cats: \(reason)", "PUT /cats/{id}: \(reason)"])
        #expect(!imported.text.contains("Changed with PUT"))
    }

    @Test("The key of a list is reported, unless it is the last part of the path", arguments: ["data", "cats"])
    func listKey(_ key: String) throws {
        let list = "\(key): { type: array, items: { $ref: \"#/components/schemas/Cat\" } }, total: {}"
        let imported = try imported(
            ["/cats: { get: { \(response("{ type: object, properties: { \(list) } }")) } }"], schemas: [Self.cat])
        let note = imported.report.notes.first { $0.text == "'\(key)' has the records of Cat" }
        #expect((note == nil) == (key == "cats"))
        #expect(note.map { $0.help?.contains("`reads.collections = .wrapped(key: \"data\")`") == true } ?? true)
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
