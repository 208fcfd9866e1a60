extension SampleSchema {
    /// The schema in the language of `lockstep`.
    package var yaml: String {
        var lines = [
            "# Made by make-schema. Every entity has 12 attributes and 2 relationships.",
            "lockstep: 1",
            "schema: \(Self.name)",
            "doc: \(entities.count) entities to measure with.",
            "access: \(isPublic ? "public" : "internal")",
            "",
            "wire:",
            "  names: snake_case",
            "",
            "enums:",
        ]
        lines += enumerations.flatMap(\.yaml)
        lines += ["", "entities:"]
        lines += entities.flatMap { $0.yaml + [""] }
        return lines.joined(separator: "\n")
    }
}

extension SampleEnumeration {
    fileprivate var yaml: [String] {
        [
            "  \(name):",
            "    doc: \(documentation)",
            "    cases: { " + cases.map { "\($0.name): \($0.rawValue)" }.joined(separator: ", ") + " }",
        ]
    }
}

extension SampleEntity {
    fileprivate var yaml: [String] {
        var lines = ["  \(name):", "    doc: \(documentation)", "    attributes:"]
        lines += attributes.map { "      " + $0.yaml }
        lines += [
            "    relationships:",
            "      \(parent.name): { to: \(parent.destination)?, inverse: \(parent.inverse) }",
            "      \(children.name): { to: [\(children.destination)], inverse: \(children.inverse)"
                + (children.isOnWire ? ", wire: embedded, onDelete: cascade }" : " }"),
        ]
        return lines
    }
}

extension SampleAttribute {
    /// `name: type`, or the long form where there is more to say.
    fileprivate var yaml: String {
        let typeText = type.yaml + (isOptional ? "?" : "")
        let settings = self.settings
        guard !settings.isEmpty else { return "\(name): \(typeText)" }
        return "\(name): { type: \(typeText), \(settings.joined(separator: ", ")) }"
    }

    private var settings: [String] {
        var settings: [String] = []
        if let defaultValue { settings.append("default: \(defaultValue)") }
        if let key { settings.append("key: \(key)") }
        if let minimum { settings.append("min: \(minimum)") }
        if let maximum { settings.append("max: \(maximum)") }
        if let minimumLength { settings.append("minLength: \(minimumLength)") }
        if let maximumLength { settings.append("maxLength: \(maximumLength)") }
        if isUnique { settings.append("unique: true") }
        if isIndexed { settings.append("indexed: true") }
        if let documentation { settings.append("doc: \"\(documentation)\"") }
        return settings
    }
}

extension SampleType {
    fileprivate var yaml: String {
        switch self {
        case .enumeration(let name): name
        default: "\(self)"
        }
    }
}
