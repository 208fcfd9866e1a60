/// A former key is read like a key, so no other value can have it, and it is not the current one.
enum FormerKeyClash: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.concreteEntities
        where entity.attributes.contains(where: { $0.declaration.formerKeys != nil }) {
            check(entity, in: draft, into: &report)
        }
    }

    private static func check(_ entity: DraftEntity, in draft: Draft, into report: inout Report) {
        let current = currentPaths(of: entity, in: draft)
        var former: [WirePath] = []
        for attribute in entity.attributes where draft.wire(of: attribute, in: entity) != nil {
            for key in attribute.declaration.formerKeys?.value ?? [] {
                if let other = (current + former).first(where: { overlap($0.keys, and: key.value) }) {
                    report.add(message(key, attribute: attribute, and: other))
                } else {
                    former.append(WirePath(keys: key.value, claim: .attribute(attribute)))
                }
            }
        }
    }

    private static func currentPaths(of entity: DraftEntity, in draft: Draft) -> [WirePath] {
        let attributes = entity.attributes.compactMap { attribute in
            draft.wire(of: attribute, in: entity).map { WirePath(keys: $0.path, claim: .attribute(attribute)) }
        }
        return attributes
            + entity.links.flatMap { link in link.wire.paths.map { WirePath(keys: $0, claim: .relationship(link)) } }
    }

    /// Whether two paths are equal, or one leads through the value of the other.
    private static func overlap(_ path: [String], and other: [String]) -> Bool {
        let count = min(path.count, other.count)
        return path.prefix(count) == other.prefix(count)
    }

    private static func message(_ key: Located<[String]>, attribute: DraftAttribute, and other: WirePath) -> Diagnostic
    {
        let text = key.value.joined(separator: ".")
        if case .attribute(let owner) = other.claim, owner === attribute {
            return Diagnostic(
                .formerKeyClash, at: key.range,
                message: other.keys == key.value
                    ? "'\(text)' is the key of '\(attribute.name)' already"
                    : "'\(text)' and the key '\(other.keys.joined(separator: "."))' of '\(attribute.name)' lead through"
                        + " each other",
                remedy: "Remove it from 'formerKeys:'.")
        }
        return Diagnostic(
            .formerKeyClash, at: key.range,
            message: "The former key '\(text)' of '\(attribute.name)' is used for \(other.claim.text)",
            remedy: "Remove it from 'formerKeys:', or give the other another key with 'key:'.",
            notes: [Diagnostic.Note("\(other.claim.text.capitalizingFirst) is here", at: other.claim.range)])
    }

    static let entry = CatalogueEntry(
        code: .formerKeyClash,
        title: "Former key in use",
        explanation: """
            `formerKeys:` are read if the key of an attribute is missing. No other value can have such a key, and none \
            can be inside another value.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes:
                  id: uuid
                  text: { type: string?, formerKeys: [body] }
                  summary: { type: string?, key: body }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes:
                  id: uuid
                  text: { type: string?, formerKeys: [body] }
                  summary: string?
            """)
}

extension DiagnosticCode {
    /// A former key that is in use.
    package static let formerKeyClash = DiagnosticCode(rawValue: "former-key-clash")
}
