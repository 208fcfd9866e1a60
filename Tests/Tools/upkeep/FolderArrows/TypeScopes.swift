/// The names that are known inside of each type of a module, whatever file declares them.
struct TypeScopes {
    private var members: [String: Set<String>] = [:]
    private var parents: [String: Set<String>] = [:]

    init(_ files: [TypeNames]) {
        for file in files {
            members.merge(file.members) { $0.union($1) }
            parents.merge(file.parents) { $0.union($1) }
        }
    }

    /// Whether a name means something else where it is used than a type of the module.
    func hides(_ use: TypeNames.Use) -> Bool {
        var path = use.path[...]
        while !path.isEmpty {
            if knows(use.name, in: String(path)) { return true }
            path = path.lastIndex(of: ".").map { path[..<$0] } ?? ""
        }
        return false
    }

    /// Whether a type has a member of the name, or inherits it.
    private func knows(_ name: String, in path: String) -> Bool {
        var seen: Set<String> = []
        var open = [path]
        while let next = open.popLast() {
            guard seen.insert(next).inserted else { continue }
            if members[next]?.contains(name) == true { return true }
            open += parents[next] ?? []
        }
        return false
    }
}
