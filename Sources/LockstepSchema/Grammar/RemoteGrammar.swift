/// The keys of `remote:` of an entity.
enum RemoteKeys {
    static let path = GrammarKey(
        "path", kind: .text, fallback: "`/` and the plural of the name, in the style of `wire.paths`",
        documentation: "The path of the collection.",
        example: "path: /products")
    static let write = GrammarKey(
        "write", kind: .list(of: writeKind), fallback: "all", synonyms: ["writes"],
        documentation: "The writes that the server accepts; `[]` is read-only.", example: "write: [create, update]")
    static let wrap = GrammarKey(
        "wrap", kind: wrapKind, fallback: "`false`",
        documentation: "Whether bodies are wrapped in an object, under the entity's name or under this key.",
        example: "wrap: true")

    private static let writeKind = ValueParser<Located<Remote.Write>>.locatedChoice(
        [Remote.Write.create, .update, .delete],
        documentation: ["New records are sent.", "Changed records are sent.", "Deletes are sent."])

    private static let wrapKind = ValueParser<WrapDeclaration>(.either([.bool, .text])) { node, key, reading in
        if let flag = node.boolean { return .flag(flag) }
        return ValueParser.text.read(node, key, &reading).map { .key($0) }
    }

    /// A remote, or `none`.
    struct Written: Sendable {
        var declaration: RemoteDeclaration?
    }

    private static let none = [Choice("none", documentation: "Its records stay on the device.")]

    static let kind = ValueParser<Written>(.either([.section("remote"), .choice(none)])) { node, key, reading in
        if case .scalar("none", _) = node.content { return Written(declaration: nil) }
        guard case .mapping(let entries) = node.content else { return reading.fail(.wrongKind(node, under: key)) }
        let fields = Fields(entries, of: .remote, owner: Located("", range: node.range), reading: &reading)
        return Written(
            declaration: RemoteDeclaration(
                path: fields.locate(path, into: &reading), writes: fields.read(write, into: &reading),
                wrap: fields.locate(wrap, into: &reading)))
    }
}

extension ValueParser {
    fileprivate static func locatedChoice<Raw: RawRepresentable & Sendable>(
        _ values: [Raw], documentation: [String]
    ) -> Self where Value == Located<Raw>, Raw.RawValue == String {
        let choice = ValueParser<Raw>.choice(values, documentation: documentation)
        return ValueParser(choice.shape) { node, key, reading in
            choice.read(node, key, &reading).map { Located($0, range: node.range) }
        }
    }
}

extension GrammarSection {
    static let remote = GrammarSection(
        "remote", noun: "'remote'", title: "Remote",
        documentation: "How an entity is accessed on the server.",
        shortForms: [
            ShortForm(
                .choice([Choice("none", documentation: "")]), example: "remote: none",
                documentation: "Its records stay on the device.")
        ],
        keys: [RemoteKeys.path.description, RemoteKeys.write.description, RemoteKeys.wrap.description],
        details: """
            Rails expects `wrap: true`: `{"product": {"name": "…", "tag_ids": [5]}}`. If a body is not wrapped, \
            Rails wraps it, but only with the attributes of the model: `tag_ids` is not one of them, and is ignored.
            """,
        example: """
            entities:
              Product:
                attributes: { id: int, name: string }
                remote:
                  path: /products
                  write: [create, update]
                  wrap: true
            """)
}
