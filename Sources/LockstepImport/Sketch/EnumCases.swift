import LockstepJSON
import LockstepSchema

extension EnumSketch {
    /// An enum of texts or of whole numbers, with a name for each.
    ///
    /// - Parameter names: The names in the source, in the order of the values; a case without one is named after its
    ///   value.
    init(name: String, values: [JSONValue], names: [String] = []) {
        var unique = UniqueCaseNames()
        var seen: Set<JSONValue> = []
        var cases: [(name: String, value: JSONValue)] = []
        for (index, value) in values.enumerated() where seen.insert(value).inserted {
            let given = names.indices.contains(index) ? names[index] : ""
            cases.append((unique.name(given.isEmpty ? Self.name(of: value) : given), value))
        }
        self.init(name: name, cases: cases)
        if case .integer = cases.first?.value { isInteger = true }
    }

    /// Whether all values are whole numbers, and not texts; `nil` if no enum has them.
    static func areIntegers(_ values: [JSONValue]) -> Bool? {
        let areIntegers = values.map { value -> Bool? in
            switch value {
            case .integer: true
            case .string: false
            default: nil
            }
        }
        return Set(areIntegers).count == 1 ? areIntegers[0] : nil
    }

    private static func name(of value: JSONValue) -> String {
        switch value {
        case .string(let text): text.isEmpty ? "empty" : text
        case .integer(let number): number < 0 ? "valueMinus\(number.magnitude)" : "value\(number)"
        default: "other"
        }
    }
}

/// Names of the cases of an enum, none of which is given twice.
struct UniqueCaseNames {
    private var taken: Set<String> = []

    /// The name in camelCase, with a number if it is taken.
    mutating func name(_ name: String) -> String {
        let name = freeName(UsableName.enumCase(name), isTaken: taken.contains)
        taken.insert(name)
        return name
    }
}
