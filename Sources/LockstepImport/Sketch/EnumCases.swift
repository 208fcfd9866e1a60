import LockstepJSON
import LockstepSchema

extension EnumSketch {
    /// An enum of texts or of whole numbers, with a name for each.
    ///
    /// - Parameter names: The names in the source, in the order of the values; a case without one is named after its
    ///   value.
    init(name: String, values: [JSONValue], names: [String] = []) {
        var taken: Set<String> = []
        var seen: Set<JSONValue> = []
        var cases: [(name: String, value: JSONValue)] = []
        for (index, value) in values.enumerated() where seen.insert(value).inserted {
            let given = names.indices.contains(index) ? names[index] : ""
            let wanted = UsableName.enumCase(given.isEmpty ? Self.name(of: value) : given)
            let name = freeName(wanted, isTaken: taken.contains)
            taken.insert(name)
            cases.append((name, value))
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
