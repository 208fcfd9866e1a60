import LockstepSchema

/// Names of entities and enums, none of which is given twice.
struct UniqueTypeNames {
    /// In lowercase: two that differ only in case would be one file and one table.
    private var taken: Set<String>
    /// The next number to try for each name.
    private var numbers: [String: Int] = [:]
    private(set) var all: Set<String> = []

    /// - Parameter schema: The name of the schema, whose type has a name, too.
    init(schema: String) { taken = ["\(schema)Schema".lowercased()] }

    /// The name in UpperCamelCase, with a number if it is taken.
    mutating func unique(_ name: String) -> String {
        let base = UsableName.type(name)
        var candidate = base
        while !taken.insert(candidate.lowercased()).inserted {
            let number = numbers[base.lowercased(), default: 2]
            candidate = "\(base)\(number)"
            numbers[base.lowercased()] = number + 1
        }
        all.insert(candidate)
        return candidate
    }
}
