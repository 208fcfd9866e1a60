extension SwiftProgram {
    /// The type that an alias stands for inside of a type, also in a list. Aliases of the program's types are followed
    /// when these are looked up.
    func resolved(_ type: SwiftType, inside path: [String], depth: Int = 0) -> SwiftType {
        guard depth < Self.aliasLimit else { return type }
        switch type {
        case .array(let element): return .array(resolved(element, inside: path, depth: depth + 1))
        case .optional(let wrapped): return .optional(resolved(wrapped, inside: path, depth: depth + 1))
        case .named(let name, of: [], in: []):
            guard let target = target(of: name, inside: path) else { return type }
            guard let names = target.path else { return resolved(target, inside: path, depth: depth + 1) }
            if let last = names.last, SwiftScalars.types[last] != nil { return .named(last) }
            let isOwn = declaration(at: names, inside: path) != nil
            return isOwn ? type : resolved(target, inside: path, depth: depth + 1)
        default: return type
        }
    }

    /// The members of a structure that is encoded by its properties, which are stored by themselves; empty if one is no
    /// scalar.
    func parts(of type: SwiftType, inside path: [String]) -> [(name: String, type: CoreDataScalar)] {
        guard case .named(let name, of: [], let outer) = type,
            let found = declaration(at: outer + [name], inside: path), found.kind == .type,
            declaration(at: found.path + ["CodingKeys"]) == nil,
            !found.functions.contains(where: { $0.name == "encode" })
        else { return [] }
        let stored = found.properties.filter { $0.code == nil && !$0.isStatic }
        let parts = stored.compactMap { property -> (name: String, type: CoreDataScalar)? in
            let written = property.type ?? property.value.flatMap(SwiftScalars.type)
            guard case .named(let name, of: [], _)? = written.map({ resolved($0, inside: found.path).unwrapped().type })
            else { return nil }
            return SwiftScalars.types[name].map { (property.name, $0) }
        }
        return parts.count == stored.count ? parts : []
    }
}

extension SwiftType {
    /// The type without `?`, and without what Realm wraps values in.
    func unwrapped(isOptional: Bool = false) -> (type: SwiftType, isOptional: Bool) {
        switch self {
        case .optional(let wrapped): wrapped.unwrapped(isOptional: true)
        case .named("RealmProperty", let parameters, _) where parameters.count == 1:
            parameters[0].unwrapped(isOptional: isOptional)
        case .named("RealmOptional", let parameters, _) where parameters.count == 1:
            parameters[0].unwrapped(isOptional: true)
        // It is never declared as optional: `nil` is one of its values.
        case .named("AnyRealmValue", of: [], _): (self, true)
        case .named("Set", let parameters, _) where parameters.count == 1,
            .named("List", let parameters, _) where parameters.count == 1,
            .named("MutableSet", let parameters, _) where parameters.count == 1:
            (.array(parameters[0]), isOptional)
        case .named("Map", let parameters, _) where parameters.count == 2:
            (.dictionary(parameters[0], parameters[1]), isOptional)
        default: (self, isOptional)
        }
    }
}

extension SwiftValue {
    /// The members of `[\.a, \.b]`, and of `.binary([\.a, \.b])`.
    var members: [String]? {
        switch self {
        case .call(let names, let arguments):
            return names.last == "binary" && arguments.count == 1 ? arguments[0].value.members : nil
        case .list(let elements):
            let names = elements.compactMap { element -> String? in
                guard case .keyPath(let names) = element, names.count == 1 else { return nil }
                return names[0]
            }
            return names.count == elements.count ? names : nil
        default: return nil
        }
    }
}
