/// `together:` of an entity: lists of attributes, or `all`.
enum TogetherGrammar {
    private static let all = [
        Choice("all", documentation: "One group of all attributes that are sent and that both sides can change.")
    ]
    private static let group = ValueShape.list(of: .reference(.attribute), leastCount: 2)

    // `together: [a, b]` could mean one group or two; inner brackets make it unambiguous.
    private static let groups = ValueParser.list(of: ValueParser.names, leastCount: 1)

    static let kind = ValueParser<TogetherDeclaration>(
        .either([.list(of: group, leastCount: 1), .choice(all)])
    ) { node, key, reading in
        if case .scalar("all", isPlain: _) = node.content { return .all(node.range) }
        return groups.read(node, key, &reading).map { .groups($0, at: node.range) }
    }
}
