extension SampleSchema {
    /// The same entities as messages of Protocol Buffers: the closest that language has for each attribute. Limits,
    /// defaults, unique and indexed attributes and inverses have no place in it. Fields are called as in JSON.
    package var protobuf: String {
        var lines = ["// Made by make-schema.", "syntax = \"proto3\";", "package benchmark;", ""]
        lines += enumerations.flatMap { $0.protobuf + [""] }
        lines += entities.flatMap { $0.protobuf + [""] }
        return lines.joined(separator: "\n")
    }
}

extension SampleEnumeration {
    /// Cases carry the name of their enum, since all enums of a file share one scope.
    fileprivate var protobuf: [String] {
        let prefix = snakeCase(name).uppercased() + "_"
        return ["// \(documentation)", "enum \(name) {"]
            + cases.enumerated().map { "  \(prefix)\(snakeCase($1.name).uppercased()) = \($0);" } + ["}"]
    }
}

extension SampleEntity {
    fileprivate var protobuf: [String] {
        var lines = ["// \(documentation)", "message \(name) {"]
        for (index, attribute) in attributes.enumerated() {
            if let documentation = attribute.documentation { lines.append("  // \(documentation)") }
            let label = attribute.isOptional ? "optional " : ""
            lines.append("  \(label)\(attribute.type.protobuf) \(attribute.wireKey) = \(index + 1);")
        }
        let next = attributes.count + 1
        lines.append("  optional \(parent.keyType.protobuf) \(snakeCase(parent.name))_id = \(next);")
        let (type, suffix) = children.isOnWire ? (children.destination, "") : (children.keyType.protobuf, "_ids")
        lines.append("  repeated \(type) \(snakeCase(children.name))\(suffix) = \(next + 1);")
        return lines + ["}"]
    }
}

extension SampleType {
    /// Dates are seconds since 1970, as in SQLite.
    fileprivate var protobuf: String {
        switch self {
        case .enumeration(let name): name
        case .uuid, .string, .decimal, .url: "string"
        case .int: "int64"
        case .date, .double: "double"
        case .bool: "bool"
        }
    }
}
