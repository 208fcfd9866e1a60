/// Assigns unique names in a namespace of the database.
///
/// Names that differ only in case count as equal, because SQLite treats them as equal even if they are quoted.
struct NameRegistry {
    private let dialect: SQLDialect
    private var taken: Set<String> = []

    init(dialect: SQLDialect) {
        self.dialect = dialect
    }

    /// Assigns `name` or, if it is used already, `name_2`, `name_3` and so on.
    mutating func claim(_ name: String) -> String {
        var candidate = name
        var number = 2
        while !taken.insert(dialect.accepted(candidate).lowercased()).inserted {
            candidate = "\(name)_\(number)"
            number += 1
        }
        return candidate
    }
}
