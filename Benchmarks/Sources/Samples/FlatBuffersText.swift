extension SampleSchema {
    /// The same entities as tables of FlatBuffers: the closest that language has for each attribute. Limits, unique and
    /// indexed attributes and inverses have no place in it. Fields are called as in JSON.
    package var flatBuffers: String {
        var lines = ["// Made by make-schema.", "namespace Benchmark;", ""]
        lines += enumerations.flatMap { $0.flatBuffers + [""] }
        lines += entities.flatMap { $0.flatBuffers + [""] }
        return lines.joined(separator: "\n")
    }
}

extension SampleEnumeration {
    fileprivate var flatBuffers: [String] {
        [
            "/// \(documentation)",
            "enum \(name) : byte { " + cases.map(\.name).joined(separator: ", ") + " }",
        ]
    }
}

extension SampleEntity {
    fileprivate var flatBuffers: [String] {
        var lines = ["/// \(documentation)", "table \(name) {"]
        for attribute in attributes {
            if let documentation = attribute.documentation { lines.append("  /// \(documentation)") }
            lines.append("  \(attribute.wireKey):\(attribute.flatBuffers);")
        }
        let key = parent.keyType.flatBuffers
        lines.append("  \(snakeCase(parent.name))_id:\(key)\(parent.keyType.isText ? "" : " = null");")
        let (type, suffix) = children.isOnWire ? (children.destination, "") : (children.keyType.flatBuffers, "_ids")
        lines.append("  \(snakeCase(children.name))\(suffix):[\(type)];")
        return lines + ["}"]
    }
}

extension SampleAttribute {
    /// Texts are optional unless it is said that they are required; everything else has a default or may be null.
    fileprivate var flatBuffers: String {
        if type.isText { return type.flatBuffers + (isOptional ? "" : " (required)") }
        if isOptional { return type.flatBuffers + " = null" }
        guard let defaultValue, defaultValue != "now" else { return type.flatBuffers }
        return "\(type.flatBuffers) = \(defaultValue)"
    }
}

extension SampleType {
    fileprivate var isText: Bool { flatBuffers == "string" }

    /// Dates are seconds since 1970, as in SQLite.
    fileprivate var flatBuffers: String {
        switch self {
        case .enumeration(let name): name
        case .uuid, .string, .decimal, .url: "string"
        case .int: "long"
        case .date, .double: "double"
        case .bool: "bool"
        }
    }
}
