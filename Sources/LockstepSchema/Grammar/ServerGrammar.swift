/// The keys of `server:` at the top of a file.
enum ServerKeys {
    static let user = GrammarKey(
        "user", kind: claim, fallback: "`sub`", synonyms: ["claim", "subject"],
        documentation: "The claim of a request's token (a JWT) that holds the user's identity.", example: "user: sub")
    static let access = GrammarKey(
        "access",
        kind: .choice(
            [ServerAccess.schema, .custom],
            documentation: [
                "The entities say it with `access`.",
                "Functions of the server say it: `lockstep_readable` and `lockstep_writable`.",
            ]),
        isStructural: true, fallback: "`schema`", documentation: "What says who reads and writes a scope.",
        example: "access: custom")

    private static let claim = ValueParser<String>(.text) { node, key, reading in
        if node.presentText?.isEmpty == true { return reading.fail(.wrongKind(node, under: key)) }
        return ValueParser.text.read(node, key, &reading)
    }

    static let kind = ValueParser<ServerDeclaration>(.section("server")) { node, key, reading in
        guard case .mapping(let entries) = node.content else { return reading.fail(.wrongKind(node, under: key)) }
        let fields = Fields(entries, of: .server, owner: Located("", range: node.range), reading: &reading)
        return ServerDeclaration(
            user: fields.locate(user, into: &reading), access: fields.locate(access, into: &reading))
    }
}

extension GrammarSection {
    static let server = GrammarSection(
        "server", noun: "'server'", title: "Server",
        documentation: "How a server that is made from the schema knows users, and what says who may do what.",
        keys: [ServerKeys.user.description, ServerKeys.access.description],
        example: """
            server:
              user: sub
              access: custom
            entities:
              List: { scope: self, attributes: { id: uuid, title: string } }
            """)
}
