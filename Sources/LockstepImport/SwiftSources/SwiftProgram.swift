/// What the files of an app declare, with its models by version.
struct SwiftProgram {
    /// In the order of the files and their lines; members of extensions belong to their types.
    let declarations: [SwiftDeclaration]
    /// In the order of their identifiers.
    let versions: [SwiftDeclaration]
    /// What type aliases stand for, by their paths.
    private let aliases: [[String]: SwiftType]
    private let unread: [SwiftUnread]
    /// The aliases that are followed for one name or path.
    static let aliasLimit = 16
    private let byPath: [[String]: SwiftDeclaration]
    /// In the order of the declarations.
    private(set) var models: [SwiftDeclaration] = []
    /// By their last names.
    private var modelsByName: [String: [SwiftDeclaration]] = [:]
    /// What the versions list, by their paths.
    private var lists: [[String]: SwiftVersionModels] = [:]

    init(_ all: [SwiftDeclaration], unread: [SwiftUnread] = []) {
        let aliases = SwiftAliases(all)
        let all = all.map { aliases.followed($0) }
        self.aliases = Dictionary(all.compactMap { type in type.target.map { (type.path, $0) } }) { first, _ in first }
        self.unread = unread.map { aliases.followed($0) }
        declarations = Self.merged(all.filter { $0.target == nil })
        byPath = Dictionary(declarations.map { ($0.path, $0) }) { first, _ in first }
        versions = declarations.filter { $0.inherited.contains("VersionedSchema") }
            .sorted { Self.identifier($0).lexicographicallyPrecedes(Self.identifier($1)) }
        models = declarations.filter(isModel)
        modelsByName = Dictionary(grouping: models, by: \.name)
        for version in versions { lists[version.path] = SwiftVersionModels(version, in: self) }
    }

    /// The types, each with the members of its extensions.
    private static func merged(_ all: [SwiftDeclaration]) -> [SwiftDeclaration] {
        var types = all.filter { $0.kind != .extension }
        let indices = Dictionary(types.indices.map { (types[$0].path, $0) }) { first, _ in first }
        for other in all where other.kind == .extension {
            guard let index = indices[other.path] else { continue }
            types[index].inherited += other.inherited
            types[index].properties += other.properties.filter { $0.code != nil || $0.isStatic }
            types[index].functions += other.functions
        }
        return types
    }

    /// The numbers of `Schema.Version(1, 0, 0)`; the line follows, for versions that have the same.
    private static func identifier(_ version: SwiftDeclaration) -> [Int] {
        let property = version.properties.first { $0.name == "versionIdentifier" }
        guard case .call(_, let arguments)? = property?.value ?? property?.result else { return [.max, version.line] }
        let numbers = arguments.map { argument -> Int in
            guard case .number(let text) = argument.value else { return 0 }
            return Int(text) ?? 0
        }
        return numbers + [version.line]
    }

    // MARK: Looking up

    func declaration(at path: [String]) -> SwiftDeclaration? { byPath[path] }

    /// The declaration that a path of names means inside of a type: one of its own, of the nearest type around it, or
    /// of none.
    func declaration(at names: [String], inside path: [String], depth: Int = 0) -> SwiftDeclaration? {
        guard depth < Self.aliasLimit, let first = names.first else { return nil }
        guard let scope = scope(of: names, around: path) else {
            // The first can be the name of a module, and of these two, no type is the program's.
            let rest = Array(names.dropFirst())
            guard !["Foundation", "Swift"].contains(first), scope(of: rest, around: []) != nil else { return nil }
            return declaration(at: rest, inside: [], depth: depth + 1)
        }
        guard let target = aliases[scope + [first]] else { return byPath[scope + names] }
        guard let path = target.path else { return nil }
        return declaration(at: path + names.dropFirst(), inside: scope, depth: depth + 1)
    }

    /// What a type alias with a name stands for, inside of a type.
    func target(of name: String, inside path: [String]) -> SwiftType? {
        scope(of: [name], around: path).flatMap { aliases[$0 + [name]] }
    }

    /// The nearest scope at a path or around it that declares some names, or the first of them.
    private func scope(of names: [String], around path: [String]) -> [String]? {
        (0...path.count).reversed().lazy.map { Array(path.prefix($0)) }.first { scope in
            let first = scope + names.prefix(1)
            return aliases[first] != nil || byPath[first] != nil || byPath[scope + names] != nil
        }
    }

    /// The declaration that a class has from one of its ancestors.
    func declaration(at names: [String], inheritedBy type: SwiftDeclaration) -> SwiftDeclaration? {
        var (level, depth) = (type, 0)
        while depth < 32, let parent = declaration(at: level.parent, inside: level.path) {
            if let found = byPath[parent.path + names] { return found }
            (level, depth) = (parent, depth + 1)
        }
        return nil
    }

    /// What is not read outside of types, in the types at these paths, and in the lists of versions.
    func unread(in paths: Set<[String]>) -> [SwiftUnread] {
        unread.filter { part in part.owner.map(paths.contains) ?? true }
            + versions.flatMap { version in lists[version.path]?.unread.filter { $0.owner == version.path } ?? [] }
    }

    // MARK: Models

    func isModel(_ declaration: SwiftDeclaration) -> Bool {
        declaration.kind == .class && (declaration.has("Model") || isRealm(declaration))
    }

    /// Whether a class or one of its ancestors is an object of Realm.
    func isRealm(_ declaration: SwiftDeclaration) -> Bool {
        var (level, depth) = (Optional(declaration), 0)
        while let type = level, depth < 32 {
            if type.inherited.contains(where: ["Object", "EmbeddedObject", "AsymmetricObject"].contains) {
                return true
            }
            level = self.declaration(at: type.parent, inside: type.path)
            depth += 1
        }
        return false
    }

    /// The model that a path of names means, or ends with: of several, the nearest to a type.
    func model(at names: [String], near path: [String]) -> SwiftDeclaration? {
        let candidates = names.last.flatMap { modelsByName[$0] } ?? []
        return candidates.filter { $0.path.suffix(names.count).elementsEqual(names) }
            .max { Self.common($0.path, with: path) < Self.common($1.path, with: path) }
            ?? declaration(at: names, inside: path).flatMap { isModel($0) ? $0 : nil }
    }

    private static func common(_ one: [String], with other: [String]) -> Int {
        zip(one, other).prefix { $0 == $1 }.count
    }

    /// The models of a version: those that it lists, which are its own or of all versions.
    func models(of version: SwiftDeclaration) -> [SwiftDeclaration] { lists[version.path]?.models ?? [] }

    /// The models outside of versions that no version lists.
    var unversioned: [SwiftDeclaration] {
        let versioned = Set(versions.flatMap(models(of:)).map(\.path))
        return models.filter { model in
            !versioned.contains(model.path) && !versions.contains { model.path.starts(with: $0.path) }
        }
    }
}
