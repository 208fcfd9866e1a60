import LockstepSchema

/// SQL that finds values outside of an attribute's limits.
struct SQLiteRowLimits {
    private let attribute: Attribute
    private let schema: Schema

    init(_ attribute: Attribute, schema: Schema) { (self.attribute, self.schema) = (attribute, schema) }

    /// - Parameter value: The SQL of the stored value.
    func violations(_ value: String) -> [String] {
        var terms: [String] = []
        let number = attribute.type == .scalar(.decimal) ? "CAST(\(value) AS REAL)" : value
        if let minimum = attribute.limits.minimum { terms.append("\(number) < \(minimum)") }
        if let maximum = attribute.limits.maximum { terms.append("\(number) > \(maximum)") }
        if let minimum = attribute.limits.minimumLength { terms.append("length(\(value)) < \(minimum)") }
        if let maximum = attribute.limits.maximumLength { terms.append("length(\(value)) > \(maximum)") }
        if case .enumeration(let name) = attribute.type,
            let enumeration = schema.enumerations.first(where: { $0.name == name }), enumeration.isClosed
        {
            let values = enumeration.cases.map { item in
                switch item.rawValue {
                case .string(let text): SQLText.literal(text)
                case .int(let number): String(number)
                }
            }
            terms.append("\(value) NOT IN (\(values.joined(separator: ", ")))")
        }
        return terms
    }
}
