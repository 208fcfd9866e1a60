/// Converts a name of the schema to Swift: unchanged, in backticks if it is a keyword, or with an underscore appended
/// if Swift does not allow it even so. The JSON key and the column keep the schema's name.
///
/// Backticks are for declarations and references. In argument labels of calls, Swift expects the bare keyword.
package enum SwiftName {
    /// A property: `default` becomes `` `default` ``, `self` becomes `self_`.
    package static func member(_ name: String) -> String {
        spell(name, spellings: memberSpellings)
    }

    /// An enum case: `none` becomes `none_`, because `.none` would be that of an optional.
    package static func enumerationCase(_ name: String) -> String {
        spell(name, spellings: caseSpellings)
    }

    /// A class, enum or protocol: `Type` becomes `Type_`. Keywords that look like a type (`Any`, `Self`) are among the
    /// unusable ones.
    static func type(_ name: String) -> String {
        unusableTypes.contains(name) ? name + "_" : name
    }

    private static func spell(_ name: String, spellings: [String: String]) -> String {
        // The longest special word has 15 bytes.
        name.utf8.count > 15 ? name : spellings[name] ?? name
    }

    private static let memberSpellings = spellings(unusable: unusableMembers)
    private static let caseSpellings = spellings(unusable: unusableCases)

    /// The names that are spelled differently in Swift.
    private static func spellings(unusable: Set<String>) -> [String: String] {
        let escaped = Dictionary(uniqueKeysWithValues: keywords.map { ($0, "`\($0)`") })
        let replaced = Dictionary(uniqueKeysWithValues: unusable.map { ($0, $0 + "_") })
        return escaped.merging(replaced) { _, replaced in replaced }
    }

    /// The words of Swift 6 that require backticks. Each was compiled as a property, parameter, coding key and enum
    /// case, with and without them.
    static let keywords: Set<String> = [
        "Any", "Self", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default",
        "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
        "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "unsafe", "var", "where",
        "while",
    ]

    /// `x.self` and `x.Type` have another meaning even in backticks; `hashValue` belongs to `Hashable`.
    static let unusableMembers: Set<String> = [
        "self", "Self", "init", "Type", "Protocol", "dynamicType", "_", "hashValue",
    ]

    /// Additional names that every generated enum has, or that would be mistaken for the cases of an optional.
    static let unusableCases: Set<String> = [
        "self", "init", "none", "some", "rawValue", "hashValue", "allCases", "placeholder", "Type", "Protocol", "_",
    ]

    /// Names that Swift itself uses, the types that are nested in generated ones, and the associated types of the
    /// protocols that these conform to: in a class, `ID` is the type of its `id`.
    static let unusableTypes = ReservedNames.nestedTypes.union([
        "Type", "Protocol", "Self", "Any", "DatabaseComponents", "ID", "RawValue",
    ])
}
