/// Names for schemas that are made of other files: as they are there, if the language allows it.
package enum UsableName {
    /// The name of a schema, an entity or an enum, in UpperCamelCase; `Item` for one that consists of signs only.
    package static func type(_ name: String) -> String {
        let isType = Identifier.isValid(name) && Identifier.startsLikeType(name)
        let type = isType ? name : Identifier.correctedTypeName(name) ?? "Item"
        return ReservedNames.modules.contains(type) ? type + "Record" : shortened(type)
    }

    /// The name of an attribute or a relationship.
    ///
    /// - Parameter types: The names of the schema's entities and enums.
    package static func member(_ name: String, types: Set<String>) -> String {
        var member = Identifier.isValid(name) ? name : Identifier.corrected(name) ?? "member"
        if ReservedNames.types.contains(member) || types.contains(member) { member = NameWords(member).lowerCamelCase }
        let isReserved = [member, member + "ID"].contains(where: ReservedNames.members.contains)
        return isReserved ? member + "Value" : shortened(member)
    }

    /// The longest name that is made of another, in bytes. YAML reads no key of more than 1,024, and the name of a file
    /// has at most 255, in which an entity's name is followed by others.
    package static let longest = 120

    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > longest else { return name }
        var count = 0
        return String(
            name.unicodeScalars.prefix { scalar in
                count += UTF8.width(scalar)
                return count <= longest
            })
    }

    /// The words of a name: `image`, `URL` for `imageURL` and `image_URL`.
    package static func words(_ name: String) -> [String] { NameWords(Identifier.corrected(name) ?? "").words }

    /// The name of a case of an enum, in camelCase: `inProgress` for `in_progress` and `IN_PROGRESS`.
    package static func enumCase(_ name: String) -> String {
        let plain = Identifier.corrected(name) ?? "other"
        let hasCase = plain.contains { $0.isLowercase }
        let words = NameWords(hasCase ? plain : plain.lowercased())
        let camel = words.words.isEmpty ? plain : words.lowerCamelCase
        return camel == "unknown" ? "unspecified" : shortened(camel)
    }

    /// A name of snake_case in camelCase, with `id`, `url`, `uri` and `uuid` as Swift writes them: `imageURL`.
    package static func camelCase(_ name: String) -> String {
        guard name.contains("_"), let plain = Identifier.corrected(name) else { return name }
        let words = NameWords(plain)
        guard let first = words.words.first else { return name }
        return words.prefix + first.lowercased() + words.words.dropFirst().map(capitalized).joined() + words.suffix
    }

    /// A word of a name with a capital first letter, or an acronym as Swift writes it.
    package static func capitalized(_ word: String) -> String {
        acronyms[word.lowercased()] ?? (word.count > 1 ? word.capitalizingFirst : word.uppercased())
    }

    private static let acronyms = [
        "id": "ID", "ids": "IDs", "url": "URL", "urls": "URLs", "uri": "URI", "uuid": "UUID", "html": "HTML",
        "json": "JSON", "pdf": "PDF",
    ]

    /// A name in snake_case, as derived columns and tables are written, and keys with `wire: { names: snake_case }`.
    package static func snakeCase(_ name: String) -> String { NameSpelling.snake_case.spell(name) }

    /// The path that the collection of an entity has if none is given.
    package static func collectionPath(_ entity: String) -> String {
        "/" + Noun.plural(NameSpelling.snake_case.spell(entity))
    }
}
