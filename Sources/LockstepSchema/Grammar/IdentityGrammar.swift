/// The keys of an identity with two parts, and the shorter forms of an identity.
enum IdentityKeys {
    static let local = GrammarKey(
        "local", kind: .reference(to: .attribute), isRequired: true,
        documentation: "The attribute that is the key on the device: a required `uuid` or `string`.",
        example: "local: localID")
    static let remote = GrammarKey(
        "remote", kind: .reference(to: .attribute), isRequired: true,
        documentation: "The attribute with the server's id. It must be optional, because a new record has no id yet.",
        example: "remote: remoteID")

    fileprivate static let attribute = ValueShape.reference(.attribute)

    private static let none = [
        Choice("none", documentation: "Records have no identity; the table gets a key of its own.")
    ]

    static let kind = ValueParser<IdentityDeclaration>(
        .either([attribute, .list(of: attribute, leastCount: 1), .section("identity"), .choice(none)])
    ) { node, key, reading in
        if case .mapping(let entries) = node.content { return readHalves(entries, at: node, into: &reading) }
        if case .scalar("none", isPlain: true) = node.content { return IdentityDeclaration.none }
        guard !node.isNull else { return reading.fail(.wrongKind(node, under: key)) }
        return ValueParser.oneOrMoreNames.read(node, key, &reading).map { .attributes($0) }
    }

    private static func readHalves(
        _ entries: [Node.Entry], at node: Node, into reading: inout GrammarReading
    ) -> IdentityDeclaration? {
        let fields = Fields(entries, of: .identity, owner: Located("", range: node.range), reading: &reading)
        let local = fields.locate(local, into: &reading)
        guard let local, let remote = fields.locate(remote, into: &reading) else { return nil }
        return .local(local, remote: remote)
    }
}

extension GrammarSection {
    static let identity = GrammarSection(
        "identity", noun: "an identity", title: "Identity",
        documentation: """
            The attributes that identify a record on every device and on the server. If the server makes the id, the \
            identity has two parts: the key on the device, and the id that the server assigns later.
            """,
        shortForms: [
            ShortForm(IdentityKeys.attribute, example: "identity: identifier", documentation: "One attribute."),
            ShortForm(
                .list(of: IdentityKeys.attribute, leastCount: 1), example: "identity: [order, line]",
                documentation: "A combination of attributes."),
            ShortForm(
                .choice([Choice("none", documentation: "")]), example: "identity: none",
                documentation: "Records have no identity."),
        ],
        keys: [IdentityKeys.local.description, IdentityKeys.remote.description],
        example: """
            entities:
              Task:
                identity: { local: localID, remote: remoteID }
                attributes: { localID: uuid, remoteID: int?, title: string }
            """)
}
