/// `scope:` of an entity: a keyword, or the name of a member.
enum ScopeGrammar {
    private static let keywords = [
        Choice("self", documentation: "Each record is a scope of its own. `access` says who reads and writes it."),
        Choice("public", documentation: "One scope that everybody reads. Nobody writes it unless `access` says so."),
    ]

    static let kind = ValueParser<ScopeDeclaration>(.either([.choice(keywords), .reference(.member)])) {
        node, key, reading in
        switch ValueParser.reference(to: .member).read(node, key, &reading) {
        case "self": .own
        case "public": .everyone
        case let name?: .member(name)
        case nil: nil
        }
    }
}

/// The keys of `access:` of an entity.
enum AccessKeys {
    static let read = GrammarKey(
        "read", kind: rule, fallback: "the user of a `scope` that is an attribute; everybody if it is `public`",
        synonyms: ["readers", "select", "get"],
        documentation: """
            Who reads the records of a scope. Only with `scope: self`: otherwise, the user in an attribute reads it, \
            everybody does, or those who read the destination of a relationship.
            """, example: "read: [owner, members.user]")
    static let write = GrammarKey(
        "write", kind: rule,
        fallback: "the user of a `scope` that is an attribute; nobody if it is `public`; or who writes the scope",
        synonyms: ["writers", "writes", "update", "edit"],
        documentation: """
            Who creates, changes and deletes records. With a scope that is a relationship, these are the users who \
            write that scope and are at the end of one of these paths.
            """, example: "write: list.owner")

    private static let keywords = [
        Choice("none", documentation: "No user."), Choice("everyone", documentation: "Every user."),
    ]

    private static let paths = ValueParser<[Located<String>]>.list(
        of: ValueParser<Located<String>>(.path) { node, key, reading in
            ValueParser.name.read(node, key, &reading).map { Located($0, range: node.range) }
        }, leastCount: 1)

    private static let rule = ValueParser<AccessRuleDeclaration>(
        .either([.choice(keywords), .path, paths.shape])
    ) { node, key, reading in
        guard case .scalar = node.content else { return paths.read(node, key, &reading).map { .paths($0) } }
        return switch ValueParser.name.read(node, key, &reading) {
        case "none": .nobody
        case "everyone": .everyone
        case let path?: .paths([Located(path, range: node.range)])
        case nil: nil
        }
    }

    static let kind = ValueParser<AccessDeclaration>(.section("access")) { node, key, reading in
        guard case .mapping(let entries) = node.content else { return reading.fail(.wrongKind(node, under: key)) }
        let fields = Fields(entries, of: .access, owner: Located("", range: node.range), reading: &reading)
        return AccessDeclaration(read: fields.locate(read, into: &reading), write: fields.locate(write, into: &reading))
    }
}

extension GrammarSection {
    static let access = GrammarSection(
        "access", noun: "'access'", title: "Access",
        documentation: """
            Who reads and writes the records of an entity: nobody, everybody, or the users at the end of a path, or of \
            any path of a list.
            """,
        keys: [AccessKeys.read.description, AccessKeys.write.description],
        details: """
            A path begins at the record, follows any number of relationships, to-one or to-many, and ends at an \
            attribute that holds the user: a `string`, a `uuid` or an integer. It is compared with the claim that \
            `server: { user: … }` names. With `scope: self`, one path for writing has no to-many relationship: before \
            the first record exists, it has no members.
            """,
        example: """
            entities:
              List:
                scope: self
                access: { read: [owner, members.user], write: [owner, members.user] }
                attributes: { id: uuid, owner: uuid, title: string }
                relationships: { members: { to: [Member], inverse: list } }
              Member:
                scope: list
                access: { write: list.owner }
                attributes: { id: uuid, user: uuid }
                relationships: { list: { to: List, inverse: members } }
              Task:
                scope: list
                attributes: { id: uuid, text: string }
                relationships: { list: List }
              Profile:
                scope: user
                attributes: { id: uuid, user: uuid, name: string }
              Country:
                scope: public
                attributes: { id: uuid, name: string }
            """)
}
