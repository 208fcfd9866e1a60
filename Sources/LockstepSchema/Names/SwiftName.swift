/// How a name of the schema is written in Swift: as it is, in backticks where it is a keyword, or with an underscore
/// after it where Swift cannot use it even so. The JSON key and the column keep the schema's name.
///
/// Backticks are for declarations and references. In argument labels of calls Swift wants the bare keyword.
enum SwiftName {
    /// A property: `default` is `` `default` ``, `self` is `self_`.
    static func member(_ name: String) -> String {
        spell(name, unusable: unusableMembers)
    }

    /// An enum case: `none` is `none_`, since `.none` of an optional would be meant.
    static func enumerationCase(_ name: String) -> String {
        spell(name, unusable: unusableCases)
    }

    /// A class, enum or protocol: `Type` is `Type_`. Keywords that start like a type (`Any`, `Self`) are among the
    /// unusable.
    static func type(_ name: String) -> String {
        unusableTypes.contains(name) ? name + "_" : name
    }

    private static func spell(_ name: String, unusable: Set<String>) -> String {
        // The longest word that Swift minds is 15 bytes; longer names need no look.
        if name.utf8.count > 15 { return name }
        if unusable.contains(name) { return name + "_" }
        return keywords.contains(name) ? "`\(name)`" : name
    }

    /// The words of Swift 6 that a name cannot be without backticks. Each was compiled as property, parameter, coding
    /// key and enum case, with and without them.
    static let keywords: Set<String> = [
        "Any", "Self", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default",
        "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
        "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "unsafe", "var", "where",
        "while",
    ]

    /// `x.self` and `x.Type` mean something else even in backticks; `hashValue` is `Hashable`'s own.
    static let unusableMembers: Set<String> = [
        "self", "Self", "init", "Type", "Protocol", "dynamicType", "_", "hashValue",
    ]

    /// Beside those, what every generated enum has, and what would be mistaken for the cases of an optional.
    static let unusableCases: Set<String> = [
        "self", "init", "none", "some", "rawValue", "hashValue", "allCases", "Type", "Protocol", "_",
    ]

    /// Names that Swift takes for itself, and the types that generated classes nest.
    static let unusableTypes: Set<String> = [
        "Type", "Protocol", "Self", "Any", "Columns", "CodingKeys", "Identity", "Object", "Relationships",
        "Representation", "WireIdentity",
    ]
}
