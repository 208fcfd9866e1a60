import LockstepSchema

/// Names of entities and enums, none of which is given twice.
struct UniqueTypeNames {
    /// Two that differ only in case and underscores would be one file, one table or one name in Swift.
    private var taken: Set<String>
    /// The next number to try for each name.
    private var numbers: [String: Int] = [:]
    private(set) var all: Set<String> = []

    /// - Parameter schema: The name of the schema, whose type has a name, too.
    init(schema: String) { taken = [MemberNames.plain("\(schema)schema")] }

    /// The name in UpperCamelCase, with a number if it or the name of its representation is taken.
    mutating func unique(_ name: String) -> String {
        let base = UsableName.type(name)
        let (plain, end) = (MemberNames.plain(base), "representation")
        var (candidate, lowered) = (base, plain)
        while taken.contains(lowered) || taken.contains(lowered + end) {
            let number = numbers[plain, default: 2]
            (candidate, lowered) = ("\(base)\(number)", "\(plain)\(number)")
            numbers[plain] = number + 1
        }
        taken.formUnion([lowered, lowered + end])
        all.insert(candidate)
        return candidate
    }
}
