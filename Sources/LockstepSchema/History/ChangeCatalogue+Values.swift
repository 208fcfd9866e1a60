// What changes the values of records, and what a server notices.

extension DiagnosticCatalogue {
    static let addsRequired = CatalogueEntry(
        code: DiagnosticCode(rawValue: "adds-required"),
        title: "Added required member",
        explanation: """
            Existing records have no value of a required attribute without default. `--fill Product.stock=0` gives \
            all of them one. `--refetch Product` deletes them and pulls them again, except for those with changes \
            that are not pushed. A required relationship can be pulled again.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, name: string, stock: int }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, name: string, stock: { type: int, default: 0 } }
            """,
        trigger: .changed(
            from: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    attributes: { id: int, name: string }
                """))

    static let becomesRequired = CatalogueEntry(
        code: DiagnosticCode(rawValue: "becomes-required"),
        title: "Becomes required",
        explanation: """
            Some records may have no value. The answers are those of `adds-required`. If the attribute has a \
            default, such records get it.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, note: string }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, note: { type: string, default: "" } }
            """,
        trigger: .changed(
            from: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    attributes: { id: int, note: string? }
                """))

    static let becomesUnique = CatalogueEntry(
        code: DiagnosticCode(rawValue: "becomes-unique"),
        title: "Becomes unique",
        explanation: """
            Several records may have the same value. `--duplicates 'Product.code=keepNewest(by: updatedAt)'` and \
            `keepFirst` keep one of them and move the links of the others to it; `refetch` deletes them, and pulls \
            them again.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, code: { type: string, unique: true } }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, code: string }
            """,
        trigger: .changed(
            from: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    attributes: { id: int, code: string }
                """))

    static let tightensLimit = CatalogueEntry(
        code: DiagnosticCode(rawValue: "tightens-limit"),
        title: "Tighter limit",
        explanation: """
            The new limit excludes values that were allowed. `--otherwise Product.stock=99` replaces such values; \
            `--refetch Product` pulls the records again.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, stock: { type: int, max: 99 } }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, stock: { type: int, max: 9999 } }
            """,
        trigger: .changed(
            from: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    attributes: { id: int, stock: { type: int, max: 999 } }
                """))

    static let narrowsType = CatalogueEntry(
        code: DiagnosticCode(rawValue: "narrows-type"),
        title: "Narrower type",
        explanation: """
            Not every value can be converted to the new type. `--convert Product.price=number --otherwise 0` \
            converts what it can, and replaces the others; `text` is the conversion to strings, dates, UUIDs and \
            enums of strings. A relationship that is stored in another way loses its links, which `--remove` \
            accepts. A wider type, such as `int` for `int16`, needs no answer.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, price: decimal }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, price: string }
            """,
        trigger: .changed(
            from: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    attributes: { id: int, price: string }
                """))

    static let removesCase = CatalogueEntry(
        code: DiagnosticCode(rawValue: "removes-case"),
        title: "Removed case of a closed enum",
        explanation: """
            Some records may have the case. `--case Size.tiny=small` replaces it, as `renamedFrom:` at the other \
            case does. If an enum becomes closed, `--otherwise Size=small` replaces values that are none of its \
            cases. An open enum needs no answer: the value stays, as `unknown`.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            enums:
              Size: { closed: true, cases: [small, large] }
            entities:
              Product:
                attributes: { id: int, size: Size }
            """,
        right: """
            lockstep: 1
            schema: Shop
            enums:
              Size: { closed: true, cases: [tiny, small, large] }
            entities:
              Product:
                attributes: { id: int, size: Size }
            """,
        trigger: .changed(
            from: """
                lockstep: 1
                schema: Shop
                enums:
                  Size: { closed: true, cases: [tiny, small] }
                entities:
                  Product:
                    attributes: { id: int, size: Size }
                """))

    static let changesIdentity = CatalogueEntry(
        code: DiagnosticCode(rawValue: "changes-identity"),
        title: "Changed identity",
        explanation: """
            Links, local changes, versions and the server refer to records by their identity. It does not change, \
            except for a wider integer, or a new name. Add another entity, and pull its records.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                identity: code
                attributes: { id: int, code: string }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                identity: id
                attributes: { id: int, code: string }
            """,
        trigger: .changed(
            from: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    identity: id
                    attributes: { id: int, code: string }
                """))

    static let slowOnLargeTables = CatalogueEntry(
        code: DiagnosticCode(rawValue: "slow-on-large-tables"),
        title: "Slow on large tables",
        explanation: """
            A note. The change reads or writes all rows of a table, once, when a store is opened. The seconds are \
            those of a million rows.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, name: { type: string, indexed: true } }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, name: string }
            """,
        trigger: .changed(
            from: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    attributes: { id: int, name: string }
                """))

    static let wireKeyChanged = CatalogueEntry(
        code: DiagnosticCode(rawValue: "wire-key-changed"),
        title: "Changed JSON key",
        explanation: """
            A warning. The key in JSON is derived from the name, so it changes with it. If the server's key stays, \
            write `key:`.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, sku: { type: string, renamedFrom: code } }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, sku: { type: string, renamedFrom: code, key: code } }
            """,
        trigger: .changed(
            from: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    attributes: { id: int, code: string }
                """))

    static let wirePathChanged = CatalogueEntry(
        code: DiagnosticCode(rawValue: "wire-path-changed"),
        title: "Changed path",
        explanation: """
            A warning. The path on the server is derived from the entity's name, so it changes with it. If the \
            server's path stays, write `remote: { path: … }`.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                remote: { path: /items }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                remote: { path: /products }
            """,
        trigger: .changed(
            from: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    attributes: { id: int }
                    remote: { path: /products }
                """))
}
