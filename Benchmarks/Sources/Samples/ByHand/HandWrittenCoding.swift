extension HandWrittenEntity {
    /// `Entry+Encodable.swift`: the class cannot synthesize it, so every key is encoded by hand.
    var encodableFile: HandWrittenFile {
        var statements = attributes.map { encode($0.name, isOptional: $0.isOptional) }
        if parent.isOnWire { statements.append(encode(entity.parentKey, isOptional: true)) }
        if children.isOnWire { statements.append(encode(children.name, isOptional: false)) }
        return HandWrittenFile(
            name + "+Encodable.swift", imports: ["Foundation"],
            ["extension \(name): Encodable {"] + codingKeys + [
                "",
                "    \(access)func encode(to encoder: any Encoder) throws {",
                "        var container = encoder.container(keyedBy: CodingKeys.self)",
            ] + statements + ["    }", "}"])
    }

    private func encode(_ name: String, isOptional: Bool) -> String {
        "        try container.encode\(isOptional ? "IfPresent" : "")(\(name), forKey: .\(name))"
    }

    private var codingKeys: [String] {
        var keys = attributes.map { ($0.name, $0.wireKey) }
        if parent.isOnWire { keys.append((entity.parentKey, parentKeyColumn)) }
        if children.isOnWire { keys.append((children.name, snakeCase(children.name))) }
        let cases = keys.map { "        case \($0.0)" + ($0.0 == $0.1 ? "" : " = \"\($0.1)\"") }
        return ["    \(access)enum CodingKeys: String, CodingKey {"] + cases + ["    }"]
    }

    /// `EntryRepresentation.swift`: the value that is decoded, and the four comparisons with the class.
    var representationFile: HandWrittenFile {
        HandWrittenFile(
            representationName + ".swift", imports: ["Foundation"],
            ["\(access)struct \(representationName): Codable, Equatable, Sendable {"]
                + fields.map { "    \(access)var \($0.name): \($0.type)" } + [""] + codingKeys + memberwise + ["}", ""]
                + comparisons)
    }

    private var fields: [(name: String, type: String, parameter: String)] {
        var fields = attributes.map { attribute in
            (attribute.name, attribute.swiftType, attribute.isOptional ? " = nil" : "")
        }
        if parent.isOnWire { fields.append((entity.parentKey, parentKeyType, " = nil")) }
        if children.isOnWire { fields.append((children.name, childrenType, " = nil")) }
        return fields
    }

    /// Swift's own memberwise initializer is internal.
    private var memberwise: [String] {
        guard !access.isEmpty else { return [] }
        return ["", "    \(access)init("]
            + separated(fields.map { "\($0.name): \($0.type)\($0.parameter)" }).map { "        " + $0 } + ["    ) {"]
            + fields.map { "        self.\($0.name) = \($0.name)" } + ["    }"]
    }

    private var comparisons: [String] {
        let compared = attributes.map(\.name) + (parent.isOnWire ? [entity.parentKey] : [])
        let equal = compared.map { "lhs.\($0) == rhs.\($0)" }
        return ["\(access)func == (lhs: \(representationName), rhs: \(name)) -> Bool {", "    \(equal[0])"]
            + equal.dropFirst().map { "        && \($0)" } + [
                "}",
                "",
                "\(access)func == (lhs: \(name), rhs: \(representationName)) -> Bool {",
                "    rhs == lhs",
                "}",
                "",
                "\(access)func != (lhs: \(representationName), rhs: \(name)) -> Bool {",
                "    !(rhs == lhs)",
                "}",
                "",
                "\(access)func != (lhs: \(name), rhs: \(representationName)) -> Bool {",
                "    rhs != lhs",
                "}",
            ]
    }
}
