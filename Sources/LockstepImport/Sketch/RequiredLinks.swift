/// The required links between entities, by name: they must not form a cycle.
struct RequiredLinks {
    private var targets: [String: Set<String>] = [:]
    private var required: Set<String> = []

    /// Adds a link, unless it would close a cycle of required links.
    ///
    /// - Returns: Whether the link can be required.
    mutating func add(_ owner: String, target: String) -> Bool {
        if owner == target || reaches(owner, from: target) { return false }
        targets[owner, default: []].insert(target)
        required.insert(target)
        return true
    }

    private func reaches(_ owner: String, from target: String) -> Bool {
        // Most entities are added after those that they require, or before: there is nothing to search.
        guard required.contains(owner) else { return false }
        var seen: Set<String> = []
        var open = [target]
        while let next = open.popLast() {
            if next == owner { return true }
            if seen.insert(next).inserted { open += targets[next] ?? [] }
        }
        return false
    }
}
