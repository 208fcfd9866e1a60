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
        imported.report.notes.filter { $0.kind == .left }.map { "\($0.place ?? ""): \($0.text)" }
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

    @Test("Enums of MySQL, which are in the type of a column, are enums")
    func columnEnums() throws {
        let imported = try importing(
            """
            ActiveRecord::Schema[8.0].define(version: 1) do
              create_table "orders", charset: "utf8mb4", force: :cascade do |t|
                t.column "status", "enum('new','in transit')", default: "new", null: false
                t.column "tags", "set('a','b')"
              end
            end

            """, file: "schema.rb")
        #expect(imported.text.contains("OrderStatus: { new: new, inTransit: in transit }"))
        #expect(imported.text.contains("status: { type: OrderStatus, default: new }"))
        #expect(left(imported) == ["schema.rb:4: orders.tags has the type 'set('a','b')', which is not known"])
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
