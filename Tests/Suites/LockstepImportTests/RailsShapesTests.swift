import Foundation
import LockstepImport
import Testing

@Suite("Shapes that Rails schemas have beside those of the fixture")
struct RailsShapesTests {
    private func imported(_ tables: String) throws -> ImportedSchema {
        try importing("ActiveRecord::Schema[8.0].define(version: 1) do\n\(tables)\nend\n", file: "schema.rb")
    }

    private func notes(_ imported: ImportedSchema, _ kind: ImportNote.Kind) -> [String] {
        imported.report.notes.filter { $0.kind == kind }.map { "\($0.location ?? ""): \($0.text)" }
    }

    @Test("A table without a key stays on the device, and its JSON has no key")
    func noKey() throws {
        let imported = try imported(
            """
              create_table "events", id: false, force: :cascade do |t|
                t.string "kind"
              end
            """)
        #expect(
            imported.text.contains(
                """
                  Event:
                    identity: localID
                    remote: none
                    attributes:
                      localID: { type: uuid, default: new, wire: none }  # chosen by import: the table has no key
                      kind: string?

                """))
        let note = "schema.rb:2: events: nothing identifies its records, so they cannot be pulled"
        #expect(notes(imported, .decided)[0].hasPrefix(note))
    }

    @Test("The options of a reference are those of its column, and not reported for its foreign key")
    func references() throws {
        let imported = try imported(
            """
              create_table "books", force: :cascade do |t|
                t.references "author", null: false, foreign_key: true
                t.references "editor", foreign_key: { to_table: :authors, deferrable: :deferred }
              end
              create_table "authors", force: :cascade do |t|
              end
            """)
        #expect(imported.text.contains("author: { to: Author, inverse: books }"))
        #expect(imported.text.contains("editor: { to: Author?, inverse: booksByEditor }"))
        #expect(
            notes(imported, .left) == ["schema.rb:4: The foreign key of books to authors: deferrable: :deferred"])
    }

    @Test("Defaults of lists are those of the schema, empty ones too: a required list without one must be sent")
    func listDefaults() throws {
        let imported = try imported(
            """
              create_enum "mood", ["so so", "fine"]
              create_table "items", force: :cascade do |t|
                t.text "a", default: [], array: true
                t.text "b", default: [], null: false, array: true
                t.text "c", default: ["x", "y"], null: false, array: true
                t.integer "d", default: "{}", array: true
                t.integer "e", default: ["x"], array: true
                t.enum "f", default: ["so so"], array: true, enum_type: "mood"
              end
            """)
        #expect(imported.text.contains("a: { type: \"[string]?\", default: [] }"))
        #expect(imported.text.contains("b: { type: [string], default: [] }"))
        #expect(imported.text.contains("c: { type: [string], default: [x, y] }"))
        #expect(imported.text.contains("d: { type: \"[int]?\", default: [] }"))
        #expect(imported.text.contains("e: \"[int]?\"\n"))
        #expect(imported.text.contains("f: { type: \"[Mood]?\", default: [soSo] }"))
        #expect(notes(imported, .left) == ["schema.rb:8: items.e: DEFAULT [\"x\"]"])
    }

    @Test("A relationship that has the name of a column keeps its JSON key")
    func takenName() throws {
        let imported = try imported(
            """
              create_table "books", force: :cascade do |t|
                t.string "user"
                t.bigint "user_id"
              end
              create_table "users", force: :cascade do |t|
              end
            """)
        #expect(imported.text.contains("      user: string?\n"))
        #expect(imported.text.contains("userRecord: { to: User?, inverse: books, key: user_id }"))
        #expect(
            notes(imported, .decided).contains(
                "schema.rb:4: books.user_id is the relationship 'userRecord': the name 'user' is that of a column"))
    }

    @Test("Indexes and unique constraints are those of the schema, and others stay on the server")
    func indexes() throws {
        let imported = try imported(
            """
              create_table "orders", force: :cascade do |t|
                t.jsonb "meta"
                t.string "number"
                t.date "placed_on"
                t.index ["meta"], using: :gin
                t.index ["placed_on", "number"], order: { placed_on: :desc }
                t.unique_constraint ["number"], name: "uq"
                t.index ["number", "secret_key"], unique: true
                t.exclusion_constraint "\\"window\\" WITH &&", using: :gist
                t.index "lower((number)::text)", unique: true
                t.index ["number"], where: "(placed_on IS NULL)"
              end
            """)
        #expect(imported.lines.contains("number: { type: string?, unique: true }"))
        #expect(imported.lines.contains("- [placedOn, number]"))
        #expect(
            notes(imported, .left) == [
                "schema.rb:10: orders: the exclusion constraint over \"window\" WITH &&",
                "schema.rb:9: orders: the unique index index_orders_on_number_and_secret_key over number, secret_key",
                "schema.rb:11: orders: the unique index index_orders_on_lower((number)::text), over an "
                    + "expression: (lower((number)::text))",
                "schema.rb:12: orders: the index index_orders_on_number, a partial one: (number) "
                    + "WHERE (placed_on IS NULL)",
                "schema.rb:6: orders: the index over meta: using: :gin",
            ])
    }

    @Test("Conditions are limits and enums, as those of a database are, and others are reported with their line")
    func conditions() throws {
        let imported = try imported(
            """
              create_table "items", force: :cascade do |t|
                t.integer "count"
                t.string "kind"
                t.string "code"
                t.check_constraint "count > 0 AND count <= 10", name: "a"
                t.check_constraint "kind::text = ANY (ARRAY['raw'::text, 'done'::text])", name: "b"
                t.check_constraint "char_length(`code`) <= 3", name: "c"
                t.check_constraint "code <> kind", name: "d"
              end
              add_check_constraint "items", "count < 9 OR kind IS NULL", name: "e"
            """)
        #expect(imported.lines.contains("count: { type: int?, min: 1, max: 10 }"))
        #expect(imported.lines.contains("ItemKind: { closed: true, cases: [raw, done] }"))
        #expect(imported.lines.contains("code: { type: string?, maxLength: 3 }"))
        #expect(
            notes(imported, .left) == [
                "schema.rb:9: items: CHECK (code <> kind)", "schema.rb:11: items: CHECK (count < 9 OR kind IS NULL)",
            ])
    }

    @Test(
        "Defaults that the database makes are made on the device, too",
        arguments: [
            ("t.datetime \"x\", default: -> { \"CURRENT_TIMESTAMP(6)\" }", "x: { type: date?, default: now }"),
            ("t.datetime \"x\", default: -> { \"now()\" }", "x: { type: date?, default: now }"),
            ("t.uuid \"x\", default: -> { \"uuid()\" }", "x: { type: uuid?, default: new }"),
            ("t.uuid \"x\", default: \"gen_random_uuid()\"", "x: { type: uuid?, default: new }"),
            ("t.datetime \"x\", default: -> { \"now() + '1 day'::interval\" }", "x: date?"),
            (
                "t.datetime \"x\", default: \"2020-01-01 00:00:00\"",
                "x: { type: date?, default: \"2020-01-01T00:00:00Z\" }"
            ),
            ("t.json \"x\", default: { \"a\" => 1 }", "x: { type: json?, default: { a: 1 } }"),
            ("t.boolean \"x\", default: \"t\"", "x: { type: bool?, default: true }"),
            ("t.binary \"x\", default: \"t\"", "x: data?"),
        ])
    func defaults(column: String, line: String) throws {
        let imported = try imported("  create_table \"items\", force: :cascade do |t|\n    \(column)\n  end")
        #expect(imported.lines.contains(line))
        #expect(notes(imported, .left).count == (line.contains("default") ? 0 : 1))
    }

    @Test("A foreign key of several columns, or of an unknown table, is reported, and its columns are attributes")
    func lostKeys() throws {
        let imported = try imported(
            """
              create_table "lines", force: :cascade do |t|
                t.bigint "shop_id"
                t.bigint "number"
                t.bigint "ghost_id"
                t.uuid "parent_id"
              end
              add_foreign_key "lines", "doubles", column: ["shop_id", "number"], primary_key: ["shop_id", "number"]
              add_foreign_key "lines", "ghosts"
              add_foreign_key "ghosts", "lines"
            """)
        #expect(imported.report.counts.relationships == 0)
        #expect(
            notes(imported, .left) == [
                "schema.rb:8: The foreign key of lines to doubles over shop_id, number",
                "schema.rb:10: The foreign key of ghosts to lines: there is no table 'ghosts'",
                "schema.rb:6: lines.parent_id: the relationship to lines",
                "schema.rb:9: lines.ghost_id: the reference to ghosts, because there is no such table",
            ])
    }

    @Test("Columns in camelCase are keys as they are")
    func camelCase() throws {
        let imported = try imported(
            """
              create_table "books", force: :cascade do |t|
                t.string "shortTitle"
                t.string "longTitle"
              end
            """)
        #expect(imported.lines.contains("shortTitle: string?"))
        #expect(!imported.text.contains("snake_case"))
    }

    @Test("A table that a column names can have the prefix of its own")
    func prefix() throws {
        let imported = try imported(
            """
              create_table "spree_orders", force: :cascade do |t|
              end
              create_table "spree_products", force: :cascade do |t|
              end
              create_table "spree_line_items", force: :cascade do |t|
                t.bigint "order_id", null: false
                t.bigint "product_id"
              end
              create_table "spree_taxons", force: :cascade do |t|
              end
              create_table "spree_products_taxons", id: false, force: :cascade do |t|
                t.bigint "product_id", null: false
                t.bigint "taxon_id", null: false
              end
              create_table "products", force: :cascade do |t|
                t.bigint "order_id"
              end
            """)
        #expect(imported.lines.contains("order: { to: SpreeOrder, inverse: spreeLineItems }"))
        #expect(imported.lines.contains("spreeLineItems: { to: [SpreeLineItem], inverse: order }"))
        #expect(imported.lines.contains("orderID: int?"))
        #expect(imported.notes(.left).isEmpty, "\(imported.notes(.left))")
        #expect(imported.notes(.decided).contains { $0.hasPrefix("spree_products_taxons, a join table, is") })
    }

    @Test("Texts with the names of secrets are left out, and dates and counts with such names are kept")
    func secrets() throws {
        let imported = try imported(
            """
              create_table "accounts", force: :cascade do |t|
                t.text "private_key"
                t.string "encrypted_password", null: false
                t.string "reset_password_token"
                t.datetime "reset_password_sent_at"
                t.integer "secret_count"
              end
            """)
        #expect(
            imported.notes(.left)
                == ["private_key", "encrypted_password", "reset_password_token"].map {
                    "accounts.\($0), a secret of the server"
                })
        #expect(imported.lines.contains("resetPasswordSentAt: date?"))
        #expect(imported.lines.contains("secretCount: int?"))
    }

    @Test("Of a table of Rails itself, nothing else is reported")
    func internalTable() throws {
        let imported = try imported(
            """
              create_table "active_storage_attachments", force: :cascade do |t|
                t.bigint "blob_id", null: false
              end
              create_table "books", force: :cascade do |t|
              end
              add_foreign_key "active_storage_attachments", "active_storage_blobs", column: "blob_id"
            """)
        #expect(imported.notes(.left) == ["active_storage_attachments, a table of Rails itself"])
    }

    @Test("A table with the name of the representation of another gets another name")
    func representations() throws {
        let imported = try imported(
            """
              create_table "posts", force: :cascade do |t|
              end
              create_table "post_representations", force: :cascade do |t|
              end
            """)
        #expect(imported.lines.contains("Post:"))
        #expect(imported.lines.contains("PostRepresentation2:"))
    }

    @Test(
        "create_join_table makes relationships at both ends, with a block and without",
        arguments: [" do |t|\n  end", ""])
    func joinTables(block: String) throws {
        let imported = try imported(
            """
              create_table "groups" do |t|
              end
              create_table "posts" do |t|
              end
              create_join_table "groups", "posts"\(block)
            """)
        #expect(imported.report.counts.entities == 2)
        #expect(imported.lines.contains("posts: { to: [Post], inverse: groups }"))
        #expect(imported.lines.contains("groups: { to: [Group], inverse: posts }"))
    }

    @Test("A join table with other columns has no key of its own")
    func joinTablesWithColumns() throws {
        let imported = try imported(
            """
              create_table "groups" do |t|
              end
              create_table "posts" do |t|
              end
              create_join_table "groups", "posts" do |t|
                t.string "role"
              end
            """)
        #expect(imported.lines.contains("identity: localID"))
        #expect(imported.lines.contains("role: string?"))
    }

    @Test("A table with a unique index over one of its two keys is no join table: the other end has one record")
    func uniqueKeys() throws {
        let imported = try imported(
            """
              create_table "groups" do |t|
              end
              create_table "posts" do |t|
              end
              create_table "pins", id: false do |t|
                t.bigint "group_id", null: false
                t.bigint "post_id"
                t.index ["post_id"], unique: true
              end
            """)
        #expect(imported.lines.contains("Pin:"))
        #expect(imported.text.contains("to: Pin?"))
    }

    @Test("A column is not named after its own table, whose name is longer")
    func ownPrefix() throws {
        let imported = try imported(
            """
              create_table "order_items" do |t|
                t.bigint "item_id"
              end
            """)
        #expect(imported.report.counts.relationships == 0)
        let note = "order_items.item_id is an attribute: there is no table 'items'"
        #expect(imported.notes(.decided).contains(note))
    }

    @Test("A foreign key over a column that does not exist names the column")
    func missingColumns() throws {
        let imported = try imported(
            """
              create_table "groups" do |t|
              end
              create_table "posts" do |t|
                t.bigint "group_id"
              end
              add_foreign_key "posts", "groups", column: "team_id"
              add_foreign_key "posts", "groups", primary_key: "code"
            """)
        #expect(
            imported.notes(.left) == [
                "posts.group_id: the reference to groups, because it has no column 'code'",
                "posts.team_id: the reference to groups, because there is no column 'team_id'",
            ])
    }

    @Test("The default of a UUID is imported")
    func uuidDefault() throws {
        let imported = try imported(
            """
              create_table "posts" do |t|
                t.uuid "key", default: "550e8400-e29b-41d4-a716-446655440000"
              end
            """)
        #expect(imported.lines.contains("key: { type: uuid?, default: 550e8400-e29b-41d4-a716-446655440000 }"))
        #expect(imported.notes(.left) == [])
    }
}
