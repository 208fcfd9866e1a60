import LockstepGenerator
import LockstepSchema
import Testing

@Suite("Many to many")
struct ManyToManyTests {
    private func shop(_ rule: DeleteRule, local: Bool) -> Schema {
        makeSchema(
            entities: [
                entity(
                    "Product", [attribute("id", .int)],
                    [
                        manyToMany(
                            "tags", to: "Tag", inverse: "products", through: "product_tag", isLeft: true, onDelete: rule
                        )
                    ]
                ),
                entity(
                    "Tag", identity: .attributes(["group", "name"]),
                    [attribute("group", .string), attribute("name", .string)],
                    [manyToMany("products", to: "Product", inverse: "tags", through: "product_tag", isLeft: false)]
                ),
            ],
            joinTables: [
                JoinTable(
                    name: "product_tag",
                    left: .init(
                        entity: "Product", relationship: "tags", columns: ["product_id"],
                        positionColumn: "tags_position"
                    ),
                    right: .init(
                        entity: "Tag", relationship: "products", columns: ["tag_group", "tag_name"], positionColumn: nil
                    ),
                    isLocal: local
                )
            ]
        )
    }

    @Test("The join table")
    func joinTable() {
        let file = String(decoding: sqlFile(for: shop(.cascade, local: false), dialect: .sqlite), as: UTF8.self)
        #expect(
            file.contains(
                """
                -- Product.tags and Tag.products
                CREATE TABLE "product_tag" (
                    "product_id" INTEGER NOT NULL,
                    "tag_group" TEXT NOT NULL,
                    "tag_name" TEXT NOT NULL,
                    "tags_position" INTEGER,
                    PRIMARY KEY ("product_id", "tag_group", "tag_name")
                );

                CREATE INDEX "product_tag_tag_group_tag_name" ON "product_tag" ("tag_group", "tag_name");

                CREATE TRIGGER "product_delete" AFTER DELETE ON "product"
                BEGIN
                    DELETE FROM "tag" WHERE ("group", "name")
                        IN (SELECT "tag_group", "tag_name" FROM "product_tag" WHERE "product_id" = OLD."id");
                    DELETE FROM "product_tag" WHERE "product_id" = OLD."id";
                END;
                """
            )
        )
    }

    private let rows = """
        INSERT INTO product (id) VALUES (1), (2), (3);
        INSERT INTO tag ("group", name) VALUES ('a', 'x'), ('a', 'y'), ('b', 'x');
        INSERT INTO product_tag (product_id, tag_group, tag_name) VALUES
            (1, 'a', 'x'), (1, 'a', 'y'), (2, 'a', 'y'), (2, 'b', 'x')
        """
    private let links = "SELECT product_id, tag_group, tag_name FROM product_tag ORDER BY 1, 2, 3"
    private let tags = #"SELECT "group", name FROM tag ORDER BY 1, 2"#

    @Test("Either end deletes the links, whatever the rule", arguments: Engine.available, [DeleteRule.nullify, .none])
    func links(engine: Engine, rule: DeleteRule) throws {
        let schema = shop(rule, local: engine.isLocal)
        #expect(
            try engine.rows(schema, "\(rows); DELETE FROM product WHERE id = 1", then: links) == ["2|a|y", "2|b|x"])
        #expect(
            try engine.rows(schema, "\(rows); DELETE FROM tag WHERE name = 'y'", then: links) == ["1|a|x", "2|b|x"]
        )
        #expect(try engine.rows(schema, "\(rows); DELETE FROM product", then: tags) == ["a|x", "a|y", "b|x"])
    }

    @Test("Cascade deletes the linked records, and their other links", arguments: Engine.available)
    func cascade(engine: Engine) throws {
        let schema = shop(.cascade, local: engine.isLocal)
        let delete = "\(rows); DELETE FROM product WHERE id = 1"
        #expect(try engine.rows(schema, delete, then: tags) == ["b|x"])
        #expect(try engine.rows(schema, delete, then: links) == ["2|b|x"])
    }

    @Test("Deny fails while there is a link", arguments: Engine.available)
    func deny(engine: Engine) throws {
        let schema = shop(.deny, local: engine.isLocal)
        let failure = try engine.failure(schema, rows, then: "DELETE FROM product WHERE id = 1")
        let expected = engine == .postgresql ? "product_tag_product_id_fkey" : "lockstep.deny: Product.tags"
        #expect(failure?.contains(expected) == true, "\(failure ?? "no failure")")
        #expect(try engine.failure(schema, rows, then: "DELETE FROM product WHERE id = 3") == nil)
    }

    @Test("A relationship that is its own inverse loses its links on both sides", arguments: Engine.available)
    func ownInverse(engine: Engine) throws {
        let end = { (column: String) in
            JoinTable.End(entity: "Person", relationship: "friends", columns: [column], positionColumn: nil)
        }
        let schema = makeSchema(
            entities: [
                entity(
                    "Person", [attribute("id", .int)],
                    [manyToMany("friends", to: "Person", inverse: "friends", through: "friends", isLeft: true)]
                )
            ],
            joinTables: [JoinTable(name: "friends", left: end("a"), right: end("b"), isLocal: engine.isLocal)]
        )
        let rows = try engine.rows(
            schema,
            """
            INSERT INTO person (id) VALUES (1), (2), (3);
            INSERT INTO friends (a, b) VALUES (1, 2), (2, 3), (3, 1);
            DELETE FROM person WHERE id = 1
            """,
            then: "SELECT a, b FROM friends"
        )
        #expect(rows == ["2|3"])
    }
}
