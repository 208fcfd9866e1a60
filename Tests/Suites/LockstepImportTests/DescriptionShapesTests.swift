import Foundation
import LockstepImport
import Testing

@Suite("Shapes that descriptions and Rails schemas have beside those of the fixtures")
struct DescriptionShapesTests {
    private func item(_ properties: String, _ others: String = "") -> String {
        """
        openapi: 3.1.0
        components:
          schemas:
            Item:
              \(others)
              type: object
              required: [id]
              properties:
                id: { type: string }
                \(properties)
        """
    }

    private func left(_ imported: ImportedSchema) -> [String] {
        imported.report.notes.filter { $0.kind == .left }.map { "\($0.location ?? ""): \($0.text)" }
    }

    @Test("Constants have the names of their titles if they are numbers, and their own if they are texts")
    func constants() throws {
        let imported = try importing(
            item(
                """
                level: { oneOf: [{ const: 1, title: Very low }, { const: 2 }, { const: null, title: None }] }
                        state: { anyOf: [{ const: draft, title: Not sent yet }, { const: sent }] }
                """), file: "api.yaml")
        #expect(imported.text.contains("ItemLevel: { type: int, cases: { veryLow: 1, value2: 2 } }"))
        #expect(imported.text.contains("ItemState: [draft, sent]"))
        #expect(left(imported).isEmpty)
    }

    @Test("Definitions inside of a schema are read if a reference leads to them, and reported if not")
    func definitions() throws {
        let definitions = """
            $defs:
                    Point: { type: object, properties: { x: { type: number }, y: { type: number, multipleOf: 2 } } }
                    Unused: { type: string }
            """
        let imported = try importing(
            item("place: { $ref: \"#/components/schemas/Item/$defs/Point\" }", definitions), file: "api.yaml")
        #expect(imported.text.contains("placeX: { type: double?, key: [place, x] }"))
        #expect(left(imported) == ["api.yaml:6: Item.y: multipleOf 2", "api.yaml:7: Item: $defs/Unused"])
    }

