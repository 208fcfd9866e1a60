/// The result of reading an attribute's `default:`.
enum DefaultReading {
    case absent
    case value(DefaultValue)
    case wrong(DefaultProblem)

    var value: DefaultValue? {
        if case .value(let value) = self { value } else { nil }
    }
}

struct DefaultProblem {
    enum Reason {
        /// The value has another type than the expected one: "a whole number".
        case notOfType(expected: String)
        /// The violation: "less than the minimum 0".
        case outsideLimits(String)
        case unknownCase(String, of: EnumerationDeclaration)
    }

    var reason: Reason
    var range: TextRange
}

/// Reads the YAML value of `default:` according to the attribute's type.
struct DefaultReader {
    let types: TypeTable

    /// If `type` is `nil`, it is unknown, and the default is not checked.
    func read(
        _ node: Node, as type: AttributeType?, isOptional: Bool, limits: LimitCheck
    ) -> DefaultReading {
        guard let type, !(node.isNull && isOptional) else { return .absent }
        let reading = read(node, as: type)
        guard case .value(let value) = reading, let broken = limits.broken(by: value) else { return reading }
        return .wrong(DefaultProblem(reason: .outsideLimits(broken), range: node.range))
    }

    private func read(_ node: Node, as type: AttributeType) -> DefaultReading {
        switch type {
        case .scalar(let scalar): return ScalarDefault.read(node, as: scalar)
        case .custom: return types.storedScalar(of: type).map { ScalarDefault.read(node, as: $0) } ?? .absent
        case .enumeration(let name): return types.enumeration(named: name).map { readCase(node, of: $0) } ?? .absent
        case .list(let element): return readList(node, of: element)
        case .attachment: return ScalarDefault.read(node, as: .data)
        }
    }

    private func readCase(_ node: Node, of enumeration: EnumerationDeclaration) -> DefaultReading {
        guard case .scalar(let text, isPlain: _) = node.content else {
            let expected = "one of its cases"
            return .wrong(DefaultProblem(reason: .notOfType(expected: expected), range: node.range))
        }
        if types.hasCase(text, in: enumeration) { return .value(.enumerationCase(text)) }
        return .wrong(DefaultProblem(reason: .unknownCase(text, of: enumeration), range: node.range))
    }

    private func readList(_ node: Node, of element: AttributeType) -> DefaultReading {
        guard case .sequence(let nodes) = node.content else {
            return .wrong(DefaultProblem(reason: .notOfType(expected: "a list"), range: node.range))
        }
        var values: [DefaultValue] = []
        for node in nodes {
            switch read(node, as: element) {
            case .absent: return .absent
            case .value(let value): values.append(value)
            case .wrong(let problem): return .wrong(problem)
            }
        }
        return .value(.list(values))
    }
}
