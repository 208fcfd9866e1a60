/// Checks a value against an attribute's limits.
struct LimitCheck {
    private let attribute: AttributeDeclaration

    init(_ attribute: AttributeDeclaration) { self.attribute = attribute }

    /// The violation by `value`: "less than the minimum 0". `nil` if it is within the limits.
    func broken(by value: DefaultValue) -> String? {
        switch value {
        case .integer(let number): brokenRange(NumberText(String(number)))
        case .decimal(let text): brokenRange(NumberText(text))
        case .double(let number): brokenRange(number)
        case .string(let text): brokenLength(text.unicodeScalars.count, unit: "letters")
        case .data(let bytes): brokenLength(bytes.count, unit: "bytes")
        case .list(let values): brokenLength(values.count, unit: "values")
        case .bool, .date, .uuid, .url, .json, .enumerationCase, .now, .newUUID: nil
        }
    }

    private func brokenRange(_ number: NumberText?) -> String? {
        guard let number else { return nil }
        if let minimum = attribute.minimum?.value, let limit = NumberText(minimum), number < limit {
            return "less than the minimum \(minimum)"
        }
        if let maximum = attribute.maximum?.value, let limit = NumberText(maximum), number > limit {
            return "greater than the maximum \(maximum)"
        }
        return nil
    }

    private func brokenRange(_ number: Double) -> String? {
        if let minimum = attribute.minimum?.value, let limit = Double(minimum), number < limit {
            return "less than the minimum \(minimum)"
        }
        if let maximum = attribute.maximum?.value, let limit = Double(maximum), number > limit {
            return "greater than the maximum \(maximum)"
        }
        return nil
    }

    private func brokenLength(_ count: Int, unit: String) -> String? {
        if let minimum = attribute.minimumLength?.value, count < minimum {
            return "shorter than the minimum length of \(minimum) \(unit)"
        }
        if let maximum = attribute.maximumLength?.value, count > maximum {
            return "longer than the maximum length of \(maximum) \(unit)"
        }
        return nil
    }
}
