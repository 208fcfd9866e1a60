/// Checks a value against an attribute's limits.
struct LimitCheck {
    let minimum: String?
    let maximum: String?
    let minimumLength: Int64?
    let maximumLength: Int64?

    /// The violation by `value`: "less than the minimum 0". `nil` if it is within the limits.
    func broken(by value: DefaultValue) -> String? {
        switch value {
        case .integer(let number): brokenRange(NumberText(String(number)))
        case .decimal(let text): brokenRange(NumberText(text))
        case .double(let number): brokenRange(number)
        case .string(let text): brokenLength(text.unicodeScalars.count, unit: "letters")
        case .data(let bytes): brokenLength(bytes.count, unit: "bytes")
        case .list(let values): brokenLength(values.count, unit: "values")
        case .bool, .date, .day, .uuid, .url, .json, .enumerationCase, .now, .newUUID: nil
        }
    }

    private func brokenRange(_ number: NumberText?) -> String? {
        guard let number else { return nil }
        if let minimum, let limit = NumberText(minimum), number < limit {
            return "less than the minimum \(minimum)"
        }
        if let maximum, let limit = NumberText(maximum), number > limit {
            return "greater than the maximum \(maximum)"
        }
        return nil
    }

    private func brokenRange(_ number: Double) -> String? {
        if let minimum, let limit = Double(minimum), number < limit {
            return "less than the minimum \(minimum)"
        }
        if let maximum, let limit = Double(maximum), number > limit {
            return "greater than the maximum \(maximum)"
        }
        return nil
    }

    private func brokenLength(_ count: Int, unit: String) -> String? {
        if let minimumLength, count < minimumLength {
            return "shorter than the minimum length of \(minimumLength) \(unit)"
        }
        if let maximumLength, count > maximumLength {
            return "longer than the maximum length of \(maximumLength) \(unit)"
        }
        return nil
    }
}
