import LockstepJSON

extension SchemaHistory {
    /// Checks the names of all versions as those of a schema are checked: they become names in Swift. The hashes say
    /// nothing about it, and the names of versions are not part of them.
    ///
    /// - Throws: `StructureError` with the location of the first name that is not allowed.
    func checkNames() throws(StructureError) {
        var tree = base
        for version in versions {
            let location = "version \(version.number)"
            if version.name?.hasHidden == true {
                throw StructureError(
                    [location, "name"], reason: "the name of a version is one line without control characters")
            }
            for change in version.changes { try tree.apply(change) }
            for (name, properties) in tree.enumerations {
                try Self.check(name, at: [location, name])
                guard case .object(let cases)? = properties["cases"] else { continue }
                for item in cases.keys { try Self.check(item, at: [location, name, "cases", item]) }
            }
            for (name, entity) in tree.entities {
                try Self.check(name, at: [location, name])
                for member in entity.members.keys { try Self.check(member, at: [location, name, member]) }
            }
        }
    }

    private static func check(_ name: String, at path: [String]) throws(StructureError) {
        guard !Identifier.isValid(name) else { return }
        throw StructureError(
            path, reason: "a name has letters, digits and underscores, and does not begin with a digit")
    }
}
