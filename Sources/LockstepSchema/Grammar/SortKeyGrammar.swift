/// `name`, `-name`, or a list of them.
enum SortKeyGrammar {
    static let kind = ValueParser<[Located<Relationship.SortKey>]>(
        .either([.reference(.sortKey), .list(of: .reference(.sortKey), leastCount: 1)])
    ) { node, key, reading in
        ValueParser.oneOrMoreNames.read(node, key, &reading)?.map(sortKey)
    }

    private static func sortKey(_ name: Located<String>) -> Located<Relationship.SortKey> {
        let isDescending = name.value.utf8.first == UInt8(ascii: "-")
        let attribute = isDescending ? String(name.value.dropFirst()) : name.value
        return Located(Relationship.SortKey(attribute: attribute, isDescending: isDescending), range: name.range)
    }
}
