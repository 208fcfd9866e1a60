/// The names of an entity's members must be unique in Swift, including those that belong to a relationship: its foreign
/// key, its position in an ordered list, an implied other end.
enum NameClash: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for clash in draft.clashes where clash.kind == .member {
            // A reserved name is reported as such, even if it is used twice.
            if !ReservedNames.members.contains(clash.name) { report.add(message(clash)) }
        }
    }

    private static func message(_ clash: Clash) -> Diagnostic {
        Diagnostic(
            .nameClash, at: clash.second.range,
            message:
                "'\(clash.name)' in '\(clash.entity.name)' is the name of \(clash.first.text) and \(clash.second.text)",
            remedy: remedy(clash),
            notes: [Diagnostic.Note("\(clash.first.text.capitalizingFirst) is here", at: clash.first.range)])
    }

    private static func remedy(_ clash: Clash) -> String {
        switch (clash.first, clash.second) {
        case (.attribute(let attribute), .foreignKey):
            "Remove the attribute '\(attribute.name)', which the relationship includes, or rename one "
                + "of the two."
        default:
            "Rename one of the two, and keep its JSON key with 'key:'."
        }
    }

    static let entry = CatalogueEntry(
        code: .nameClash,
        title: "Duplicate member name",
        explanation: """
            Attributes and relationships of an entity share one scope in Swift. A to-one relationship includes its \
            foreign key, such as `productID` for `product`, so you do not need an attribute with that name.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
              Review:
                attributes: { id: int, productID: int }
                relationships: { product: Product? }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
              Review:
                attributes: { id: int }
                relationships: { product: Product? }
            """)
}

extension DiagnosticCode {
    /// Two members of an entity with the same name in Swift.
    package static let nameClash = DiagnosticCode(rawValue: "name-clash")
}
