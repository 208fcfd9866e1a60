import Testing

@testable import LockstepSchema

/// What people write who come from SQL, Rails, Core Data or Swift.
@Suite("Habits of other languages")
struct HabitTests {
    private func remedies(_ text: String) -> [String] { readSchemas([SchemaSource(text)]).diagnostics.map(\.remedy) }

    private func remedies(attributes: String, relationships: String = "") -> [String] {
        remedies(
            "lockstep: 1\nschema: S\nentities:\n  Entry:\n    attributes: { id: int, \(attributes) }\n"
                + "    relationships: { \(relationships) }\n")
    }

    @Test(
        "A type of another language leads to the one of this language",
        arguments: [
            ("text", "string"), ("str", "string"), ("String", "string"), ("varchar", "string"), ("boolean", "bool"),
            ("Bool", "bool"), ("integer", "int"), ("long", "int"), ("Int64", "int64"), ("bigint", "int"),
            ("datetime", "date"), ("timestamp", "date"), ("timestamp_tz", "date"), ("guid", "uuid"), ("UUID", "uuid"),
            ("blob", "data"), ("bytes", "data"), ("jsonb", "json"), ("dictionary", "json"), ("uri", "url"),
            ("real", "float"), ("numeric", "decimal"), ("text?", "string"),
        ])
    func types(written: String, meant: String) {
        #expect(remedies(attributes: "t: \(written)") == ["Did you mean '\(meant)'?"])
    }

    @Test(
        "A type with several counterparts, or with options, says what to write",
        arguments: [
            ("number", "Write 'int' for whole numbers, 'double' for others, or 'decimal' for exact ones."),
            ("array", "Write the type of its elements in brackets: '[string]'."),
            ("varchar(80)", "Write '{ type: string, maxLength: 80 }'."),
            ("image", "Write '{ type: data, attachment: true }'."),
        ])
    func typesWithOptions(written: String, remedy: String) {
        #expect(remedies(attributes: "t: \(written)") == [remedy])
    }

    @Test("A type of the schema is meant before one of another language")
    func ownTypes() {
        #expect(
            remedies(
                """
                lockstep: 1
                schema: Shop
                enums:
                  Number: [one, two]
                entities:
                  A: { attributes: { id: int, count: number } }
                """) == ["Did you mean 'Number'?"])
    }

    @Test("A key of another language is reported where it is, with what to write instead")
    func keys() {
        let text = """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                unique: [a, b]
            #   ^ unknown-key: 'unique' in an entity
                attributes:
                  code: { type: string, primaryKey: true }
            #                           ^ unknown-key: 'primaryKey' in an attribute
                  name: { type: string, required: true }
            #                           ^ unknown-key: 'required' in an attribute
                  note: { type: string, nullable: true }
            #                           ^ unknown-key: 'nullable' in an attribute
                relationships:
                  tags: { to: Tag, toMany: true }
            #                      ^ unknown-key: 'toMany' in a relationship
                  owner: { to: Tag, optional: true, unique: true }
            #                       ^ unknown-key: 'optional' in a relationship
            #                                       ^ unknown-key: 'unique' in a relationship
              Tag: { attributes: { id: int } }
            """
        expectDiagnostics(text)
        #expect(
            remedies(text) == [
                "Write 'unique: true' in the attribute or, for several, 'indexes: [{ on: [a, b], unique: true }]'.",
                "Remove it, and write 'identity: code' in the entity.",
                "Remove it. An attribute is required unless its type ends with '?', as in 'string?'.",
                "Did you mean 'optional'?",
                "Write the destination in brackets: 'to: [Tag]'.",
                "Write '?' after the destination: 'to: Tag?'. A to-many relationship can always be empty.",
                "Write it in the entity: 'indexes: [{ on: [owner], unique: true }]'.",
            ])
    }

    @Test("Keys are compared without case and underscores")
    func spellings() {
        let remedy = "Remove it, and write 'identity: t' in the entity."
        for key in ["primary_key", "PrimaryKey", "primarykey"] {
            #expect(remedies(attributes: "t: { type: string, \(key): true }") == [remedy])
        }
    }

    @Test("An attachment of another type is made data")
    func attachment() {
        let text = """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes:
                  id: uuid
                  photo: { type: string?, attachment: true }
            #                                         ^ option-does-not-fit: an attachment must be data
            """
        expectDiagnostics(text)
        #expect(remedies(text) == ["Write 'type: data?', or remove 'attachment:'."])
    }

    @Test("The elements of a list are not optional")
    func optionalElements() {
        let text = """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes:
                  id: uuid
                  tags: [string?]
            #            ^ malformed-type: the elements of a list cannot be optional
            """
        expectDiagnostics(text)
        #expect(remedies(text).first?.hasPrefix("Write '[string]' or, for an optional list, '\"[string]?\"'") == true)
    }
}

