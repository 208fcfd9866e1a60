extension HandWrittenEntity {
    /// `Entry.swift`: the properties and the initializer that an object graph editor would generate.
    var classFile: HandWrittenFile {
        let properties = attributes.map { attribute in
            "    \(access)\(attribute.name == "id" ? "let" : "var") \(attribute.name): \(attribute.swiftType)"
        }
        let lines =
            ["\(access)final class \(name) {"] + properties + [
                "    \(access)var \(entity.parentKey): \(parentKeyType)",
                "    \(access)var \(parent.name): \(parent.destination)? {",
                "        didSet { \(entity.parentKey) = \(parent.name)?.id }",
                "    }",
                "    \(access)var \(children.name): [\(children.destination)] = []",
                "",
            ] + initializer + ["}"]
        return HandWrittenFile(name + ".swift", imports: ["Foundation"], lines)
    }

    private var initializer: [String] {
        let parameters = attributes.map(\.swiftParameter) + ["\(entity.parentKey): \(parentKeyType) = nil"]
        let names = attributes.map(\.name) + [entity.parentKey]
        return ["    \(access)init("] + separated(parameters).map { "        " + $0 } + ["    ) {"]
            + names.map { "        self.\($0) = \($0)" } + ["    }"]
    }

    /// `Entry+Convenience.swift`: to and from the representation, and `update(from:)`.
    var convenienceFile: HandWrittenFile {
        HandWrittenFile(
            name + "+Convenience.swift", imports: ["Foundation"],
            ["extension \(name) {"] + representation + [""] + initializerFromRepresentation + [""] + update + ["}"])
    }

    private var representation: [String] {
        var arguments = attributes.map { "\($0.name): \($0.name)" }
        if parent.isOnWire { arguments.append("\(entity.parentKey): \(entity.parentKey)") }
        if children.isOnWire { arguments.append("\(children.name): \(children.name).map(\\.representation)") }
        return ["    \(access)var representation: \(representationName) {", "        \(representationName)("]
            + separated(arguments).map { "            " + $0 } + ["        )", "    }"]
    }

    private var initializerFromRepresentation: [String] {
        var arguments = attributes.map { "\($0.name): representation.\($0.name)" }
        if parent.isOnWire { arguments.append("\(entity.parentKey): representation.\(entity.parentKey)") }
        return ["    @discardableResult", "    \(access)convenience init?(representation: \(representationName)) {"]
            + limits.map { "        guard \($0) else { return nil }" }
            + ["        self.init("] + separated(arguments).map { "            " + $0 } + ["        )"]
            + takeChildren + ["    }"]
    }

    private var limits: [String] {
        attributes.flatMap { attribute -> [String] in
            let value = "representation.\(attribute.name)"
            return [
                attribute.minimum.map { "\(value) >= \($0)" },
                attribute.maximum.map { "\(value) <= \($0)" },
                attribute.minimumLength.map { "\(value).count >= \($0)" },
                attribute.maximumLength.map { "\(value).count <= \($0)" },
            ].compactMap { $0 }
        }
    }

    private var takeChildren: [String] {
        guard children.isOnWire else { return [] }
        let name = children.name
        return [
            "        if let \(name) = representation.\(name) {",
            "            self.\(name) = \(name).compactMap { \(children.destination)(representation: $0) }",
            "        }",
        ]
    }

    private var update: [String] {
        var names = attributes.dropFirst().map(\.name)
        if parent.isOnWire { names.append(entity.parentKey) }
        return ["    \(access)func update(from representation: \(representationName)) {"]
            + names.map { "        \($0) = representation.\($0)" } + takeChildren + ["    }"]
    }
}
