/// The recorded versions of a schema: the first as a whole, each later one as the changes that make it from the one
/// before.
package struct SchemaHistory: Hashable, Sendable {
    /// The schema's name in its latest version.
    package var schema: String
    /// The structure of the first version.
    package var base: SchemaTree
    /// At least one.
    package var versions: [Version]

    package struct Version: Hashable, Sendable {
        package var number: Int
        package var name: String?
        /// The structure that results.
        package var hash: StructureHash
        /// Whether it never changes again.
        package var isReleased: Bool
        /// From the version before; none for the first.
        package var changes: [SchemaChange]

        package init(
            number: Int, name: String? = nil, hash: StructureHash, isReleased: Bool = false,
            changes: [SchemaChange] = []
        ) {
            self.number = number
            self.name = name
            self.hash = hash
            self.isReleased = isReleased
            self.changes = changes
        }
    }

    /// The format of the file.
    package static let format = 1

    package init(schema: String, base: SchemaTree, versions: [Version]) {
        self.schema = schema
        self.base = base
        self.versions = versions
    }

    /// A history that begins with a structure.
    package init(beginningWith base: SchemaTree, version: Int, name: String? = nil, isReleased: Bool = false) {
        self.init(
            schema: base.name, base: base,
            versions: [Version(number: version, name: name, hash: StructureHash(base), isReleased: isReleased)])
    }

    package var first: Version { versions[0] }

    package var head: Version { versions[versions.count - 1] }

    /// The text of the head: it changes with every version, so that parallel branches conflict.
    package var headText: String { "\(head.number) \(head.hash.text)" }

    /// The structure of a version, by applying the changes.
    ///
    /// - Throws: `StructureError` if there is no such version, or a change does not fit.
    package func structure(at number: Int) throws(StructureError) -> SchemaTree {
        guard versions.contains(where: { $0.number == number }) else {
            throw StructureError([], reason: "version \(number) is not in the history")
        }
        var tree = base
        for version in versions where version.number <= number { try Self.apply(version, to: &tree) }
        return tree
    }

    private static func apply(_ version: Version, to tree: inout SchemaTree) throws(StructureError) {
        do {
            for change in version.changes { try tree.apply(change) }
        } catch {
            throw StructureError(["version \(version.number)"] + error.path, reason: error.reason)
        }
    }

    /// Applies all changes, and compares every version with its hash.
    ///
    /// - Returns: The structure of the last version.
    /// - Throws: `StructureError` if the numbers do not rise, a change does not fit, or a hash differs.
    @discardableResult
    package func verified() throws(StructureError) -> SchemaTree {
        guard !versions.isEmpty else { throw StructureError([], reason: "it has no versions") }
        var tree = base
        var last = 0
        for version in versions {
            guard version.number > last else {
                throw StructureError(["version \(version.number)"], reason: "it follows version \(last)")
            }
            last = version.number
            try Self.apply(version, to: &tree)
            guard StructureHash(tree) == version.hash else {
                throw StructureError(
                    ["version \(version.number)", "is"],
                    reason: "its changes result in another structure than when it was written")
            }
        }
        return tree
    }
}
