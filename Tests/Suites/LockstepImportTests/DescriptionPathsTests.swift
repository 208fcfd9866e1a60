import LockstepImport
import Testing

@Suite("Which path the records of a description have")
struct DescriptionPathsTests: DescriptionText {
    private static let cat = "Cat: { type: object, properties: { id: { type: string }, name: { type: string } } }"

    @Test("Records that no request lists are reported")
    func unlisted() throws {
        let imported = try imported(
            [record("/cats/{id}", of: "Cat"), list("/dogs", of: "Dog"), record("/dogs/{id}", of: "Dog")],
            schemas: [Self.cat, schema("Dog", "id: { type: string }")])
        #expect(
            imported.notes(.decided).filter { $0.contains("no request lists") } == [
                "Cat: no request lists its records, so they are pulled from the path of one without its identity"
            ])
    }

    @Test("A schema that only refers to itself is used by nothing")
    func selfReference() throws {
        let imported = try imported(
            [list("/cats", of: "Cat")],
            schemas: [Self.cat, schema("Node", "next: { $ref: \"#/components/schemas/Node\" }")])
        #expect(imported.notes(.left) == ["Node is not an entity: nothing identifies it, and nothing refers to it"])
    }

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

    @Test("What records are has their path, and what a list has of them is only read", arguments: ["Pet", "Cat"])
    func shortForm(_ name: String) throws {
        let body = "\(create("/pets", of: "PetListItem", sending: json("PetInput")))"
        let write = "put: { requestBody: { content: { \(json("PetInput")) } }, responses: {} }"
        let imported = try imported(
            [body, record("/pets/{petId}", of: name).replacing("delete:", with: "\(write), delete:")],
            schemas: [
                schema(name, "id: { type: string }", "name: { type: string }", "born: { type: string, format: date }"),
                schema("PetListItem", "id: { type: string }", "name: { type: string }"),
                schema("PetInput", "name: { type: string }"),
            ])
        #expect(imported.lines.contains("remote: { path: /pets, write: [] }"))
        #expect(!imported.lines.contains("remote: { write: [] }"))
        let path = imported.lines.contains("remote: { path: /pets }")
        #expect(path == (name == "Cat"))
        let note =
            "PetListItem is what '/pets' lists of each \(name): both are pulled from it, and only \(name) is written"
        #expect(imported.notes(.decided).contains(note))
        #expect(imported.notes(.left) == ["PetInput is not an entity: it is only sent"])
    }

    @Test("A request of a record that returns another schema than the lists and writes is reported")
    func longForm() throws {
        let replace = replace("/pets/{id}", sending: json("Pet")).replacing(
            "responses: {}",
            with: response(
                "{ $ref: \"#/components/schemas/Pet\" }"))
        let one = record("/pets/{id}", of: "PetDetail").replacing(
            "/pets/{id}: { ", with: replace.dropLast(2) + ", ")
        let imported = try imported(
            [list("/pets", of: "Pet"), one],
            schemas: [schema("Pet", "id: { type: string }"), schema("PetDetail", "id: { type: string }")])
        #expect(imported.lines.contains("remote: { write: [update, delete] }"))
        #expect(imported.notes(.left) == ["GET /pets/{id}: it returns PetDetail, and Pet has '/pets'"])
    }

    @Test(
        "A path that only finds records is the last choice, and is reported",
        arguments: ["search/pets", "pets/preview"])
    func onlySearch(_ path: String) throws {
        let pet = schema("Pet", "id: { type: string }")
        let text = "Pet: only a search lists its records, so a pull gets what it finds"
        let imported = try imported([list("/\(path)", of: "Pet")], schemas: [pet])
        #expect(imported.lines.contains("remote: { path: /\(path), write: [] }"))
        #expect(imported.notes(.decided).contains(text))
        let other = try self.imported(
            [list("/\(path)", of: "Pet"), list("/my/own/animals", of: "Pet")], schemas: [pet])
        #expect(other.lines.contains("remote: { path: /my/own/animals, write: [] }"))
        #expect(!other.notes(.decided).contains(text))
        let own = try self.imported(
            [list("/filters", of: "Filter"), list("/preview", of: "Preview")],
            schemas: [
                schema("Filter", "id: { type: string }"), schema("Preview", "id: { type: string }"),
            ])
        #expect(!own.text.contains("only a search"))
    }

    @Test("A list that requires a query parameter is the last choice, and is reported")
    func parameters() throws {
        let pet = schema("Pet", "id: { type: string }")
        let parameter = "parameters: [{ name: q, in: query, required: true }, { name: page, in: query }], responses:"
        let pets = list("/pets", of: "Pet").replacing("responses:", with: parameter)
        let text = "Pet: the request that lists its records requires the parameter 'q'"
        #expect(try imported([pets], schemas: [pet]).notes(.decided).contains(text))
        let other = try imported([pets, list("/my/animals", of: "Pet")], schemas: [pet])
        #expect(other.lines.contains("remote: { path: /my/animals, write: [] }"))
        #expect(!other.notes(.decided).contains(text))
    }
}
