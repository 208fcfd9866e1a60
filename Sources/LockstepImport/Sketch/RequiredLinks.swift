/// The required links between entities, by name: they must not form a cycle.
struct RequiredLinks {
    private var targets: [String: Set<String>] = [:]

    /// Adds a link, unless it would close a cycle of required links.
    ///
    /// - Returns: Whether the link can be required.
    mutating func add(_ owner: String, _ target: String) -> Bool {
        var seen: Set<String> = []
        var open = [target]
        while let next = open.popLast() {
            if next == owner { return false }
            if seen.insert(next).inserted { open += targets[next] ?? [] }
        }
        targets[owner, default: []].insert(target)
        return true
    }
}
