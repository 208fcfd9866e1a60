extension DiagnosticCatalogue {
    /// The entries of findings about apps and servers of two versions, apart from those that every change has.
    static let wireEntries: [CatalogueEntry] = [
        keyRemoved, requiredAdded, formChanged, typeChanged, caseAdded, writeAdded, writeRemoved, embeddingChanged,
    ]

    private static let keyRemoved = CatalogueEntry(
        code: DiagnosticCode(rawValue: "wire-key-removed"),
        title: "Removed JSON key",
        explanation: """
            A value is not sent any more. What older apps write is lost on a server that does not have it. If it was \
            required, older apps skip new records without it, and an older server needs it. Keep it on the server until \
            no older app is supported.
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
                attributes: { id: int, name: string }
            """,
        trigger: .compared(
            with: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    attributes: { id: int, name: string }
                """))

    private static let requiredAdded = CatalogueEntry(
        code: DiagnosticCode(rawValue: "wire-required-added"),
        title: "Added required value",
        explanation: """
            An older server does not send the value, so records without it are skipped; older apps do not send \
            it either. Give it a default, or make it optional.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, site: int }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, site: { type: int, default: 0 } }
            """,
        trigger: .compared(
            with: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    attributes: { id: int }
                """))

    private static let formChanged = CatalogueEntry(
        code: DiagnosticCode(rawValue: "wire-form-changed"),
        title: "Changed form in JSON",
        explanation: """
            The format or the limits of a value change. Apps read most forms of dates and numbers, but a date \
            pattern is read only by apps that know it, and a server may read one form only.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, soldAt: { type: date, wire: dd.MM.yyyy } }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, soldAt: date }
            """,
        trigger: .compared(
            with: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    attributes: { id: int, soldAt: date }
                """))

    private static let typeChanged = CatalogueEntry(
        code: DiagnosticCode(rawValue: "wire-type-changed"),
        title: "Changed type in JSON",
        explanation: """
            The other side sends or expects values of another type, or no value. Apps read a text as a number if \
            it is one; nothing else is guessed. Add another attribute with the new type.
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
        trigger: .compared(
            with: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    attributes: { id: int, price: string }
                """))

    private static let caseAdded = CatalogueEntry(
        code: DiagnosticCode(rawValue: "wire-case-added-to-closed"),
        title: "Added case of a closed enum",
        explanation: """
            Apps of an older version skip records with the new case, because the enum is closed in them. With \
            `closed: false`, apps keep values that they do not know.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            enums: { Size: { closed: true, cases: [small, large] } }
            entities:
              Product:
                attributes: { id: int, size: Size }
            """,
        right: """
            lockstep: 1
            schema: Shop
            enums: { Size: { closed: true, cases: [small] } }
            entities:
              Product:
                attributes: { id: int, size: Size }
            """,
        trigger: .compared(
            with: """
                lockstep: 1
                schema: Shop
                enums: { Size: { closed: true, cases: [small] } }
                entities:
                  Product:
                    attributes: { id: int, size: Size }
                """))

    private static let writeAdded = CatalogueEntry(
        code: DiagnosticCode(rawValue: "wire-write-added"),
        title: "Added write",
        explanation: """
            An older server does not accept what newer apps send. Release the server first.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                remote: { write: [create, update, delete] }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                remote: { write: [create, update] }
            """,
        trigger: .compared(
            with: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    attributes: { id: int }
                    remote: { write: [create, update] }
                """))

    private static let writeRemoved = CatalogueEntry(
        code: DiagnosticCode(rawValue: "wire-write-removed"),
        title: "Removed write",
        explanation: """
            Older apps send what a newer server does not accept. Let the server accept it until no such app is \
            supported.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                remote: { write: [create] }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                remote: { write: [create, update, delete] }
            """,
        trigger: .compared(
            with: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    attributes: { id: int }
                    remote: { write: [create, update, delete] }
                """))

    private static let embeddingChanged = CatalogueEntry(
        code: DiagnosticCode(rawValue: "wire-embedding-changed"),
        title: "Records instead of keys",
        explanation: """
            A relationship is sent as keys instead of records, or the other way round. Apps read an object in \
            place of a key, but not the rest, and a server may read one form only.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships:
                  maker: Maker?
              Maker:
                attributes: { id: int }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships:
                  maker: { to: Maker?, wire: embedded }
              Maker:
                attributes: { id: int }
            """,
        trigger: .compared(
            with: """
                lockstep: 1
                schema: Shop
                entities:
                  Product:
                    attributes: { id: int }
                    relationships:
                      maker: { to: Maker?, wire: embedded }
                  Maker:
                    attributes: { id: int }
                """))
}
