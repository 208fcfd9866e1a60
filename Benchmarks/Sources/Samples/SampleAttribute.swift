/// The type of an attribute.
package enum SampleType: Hashable {
    case uuid, int, string, date, decimal, double, bool, url
    case enumeration(String)
}

/// One attribute of a sample entity.
package struct SampleAttribute {
    package let name: String
    package let type: SampleType
    package var isOptional = false
    /// As both YAML and Swift spell it; of an enum the name of the case. `now` stands for the present.
    package var defaultValue: String?
    package var minimum: Int?
    package var maximum: Int?
    package var minimumLength: Int?
    package var maximumLength: Int?
    package var isUnique = false
    package var isIndexed = false
    /// The key in JSON where it is not the name in snake_case.
    package var key: String?
    package var documentation: String?

    /// The key in JSON.
    package var wireKey: String { key ?? snakeCase(name) }
    /// The column in SQL.
    package var column: String { snakeCase(name) }
}
