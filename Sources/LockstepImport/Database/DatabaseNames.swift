import LockstepSchema

/// The names that entities and their members get.
struct DatabaseNames {
    private var entities: [String: String] = [:]
    private(set) var types: Set<String> = []
    /// The names of types in lowercase: two that differ only in case would be one file.
    private var takenTypes: Set<String>
    /// The names of each entity's members, as ``MemberNames/plain(_:)``.
    private var takenMembers: [String: Set<String>] = [:]

    /// Whether most columns are in camelCase, so that fewer need an option if columns are named like members.
    let isAsWritten: Bool

    /// - Parameter schema: The name of the schema, whose type has a name, too.
    init(_ tables: [DatabaseTable], schema: String) {
        takenTypes = ["\(schema)Schema".lowercased()]
        let columns = tables.flatMap { $0.columns.map(\.name) }
        let isCamel = columns.filter { Self.member($0) == $0 && UsableName.snakeCase($0) != $0 }
        let isSnake = columns.filter { Self.member($0) != $0 && UsableName.snakeCase(Self.member($0)) == $0 }
        isAsWritten = isCamel.count > isSnake.count
        for table in tables.map(\.name) {
            let wanted = Self.typeName(Noun.singular(Self.cased(Self.withoutPrefix(table))))
            // The name of its representation must be free, too.
            let name = type(freeName(wanted) { takenTypes.contains("\($0)Representation".lowercased()) })
            takenTypes.insert("\(name)Representation".lowercased())
            entities[table] = name
        }
    }

    /// A name for a type, also of one that consists of signs only.
    static func typeName(_ name: String) -> String { UsableName.type(UsableName.words(name).isEmpty ? "Item" : name) }

    private static let reservedPrefix = "lockstep_"

    /// The name without what a store does not allow, or what says only that it is a table.
    private static func withoutPrefix(_ table: String) -> String {
        for prefix in [reservedPrefix, "tbl_"] where table.lowercased().hasPrefix(prefix) && table.count > prefix.count
        {
            return String(table.dropFirst(prefix.count))
        }
        return table
    }

    /// Whether a table of a store cannot have this name.
    static func isReserved(_ table: String) -> Bool { table.lowercased().hasPrefix(reservedPrefix) }

    /// A name of a type that no other has.
    mutating func type(_ name: String) -> String {
        let free = freeName(name) { takenTypes.contains($0.lowercased()) }
        takenTypes.insert(free.lowercased())
        types.insert(free)
        return free
    }

    func entity(_ table: String) -> String { entities[table] ?? table }

    /// The column or table that the schema derives from a name.
    func derived(_ name: String) -> String { isAsWritten ? name : UsableName.snakeCase(name) }

    /// The column that the schema derives for the key of a relationship.
    func derivedKey(_ name: String) -> String { isAsWritten ? name + "ID" : UsableName.snakeCase(name) + "_id" }

    /// A name of an attribute that no other member of the entity has.
    mutating func attribute(_ column: String, of entity: String) -> String {
        take(UsableName.member(Self.member(column), types: types), of: entity, isLink: false)
    }

    /// A name of a relationship, whose key must have a name of its own.
    mutating func relationship(_ name: String, of entity: String) -> String {
        take(UsableName.member(Self.member(name), types: types), of: entity, isLink: true)
    }

    private mutating func take(_ name: String, of entity: String, isLink: Bool) -> String {
        let taken = takenMembers[entity] ?? []
        let free = freeName(name) {
            taken.contains(MemberNames.plain($0)) || isLink && taken.contains(MemberNames.plain($0 + "ID"))
        }
        takenMembers[entity, default: []].insert(MemberNames.plain(free))
        if isLink { takenMembers[entity, default: []].insert(MemberNames.plain(free + "ID")) }
        return free
    }

    /// The name of a column in lowerCamelCase: `imageURL` for `image_url`.
    static func member(_ column: String) -> String {
        let words = UsableName.words(cased(column))
        guard let first = words.first else { return "member" }
        let rest = words.dropFirst().map { word in
            acronyms[word] ?? word.prefix(1).uppercased() + word.dropFirst()
        }
        return ([first.uppercased() == first || rest.isEmpty ? first.lowercased() : lowerFirst(first)] + rest).joined()
    }

    /// Returns the name that a column with a key refers to: `author` for `author_id` and `author`, and `ward` for
    /// `ward_code` if that is the code of a ward; `nil` if it is named like the column that it refers to.
    static func destination(_ column: String, of reference: String) -> String? {
        var words = UsableName.words(cased(column))
        let suffix = UsableName.words(cased(reference)).map { $0.lowercased() }
        if suffix != ["id"], words.map({ $0.lowercased() }).suffix(suffix.count) == suffix[...] {
            words.removeLast(suffix.count)
            return words.isEmpty ? nil : member(words.joined(separator: "_"))
        }
        if words.count > 1, ["id", "uuid", "key", "fk", "ref"].contains(words.last?.lowercased() ?? "") {
            words.removeLast()
        }
        return words.map { $0.lowercased() } == ["id"] ? nil : member(words.joined(separator: "_"))
    }

    static func lowerFirst(_ word: String) -> String { word.prefix(1).lowercased() + word.dropFirst() }

    private static let acronyms = [
        "id": "ID", "ids": "IDs", "url": "URL", "urls": "URLs", "uuid": "UUID", "uri": "URI", "html": "HTML",
        "json": "JSON", "pdf": "PDF",
    ]

    /// A name in capitals only in lowercase.
    private static func cased(_ name: String) -> String {
        name.contains(where: \.isLowercase) ? name : name.lowercased()
    }
}

extension [String] {
    /// The first names, and how many there are beside them.
    var listed: String {
        let limit = 20
        if count <= limit { return joined(separator: ", ") }
        return prefix(limit).joined(separator: ", ") + " and \(count - limit) more"
    }
}
