import LockstepSchema

/// Names made of keys and names of files.
enum SampleNames {
    /// The name of an entity: `blog_posts` becomes `BlogPost`.
    static func entity(_ name: String) -> String { UsableName.type(Noun.singular(UsableName.type(spaced(name)))) }

    /// The name of a member in Swift: `published_at` becomes `publishedAt`, `author_id` becomes `authorID`.
    static func member(_ key: String) -> String {
        let plain = spaced(signed(key)).split(separator: "_").joined(separator: "_")
        if plain.contains("_") { return UsableName.camelCase(plain) }
        if plain.isEmpty { return "member" }
        return plain.first?.isUppercase == true ? NameWords(plain).lowerCamelCase : plain
    }

    /// The name of a member of nested objects in Swift: `outcome` and `risk_score` become `outcomeRiskScore`.
    static func member(_ names: [String]) -> String {
        names.dropFirst().reduce(names.first ?? "member") { $0 + UsableName.capitalized($1) }
    }

    /// A sign before a number as a word, so that `+1` and `-1` are different names.
    private static func signed(_ key: String) -> String {
        guard let sign = ["+": "plus_", "-": "minus_"][key.prefix(1)], key.dropFirst().first?.isNumber == true else {
            return key
        }
        return sign + key.dropFirst()
    }

    /// The words of a key, in lower case.
    static func words(_ key: String) -> [String] { UsableName.words(spaced(key)).map { $0.lowercased() } }

    /// Only what tells names apart.
    static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

    /// The name of an entity as that of a member: `BlogPost` becomes `blogPost`.
    static func reference(_ entity: String) -> String { entity.prefix(1).lowercased() + entity.dropFirst() }

    static func plural(_ name: String) -> String { Noun.plural(name) }

    /// The name that a key refers to: `author` for `author_id`, `authorId` and `authorID`; `nil` for another key.
    static func base(_ key: String, plural: Bool = false) -> String? {
        ReferenceKey(key).flatMap { $0.isToMany == plural ? $0.base : nil }
    }

    /// Whether it is `snake_case`.
    static func isSnakeCase(_ key: String) -> Bool {
        key.utf8.allSatisfy { ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x5F }
    }

    private static func spaced(_ name: String) -> String {
        String(name.map { $0 == "_" || $0.isLetter || $0.isNumber ? $0 : "_" })
    }
}