    @Test("A default that is a raw value of an enum is the name of its case")
    func enumDefaults() throws {
        let imported = try importing(
            item(
                """
                level: { type: integer, enum: [-1, 2], default: -1 }
                        state: { enum: [not-sent, sent], default: not-sent }
                        other: { enum: [sent], default: unheard }
                """), file: "api.yaml")
        #expect(imported.text.contains("level: { type: ItemLevel?, default: valueMinus1 }"))
        #expect(imported.text.contains("state: { type: ItemState?, default: notSent }"))
        #expect(imported.text.contains("other: ItemOther?"))
        #expect(
            left(imported) == [
                "api.yaml:12: Item.other: `default: unheard` was left out, because 'ItemOther' has no case 'unheard'"
            ])
    }

    @Test("Fixed values that are Booleans or fractions have their type, and the values are reported")
    func fixedValues() throws {
        let imported = try importing(
            item("flag: { const: true }\n        step: { enum: [0.5, 1, null] }"), file: "api.yaml")
        #expect(imported.text.contains("flag: bool?"))
        #expect(imported.text.contains("step: double?"))
        #expect(
            left(imported) == [
                "api.yaml:10: Item.flag: that it is one of true", "api.yaml:11: Item.step: that it is one of 0.5, 1",
            ])
    }

    @Test("An entity that consists of an abstract one and of others extends the former, and has the others' properties")
    func otherParts() throws {
        let imported = try importing(
            """
            openapi: 3.0.0
            components:
              schemas:
                Base: { required: [id], properties: { id: { type: string } } }
                Party: { allOf: [{ $ref: "#/components/schemas/Base" }], properties: { name: { type: string } } }
                Audited: { allOf: [{ $ref: "#/components/schemas/Base" }], properties: { audit: { type: string } } }
                Person: { allOf: [{ $ref: "#/components/schemas/Party" }], properties: { age: { type: integer } } }
                Company:
                  allOf: [{ $ref: "#/components/schemas/Party" }, { $ref: "#/components/schemas/Audited" }]
                  properties: { sector: { type: string } }

            """, file: "api.yaml")
        #expect(
            imported.text.contains(
                """
                  Company:
                    extends: Party
                    attributes:
                      audit: string?
                      sector: string?

                """))
        #expect(imported.report.notes.contains { $0.text == "Company has the properties of Audited" })
        #expect(left(imported) == ["api.yaml:6: Audited is not an entity: its properties are those of Company"])
    }

    @Test("A JSON Schema of a list has an entity for its elements")
    func list() throws {
        let text = """
            { "title": "Tasks", "type": "array", "minItems": 1,
              "items": { "type": "object", "properties": { "id": { "type": "integer" } } } }
            """
        let imported = try importing(
            "{ \"$schema\": \"https://json-schema.org/draft/2020-12/schema\"," + text.dropFirst(), file: "tasks.json")
        #expect(imported.text.contains("  Task:\n    attributes:\n      id: int\n"))
        #expect(left(imported) == ["tasks.json:1: minItems is not used"])
    }

    @Test("What a schema cannot say of paths is reported: a slash at the end, and writes of whole records")
    func paths() throws {
        let imported = try importing(
            """
            openapi: 3.0.0
            paths:
              /items/:
                get:
                  responses:
                    "200":
                      description: All.
                      content:
                        application/json:
                          schema: { type: array, items: { $ref: "#/components/schemas/Item" } }
              /items/{id}:
                put: { responses: { "204": { description: Replaced. } } }
            components: { schemas: { Item: { properties: { id: { type: string } } } } }

            """, file: "api.yaml")
        #expect(imported.text.contains("remote: { write: [update] }"))
        #expect(imported.report.notes.contains { $0.text == "Changed with PUT, which sends the whole record: Item" })
        #expect(left(imported) == ["api.yaml:3: The '/' at the end of a path"])
    }

    @Test("Unsigned columns have the minimum 0, and unsigned references are relationships")
    func unsigned() throws {
        let imported = try importing(
            """
            ActiveRecord::Schema[8.0].define(version: 1) do
              create_table "items", id: { type: :bigint, unsigned: true }, force: :cascade do |t|
                t.integer "amount", unsigned: true
                t.bigint "parent_id", unsigned: true
                t.string "name", unsigned: true
              end
            end

            """, file: "schema.rb")
        #expect(imported.text.contains("amount: { type: int?, min: 0 }"))
        #expect(imported.text.contains("parent: { to: Item?, inverse: children }"))
        #expect(
            left(imported) == [
                "schema.rb:2: items: unsigned: true of the primary key", "schema.rb:5: items.name: unsigned: true",
            ])
    }

    @Test("Enums of MySQL, which are in the type of a column, are enums")
    func columnEnums() throws {
        let imported = try importing(
            """
            ActiveRecord::Schema[8.0].define(version: 1) do
              create_table "orders", charset: "utf8mb4", force: :cascade do |t|
                t.column "status", "enum('new','in transit')", default: "in transit", null: false
                t.column "tags", "set('a','b')"
              end
            end

            """, file: "schema.rb")
        #expect(imported.text.contains("OrderStatus: { new: new, inTransit: in transit }"))
        #expect(imported.text.contains("status: { type: OrderStatus, default: inTransit }"))
        #expect(left(imported) == ["schema.rb:4: orders.tags has the type 'set('a','b')', which is not known"])
    }

    @Test("A join table whose columns have other types than the keys is reported")
    func joinTypes() throws {
        let imported = try importing(
            """
            ActiveRecord::Schema[8.0].define(version: 1) do
              create_table "items", id: :uuid, force: :cascade do |t|
              end
              create_table "items_tags", id: false, force: :cascade do |t|
                t.bigint "item_id", null: false
                t.bigint "tag_id", null: false
              end
              create_table "tags", force: :cascade do |t|
              end
            end

            """, file: "schema.rb")
        #expect(imported.report.counts.relationships == 0)
        #expect(left(imported).map { $0.prefix(37) } == ["schema.rb:4: items_tags, a join table"])
    }

    @Test("A table that Rails could not dump is reported")
    func undumpedTable() throws {
        let imported = try importing(
            """
            ActiveRecord::Schema[8.0].define(version: 1) do
            # Could not dump table "places" because of following StandardError
            #   Unknown type 'earth' for column 'center'

              create_table "items", force: :cascade do |t|
              end
            end

            """, file: "schema.rb")
        #expect(
            left(imported) == ["schema.rb:2: Could not dump table \"places\" because of following StandardError"])
    }
}
