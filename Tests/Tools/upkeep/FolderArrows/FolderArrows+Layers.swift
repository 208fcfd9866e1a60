extension FolderArrows {
    /// The folders in order of layers: each group uses groups before it only. The folders of a group of more than one
    /// use each other, directly or through one another.
    var cycles: [[String]] {
        var rest = folders
        var groups: [[String]] = []
        while let first = rest.first {
            let group = rest.filter { reached(from: first).contains($0) && reached(from: $0).contains(first) }
            groups.append(group.isEmpty ? [first] : group)
            rest.removeAll { groups[groups.count - 1].contains($0) }
        }
        let depths = depths(of: groups)
        // The module's own folder is above all others, whatever it uses.
        let order = { (group: [String]) in
            (group == [SourceModule.root] ? Int.max : depths[group[0]] ?? 0, group[0])
        }
        return groups.sorted { order($0) < order($1) }
    }

    /// All that a folder uses, directly or not.
    private func reached(from folder: String) -> Set<String> {
        var seen: Set<String> = []
        var open = targets(of: folder)
        while let next = open.popLast() {
            if seen.insert(next).inserted { open += targets(of: next) }
        }
        return seen
    }

    /// How many groups are below each folder's, along the longest way.
    private func depths(of groups: [[String]]) -> [String: Int] {
        var depths: [String: Int] = [:]
        for _ in groups {
            for group in groups {
                let below = Set(group.flatMap(targets)).subtracting(group)
                let depth = below.map { (depths[$0] ?? 0) + 1 }.max() ?? 0
                for folder in group { depths[folder] = depth }
            }
        }
        return depths
    }
}
