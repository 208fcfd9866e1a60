/// The keys of an identity of two halves, and the shorter forms of an identity.
enum IdentityKeys {
    static let local = GrammarKey(
        "local", .name, isRequired: true,
        documentation: "The attribute that is the key on the device: a `uuid` or a `string`, required.",
        example: "local: localID")
    static let remote = GrammarKey(
        "remote", .name, isRequired: true,
        documentation: "The attribute that holds the server's id: optional until the server has given one.",
        example: "remote: remoteID")

    private static let none = [Choice("none", "Nothing tells records apart; the table gets a key of its own.")]

    static let kind = Kind<IdentityDeclaration>(
        .either([.name, .list(of: .name, leastCount: 1), .section("identity"), .choice(none)])
    ) { node, key, reading in
        if case .mapping(let entries) = node.content { return readHalves(entries, at: node, &reading) }
        if case .scalar("none", isPlain: true) = node.content { return IdentityDeclaration.none }
        guard !node.isNull else { return reading.lose(.wrongKind(node, under: key)) }
        return Kind.oneOrMoreNames.read(node, key, &reading).map { .attributes($0) }
    }

    private static func readHalves(
        _ entries: [Node.Entry], at node: Node, _ reading: inout GrammarReading
    ) -> IdentityDeclaration? {
        let fields = Fields(entries, of: .identity, owner: node.range, &reading)
        let local = fields.locate(local, &reading)
        guard let local, let remote = fields.locate(remote, &reading) else { return nil }
        return .local(local, remote: remote)
    }
}

extension GrammarSection {
    static let identity = GrammarSection(
        "identity", noun: "an identity", title: "Identity",
        documentation: """
            By what a record is the same record everywhere. Where the server makes the id, the identity has two \
            halves: the key on the device, and the id that comes later.
            """,
        shortForms: [
            ShortForm(.name, "identity: identifier", "One attribute."),
            ShortForm(.list(of: .name, leastCount: 1), "identity: [order, line]", "Several attributes together."),
            ShortForm(.choice([Choice("none", "")]), "identity: none", "Nothing tells records apart."),
        ],
        keys: [IdentityKeys.local.description, IdentityKeys.remote.description],
        example: """
            entities:
              Task:
                identity: { local: localID, remote: remoteID }
                attributes: { localID: uuid, remoteID: int?, title: string }
            """)
}
