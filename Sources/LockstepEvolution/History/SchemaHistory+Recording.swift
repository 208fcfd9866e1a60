extension SchemaHistory {
    /// Adds a version.
    ///
    /// - Parameters:
    ///   - changes: From the last version.
    ///   - tree: The structure that results.
    package mutating func append(_ changes: [SchemaChange], resultingIn tree: SchemaTree, name: String?) {
        versions.append(
            Version(number: head.number + 1, name: name, hash: StructureHash(tree), changes: changes))
    }

    /// The history without its last version; `nil` if that is the only one.
    package var withoutHead: SchemaHistory? {
        guard versions.count > 1 else { return nil }
        var history = self
        history.versions.removeLast()
        return history
    }

    /// The history with all versions marked as released: they never change again.
    package var released: SchemaHistory {
        var history = self
        for index in versions.indices { history.versions[index].isReleased = true }
        return history
    }

    /// The history that begins with a version: what was before it is forgotten.
    ///
    /// - Throws: `StructureError` if there is no such version.
    package func beginning(with number: Int) throws(StructureError) -> SchemaHistory {
        var history = self
        history.base = try structure(at: number)
        history.versions.removeAll { $0.number < number }
        history.versions[0].changes = []
        return history
    }

    /// The versions that another history does not have, after those that both begin with.
    package func versions(after other: SchemaHistory) -> [Version] {
        let common = zip(versions, other.versions).prefix { $0.number == $1.number && $0.hash == $1.hash }.count
        return Array(versions.dropFirst(common))
    }
}
