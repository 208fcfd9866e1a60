import LockstepSchema

/// The names that entities and their members get.
struct DatabaseNames {
    private var entities: [String: String] = [:]
    private var types: UniqueTypeNames
    private var members = MemberNames()

    /// Whether most columns are in camelCase, so that fewer need an option if columns are named like members.
    let isAsWritten: Bool

    /// - Parameter schema: The name of the schema, whose type has a name, too.
    init(_ tables: [DatabaseTable], schema: String) {
        types = UniqueTypeNames(schema: schema)
        let columns = tables.flatMap { $0.columns.map(\.name) }
        let isCamel = columns.filter { Self.member($0) == $0 && UsableName.snakeCase($0) != $0 }
        let isSnake = columns.filter { Self.member($0) != $0 && UsableName.snakeCase(Self.member($0)) == $0 }
        isAsWritten = isCamel.count > isSnake.count
        for table in tables.map(\.name) {
            entities[table] = type(Self.singular(table))
        }
    }

    /// The name of a table's records: `order_item` for `tbl_order_items`.
    static func singular(_ table: String) -> String { Noun.singular(cased(withoutPrefix(table))) }

    /// The name without what a store does not allow, or what says only that it is a table.
    private static func withoutPrefix(_ table: String) -> String {
        for prefix in ["lockstep_", "tbl_"] where table.lowercased().hasPrefix(prefix) && table.count > prefix.count {
            return String(table.dropFirst(prefix.count))
        }
        return table
    }

    /// A name of a type that no other has.
    mutating func type(_ name: String) -> String { types.unique(name) }

    func entity(_ table: String) -> String { entities[table] ?? table }

    /// The columns and tables that the schema derives from names.
    var derived: DerivedNames { DerivedNames(isSnakeCase: !isAsWritten) }

    /// A name of an attribute that no other member of the entity has.
    mutating func attribute(_ column: String, of entity: String) -> String {
        members.free(UsableName.member(Self.member(column), types: types.all), in: entity)
    }

    /// Whether a member of an entity has the name already.
    func isTaken(_ name: String, of entity: String) -> Bool { members.isTaken(name, in: entity) }

    /// A name of a relationship, whose key must have a name of its own.
    mutating func relationship(_ name: String, of entity: String) -> String {
        members.free(UsableName.member(Self.member(name), types: types.all), in: entity, hasKey: true)
    }

    /// The name of a column in lowerCamelCase: `imageURL` for `image_url`.
    static func member(_ column: String) -> String {
        let words = UsableName.words(cased(column))
        guard let first = words.first else { return "member" }
        let rest = words.dropFirst().map { $0 == $0.lowercased() ? UsableName.capitalized($0) : $0 }
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

    /// A name in capitals only in lowercase.
    private static func cased(_ name: String) -> String {
        name.contains(where: \.isLowercase) ? name : name.lowercased()
    }
}
