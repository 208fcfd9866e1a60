/// What type aliases stand for at the beginning of paths: `extension CurrentSchema { enum Mood … }` declares
/// `SchemaV2.Mood` if `CurrentSchema` is `SchemaV2`.
struct SwiftAliases {
    private let targets: [[String]: [String]]
    private let types: Set<[String]>

    init(_ all: [SwiftDeclaration]) {
        targets = Dictionary(all.compactMap { type in type.target?.path.map { (type.path, $0) } }) { first, _ in first }
        types = Set(all.filter { $0.kind != .extension && $0.target == nil }.map(\.path))
    }

    /// The declaration with the path of its type.
    func followed(_ declaration: SwiftDeclaration) -> SwiftDeclaration {
        var result = declaration
        // The last name of an alias is its own.
        let own = declaration.target == nil ? [] : declaration.path.suffix(1)
        result.path = followed(declaration.path.dropLast(own.count)) + own
        return result
    }

    func followed(_ unread: SwiftUnread) -> SwiftUnread {
        var result = unread
        result.owner = unread.owner.map(followed)
        return result
    }

    private func followed(_ path: [String]) -> [String] {
        if targets.isEmpty { return path }
        var path = path
        for _ in 0..<SwiftProgram.aliasLimit {
            let ends = path.indices.map { path[...$0] }
            guard let alias = ends.first(where: { !types.contains(Array($0)) && targets[Array($0)] != nil }),
                let target = targets[Array(alias)]
            else { break }
            let scopes = alias.indices.reversed().map { Array(alias[..<$0]) }
            guard let scope = scopes.first(where: { types.contains($0 + target) || targets[$0 + target] != nil }) else {
                break
            }
            path = scope + target + path[alias.endIndex...]
        }
        return path
    }
}
