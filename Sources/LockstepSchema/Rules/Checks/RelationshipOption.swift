/// Options that contradict the relationship: an order for one record, a list of IDs for one record, a column although
/// the key is stored elsewhere, a key for a relationship that is not in JSON.
enum RelationshipOption: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for relationship in draft.relationships where !relationship.declaration.isUnreadable {
            check(relationship, into: &report)
        }
        for link in draft.links where link.storage != nil { check(link, into: &report) }
    }

    /// Checks that only need the declaration.
    private static func check(_ relationship: DraftRelationship, into report: inout Report) {
        let declaration = relationship.declaration
        let isOrdered = declaration.isOrdered.flatMap { $0.value ? $0.range : nil }
        if declaration.isToMany {
            if let isOrdered, let key = declaration.sortedBy.first {
                report.add(
                    message(
                        "sortedBy", at: key.range, reason: "'\(relationship.name)' keeps an order of its own",
                        remedy: "Remove 'sortedBy:' or 'ordered:'.",
                        notes: [Diagnostic.Note("It is ordered here", at: isOrdered)]
                    ))
            }
            if let wire = declaration.wire, wire.value == .id {
                report.add(
                    message(
                        "wire: id", at: wire.range, reason: "'\(relationship.name)' is a to-many relationship",
                        remedy: "Write 'ids', 'embedded' or 'none'."))
            }
        } else {
            let reason = "'\(relationship.name)' is a to-one relationship"
            if let isOrdered {
                report.add(message("ordered", at: isOrdered, reason: reason, remedy: "Remove 'ordered:'."))
            }
            if let key = declaration.sortedBy.first {
                report.add(message("sortedBy", at: key.range, reason: reason, remedy: "Remove 'sortedBy:'."))
            }
            if let wire = declaration.wire, wire.value == .ids {
                report.add(
                    message("wire: ids", at: wire.range, reason: reason, remedy: "Write 'id', 'embedded' or 'none'."))
            }
        }
    }

    /// Checks that depend on the other end.
    private static func check(_ link: Link, into report: inout Report) {
        let keyCount = link.destination?.identity.keyAttributes.count ?? 0
        if let column = link.declaration?.column {
            if link.storage != .foreignKey {
                let holder = link.storage == .joinTable ? "a table of its own" : "'\(link.destination?.name ?? "")'"
                report.add(
                    message(
                        "column", at: column.range, reason: "the links of '\(link.name)' are stored in \(holder)",
                        remedy: "Remove 'column:'."))
            } else if keyCount > 1 {
                report.add(
                    message(
                        "column", at: column.range, reason: severalKeys(link, count: keyCount),
                        remedy: "Remove 'column:'."))
            }
        }
        checkTable(link, into: &report)
        checkKeyHolder(link, into: &report)
        checkUnlisted(link, into: &report)
        checkOtherKey(link, into: &report)
        checkRowsOfJoinTable(link, keyCount: keyCount, into: &report)
        guard let key = link.declaration?.key else { return }
        switch link.wire {
        case .none:
            // A missing identity is reported by another rule.
            guard keyCount > 0 || link.declaration?.wire?.value == RelationshipWireDeclaration.none else { return }
            report.add(
                message(
                    "key", at: key.range, reason: "'\(link.name)' is not sent",
                    remedy: "Remove 'key:', or set 'wire:'."))
        case .id where keyCount > 1:
            report.add(
                message("key", at: key.range, reason: severalKeys(link, count: keyCount), remedy: "Remove 'key:'."))
        case .id, .ids, .embedded: break
        }
    }

    /// Records in the rows of a join table, or in lists, are identified by one value.
    private static func checkRowsOfJoinTable(_ link: Link, keyCount: Int, into report: inout Report) {
        guard let wire = link.declaration?.wire, keyCount > 1 else { return }
        let remedy = link.isSymmetric ? "Write 'none'." : "Write 'embedded' or 'none'."
        if wire.value == .ids, link.isToMany {
            report.add(message("wire: ids", at: wire.range, reason: severalKeys(link, count: keyCount), remedy: remedy))
        } else if wire.value == .id, link.storage == .joinTable, !link.isToMany {
            report.add(message("wire: id", at: wire.range, reason: severalKeys(link, count: keyCount), remedy: remedy))
        }
    }

    /// `table:` is for many-to-many relationships, and one end says it.
    private static func checkTable(_ link: Link, into report: inout Report) {
        guard let table = link.declaration?.table else { return }
        guard link.storage == .joinTable else {
            let holder = link.storage == .foreignKey ? link.owner.name : link.destination?.name ?? ""
            return report.add(
                message(
                    "table", at: table.range, reason: "the links of '\(link.name)' are stored in '\(holder)'",
                    remedy: "Remove 'table:'."))
        }
        guard let other = link.inverse?.declaration?.table, other.value != table.value, let inverse = link.inverse,
            link.order > inverse.order
        else { return }
        report.add(
            message(
                "table", at: table.range, reason: "both ends have one table",
                remedy: "Remove it here, or at the other end.",
                notes: [Diagnostic.Note("The other end names '\(other.value)'", at: other.range)]))
    }

    /// `holdsKey:` is for two to-one relationships, and one of them holds the key.
    private static func checkKeyHolder(_ link: Link, into report: inout Report) {
        guard let holdsKey = link.declaration?.holdsKey else { return }
        guard !link.isToMany, let inverse = link.inverse, !inverse.isToMany, !link.isSymmetric else {
            let reason =
                link.isToMany
                ? "'\(link.name)' is a to-many relationship"
                : link.isSymmetric
                    ? "the links of '\(link.name)' are stored in a table of their own"
                    : "'\(link.name)' has no inverse that is a to-one relationship"
            return report.add(message("holdsKey", at: holdsKey.range, reason: reason, remedy: "Remove 'holdsKey:'."))
        }
        let required = [link, inverse].filter { !$0.isOptional }
        if let holder = required.first, required.count == 1, holdsKey.value != (holder === link) {
            report.add(
                message(
                    "holdsKey: \(holdsKey.value)", at: holdsKey.range,
                    reason: "'\(holder.owner.name).\(holder.name)' is required, so it has the key",
                    remedy:
                        "Remove 'holdsKey:', or make '\(holder.name)' optional: '\(holder.destination?.name ?? "")?'."))
        } else if let other = inverse.declaration?.holdsKey, other.value == holdsKey.value, link.order > inverse.order {
            report.add(
                message(
                    "holdsKey: \(holdsKey.value)", at: holdsKey.range,
                    reason: holdsKey.value ? "one end has the key" : "one of the two ends has the key",
                    remedy: "Remove it here, or at the other end.",
                    notes: [Diagnostic.Note("The other end says the same", at: other.range)]))
        }
    }

    /// Only a list of whole records says that the server has no other, and only a link to one owner can be removed with
    /// the record. Several records can have the key of one that has no to-one relationship to them.
    private static func checkUnlisted(_ link: Link, into report: inout Report) {
        guard let unlisted = link.declaration?.unlisted else { return }
        let isShared = link.storage == .foreignKey && link.inverse?.isToMany ?? true
        if link.storage == .joinTable || link.isEmbedded && isShared {
            report.add(
                message(
                    "unlisted", at: unlisted.range,
                    reason: "a record of '\(link.name)' can have other owners, and is unlinked",
                    remedy: "Remove 'unlisted:'."))
        } else if !link.isEmbedded {
            report.add(
                message(
                    "unlisted", at: unlisted.range, reason: "the records of '\(link.name)' are not embedded",
                    remedy: "Remove 'unlisted:', or write 'wire: embedded'."))
        }
    }

    /// A second key is for the form that `wire:` does not name.
    private static func checkOtherKey(_ link: Link, into report: inout Report) {
        let wire = wireForm(of: link)
        let form = wire.isEmpty ? "is not in JSON" : "is \(wire) in JSON"
        if let key = link.declaration?.embeddedKey {
            switch link.wire {
            case .id(let paths, _) where paths.contains(key.value):
                report.add(
                    message(
                        "embeddedKey", at: key.range,
                        reason: "the identity of '\(link.name)' has the same key, "
                            + "and a to-one relationship has one of both",
                        remedy: "Remove 'embeddedKey:', or write 'wire: embedded'."))
            case .id, .ids: break
            case .none, .embedded:
                report.add(
                    message(
                        "embeddedKey", at: key.range, reason: "'\(link.name)' \(form)",
                        remedy: "Remove 'embeddedKey:', or write 'wire: \(link.isToMany ? "ids" : "id")'."))
            }
        }
        guard let key = link.declaration?.idsKey else { return }
        let keyCount = link.destination?.identity.keyAttributes.count ?? 0
        if !link.isToMany {
            report.add(
                message(
                    "idsKey", at: key.range, reason: "'\(link.name)' is a to-one relationship",
                    remedy: "Remove 'idsKey:'."))
        } else if !link.isEmbedded {
            report.add(
                message(
                    "idsKey", at: key.range, reason: "'\(link.name)' \(form)",
                    remedy: "Remove 'idsKey:', or write 'wire: embedded'."))
        } else if keyCount != 1 {
            let reason =
                keyCount > 1
                ? severalKeys(link, count: keyCount) : "'\(link.destination?.name ?? "")' has no identity"
            report.add(message("idsKey", at: key.range, reason: reason, remedy: "Remove 'idsKey:'."))
        }
    }

    /// Returns the form of a relationship in JSON; empty for none.
    private static func wireForm(of link: Link) -> String {
        switch link.wire {
        case .none: ""
        case .id: "an identity"
        case .ids: "a list of identities"
        case .embedded: link.isToMany ? "a list of whole records" : "a whole record"
        }
    }

    private static func severalKeys(_ link: Link, count: Int) -> String {
        "the identity of '\(link.destination?.name ?? "")' has \(count) attributes"
    }

    private static func message(
        _ option: String, at range: TextRange, reason: String, remedy: String, notes: [Diagnostic.Note] = []
    ) -> Diagnostic {
        .notAllowed(option, code: .relationshipOption, at: range, because: reason, remedy: remedy, notes: notes)
    }

    static let entry = CatalogueEntry(
        code: .relationshipOption,
        title: "Option does not apply to the relationship",
        explanation: """
            `ordered`, `sortedBy` and `wire: ids` are for to-many relationships, `wire: id` is for to-one \
            relationships. A to-many relationship is either ordered or sorted. `column` is for the end with the \
            foreign key. `table` is for relationships that are to-many at both ends, which have one table. \
            `holdsKey` is for one of two to-one relationships \
            that are inverse to each other. `unlisted` is for embedded records with one owner. \
            `key` is for relationships that are sent. `embeddedKey` is for those that are sent as identities, to one \
            under another key than the identity, `idsKey` for to-many relationships that are sent as whole records. \
            `column` and `key` cannot be set if the identity \
            has several attributes.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
              Review:
                attributes: { id: int }
                relationships: { product: { to: Product?, ordered: true } }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
              Review:
                attributes: { id: int }
                relationships: { product: { to: Product? } }
            """)
}

extension DiagnosticCode {
    /// An option that contradicts the relationship.
    package static let relationshipOption = DiagnosticCode(rawValue: "relationship-option")
}