@Suite("One round for each mistake")
struct OneRoundTests {
    @Test("A lowercase name is reported once, with its uses; a use under the new name is not a mistake")
    func lowerCase() {
        let text = """
            lockstep: 1
            schema: Shop
            enums:
              size: [small, large]
            # ^ lower-case-name: 'size'
            entities:
              order_line:
            # ^ lower-case-name: 'order_line'
                attributes: { id: int, size: size, other: { type: Size, default: small } }
            #                                ^ note: 'size' is used here
                relationships: { next: OrderLine?, previous: order_line? }
            #                                                ^ note: 'order_line' is used here
            """
        expectDiagnostics(text)
        #expect(
            readSchemas([SchemaSource(text)]).diagnostics.map(\.remedy) == [
                "Rename it to 'Size', also where it is used.", "Rename it to 'OrderLine', also where it is used.",
            ])
    }

    @Test(
        "A name of a type that is not an identifier gets its final name at once",
        arguments: [
            ("my app", "MyApp"), ("my-app", "MyApp"), ("My App", "MyApp"), ("2 lists", "T2Lists"), ("_", "T_"),
            ("my_app", "MyApp"), ("bücher", "Bücher"),
        ])
    func typeNames(written: String, proposed: String) throws {
        let text = "lockstep: 1\nschema: \(written)\nentities: { A: { attributes: { id: int } } }\n"
        let remedy = try #require(readSchemas([SchemaSource(text)]).diagnostics.first?.remedy)
        #expect(remedy == "Rename it to '\(proposed)'.")
        let corrected = text.replacing("schema: \(written)", with: "schema: \(proposed)")
        #expect(readSchemas([SchemaSource(corrected)]).diagnostics.isEmpty)
    }

    @Test("A misspelled entity does not hide an unknown inverse or another mistake, at either end")
    func unknownEntities() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Author:
                attributes: { id: int }
                relationships:
                  books: { to: [Bok], inverse: autor, sortedBy: titel }
            #                   ^ unknown-entity: 'Bok'
            #                                  ^ unknown-inverse: 'Book' has no relationship 'autor'
            #                                                   ^ unknown-sort-attribute: 'titel'
              Book:
                attributes: { id: int, title: string }
                relationships:
                  author: { to: Autor?, inverse: boooks }
            #                   ^ unknown-entity: 'Autor'
            #                                    ^ unknown-inverse: 'Author' has no relationship 'boooks'
            """)
    }

    @Test("An inverse of a misspelled entity is suggested")
    func suggestion() {
        let text = """
            lockstep: 1
            schema: Shop
            entities:
              Author:
                attributes: { id: int }
                relationships: { books: { to: [Bok] } }
              Book:
                attributes: { id: int }
                relationships: { author: { to: Author?, inverse: boooks } }
            """
        #expect(
            readSchemas([SchemaSource(text)]).diagnostics.map(\.remedy)
                == ["Did you mean 'Book'?", "Did you mean 'books'?"])
    }

    @Test("An entity that is nothing like another one causes no further errors")
    func otherEntities() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Author:
                extends: Named
            #            ^ unknown-entity: 'Named'
                identity: name
                attributes: { id: int }
                relationships: { books: { to: [Publication], inverse: writer, sortedBy: name } }
            #                                  ^ unknown-entity: 'Publication'
              Book:
                attributes: { id: int }
                relationships: { author: { to: Author?, inverse: works } }
            """)
    }
}
