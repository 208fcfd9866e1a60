extension DiagnosticCatalogue {
    /// The entries of findings about changes from one version to the next.
    static let changeEntries: [CatalogueEntry] = [
        possibleRename, removesAttribute, removesRelationship, removesEntity, addsRequired, becomesRequired,
        becomesSynced, becomesUnique, tightensLimit, narrowsType, removesCase, changesIdentity, slowOnLargeTables,
        wireKeyChanged, wirePathChanged,
    ]
}

// MARK: What is renamed and removed

extension DiagnosticCatalogue {
    static let possibleRename = CatalogueEntry(
        code: DiagnosticCode(rawValue: "possible-rename"),
        title: "Possible rename",
        explanation: """
            Something is gone, and something of the same type has come: it may have another name, or be something \
            else. `--rename Product.code=sku` keeps the values, `--remove Product.code` does not. `renamedFrom:` in \
            the schema is the same as `--rename`, and can be removed when the version is recorded.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, sku: { type: string, key: code } }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, sku: { type: string, key: code, renamedFrom: code } }
            """,
        trigger: .changed(
            from: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    attributes: { id: int, code: string }
                """))

    static let removesAttribute = CatalogueEntry(
        code: DiagnosticCode(rawValue: "removes-attribute"),
        title: "Removed attribute",
        explanation: """
            The column and its values are removed from every store. The server keeps what it has; a local change \
            that is not pushed becomes a leftover. The values of an entity with `remote: none` are nowhere else. \
            `--remove Product.code` records it.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, name: string }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, name: string, code: string }
            """,
        trigger: .changed(
            from: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    attributes: { id: int, name: string, code: string }
                """))

    static let removesRelationship = CatalogueEntry(
        code: DiagnosticCode(rawValue: "removes-relationship"),
        title: "Removed relationship",
        explanation: """
            The links are removed from every store. `--remove Product.maker` records it.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
              Maker:
                attributes: { id: int }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships: { maker: Maker? }
              Maker:
                attributes: { id: int }
            """,
        trigger: .changed(
            from: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    attributes: { id: int }
                    relationships: { maker: Maker? }
                  Maker:
                    attributes: { id: int }
                """))

    static let removesEntity = CatalogueEntry(
        code: DiagnosticCode(rawValue: "removes-entity"),
        title: "Removed entity",
        explanation: """
            The table and its records are removed from every store. The server keeps what it has; changes that are \
            not pushed become leftovers. The records of an entity with `remote: none` are nowhere else. `--remove \
            Draft` records it.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
              Draft:
                attributes: { id: uuid }
                remote: none
            """,
        trigger: .changed(
            from: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    attributes: { id: int }
                  Draft:
                    attributes: { id: uuid }
                    remote: none
                """))
}

// MARK: What begins to be synced

extension DiagnosticCatalogue {
    static let becomesSynced = CatalogueEntry(
        code: DiagnosticCode(rawValue: "becomes-synced"),
        title: "Begins to be synced",
        explanation: """
            The records of the entity were only on the device (`remote: none`), and begin to be synced. `--first \
            Draft=push` sends each existing record as a new one, when the file is migrated. With `--first Draft=pull`, \
            existing records count as unchanged: a pull matches them by their identities, and may delete those that \
            the server does not list.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Draft:
                attributes: { id: uuid }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Draft:
                attributes: { id: uuid }
                remote: none
            """,
        trigger: .changed(
            from: """
                lockstep: 1
                schema: Shop
                entities:
                  Draft:
                    attributes: { id: uuid }
                    remote: none
                """))
}
