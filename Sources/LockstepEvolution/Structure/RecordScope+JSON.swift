import LockstepJSON

extension RecordScope {
    var json: JSONValue {
        switch self {
        case .own: "self"
        case .everyone: "public"
        case .attribute(let name): ["attribute": .string(name)]
        case .relationship(let name): ["relationship": .string(name)]
        }
    }

    /// - Returns: `nil` if there is none.
    init?(_ reader: inout PropertyReader) throws(StructureError) {
        switch reader.value("scope") {
        case nil: return nil
        case .string("self")?: self = .own
        case .string("public")?: self = .everyone
        case .object(let members)?:
            var scope = PropertyReader(members, path: reader.path + ["scope"])
            if let name = try scope.text("attribute") {
                self = .attribute(name)
            } else {
                self = .relationship(try scope.requiredText("relationship"))
            }
            try scope.finish()
        default: throw reader.error("scope", reason: "it is none of self, public, an attribute and a relationship")
        }
    }
}

extension AccessRule {
    var json: JSONValue {
        switch self {
        case .nobody: "none"
        case .everyone: "everyone"
        case .users(let paths): .array(paths.map { .string($0.text) })
        }
    }

    /// - Returns: `nil` if there is none.
    init?(_ reader: inout PropertyReader, key: String) throws(StructureError) {
        switch reader.value(key) {
        case nil: return nil
        case .string("none")?: self = .nobody
        case .string("everyone")?: self = .everyone
        case .array(let elements)? where !elements.isEmpty:
            var paths: [AccessPath] = []
            for name in try reader.names(.array(elements), key: key) {
                guard let path = AccessPath(text: name) else {
                    throw reader.error(key, reason: "'\(name)' is not a path")
                }
                paths.append(path)
            }
            self = .users(paths.sorted())
        default: throw reader.error(key, reason: "it is none of none, everyone and a list of paths")
        }
    }
}
