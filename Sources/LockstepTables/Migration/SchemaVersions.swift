package import LockstepEvolution
import LockstepJSON

/// The recorded versions of a store's schema, and how a file of an earlier one becomes one of this.
package struct SchemaVersions {
    private let schema: SchemaDescription
    /// `nil` if none are recorded, or if the generated text was damaged.
    let history: SchemaHistory?

    package init(_ schema: SchemaDescription) {
        self.schema = schema
        history =
            schema.history.isEmpty
            ? nil : (try? JSONValue(parsing: schema.history)).flatMap { try? SchemaHistory(json: $0) }
    }

    /// The structure of the schema itself.
    private var target: SchemaTree { SchemaTree(schema.plan.structure) }

    /// The steps from a file's structure to the schema's.
    ///
    /// - Returns: `nil` if the history does not have the file's version.
    package func evolution(from file: FileMetadata) throws -> SchemaEvolution? {
        guard let history, let origin = file.ofSchema.recorded(in: history) else { return nil }
        let tree = try history.structure(at: origin.number)
        var later = history.versions.filter { $0.number > origin.number }
        if schema.isDraft, let head = try? history.structure(at: history.head.number) {
            later.append(try Self.draft(from: head, to: target, after: history.head.number))
        }
        return try SchemaEvolution(from: tree, by: later)
    }

    /// Returns the relation of a file to the schema, according to what both record.
    func origin(of file: FileMetadata) -> FileOrigin {
        file.ofSchema.origin(
            for: FileVersion(number: schema.version, fingerprint: schema.fingerprint), history: history,
            isDraft: schema.isDraft)
    }

    /// The steps of a developer's file to a schema that is not recorded yet.
    ///
    /// - Throws: `DraftError` if something was removed or changed, so that it could be a rename.
    func reconciliation(from file: FileMetadata) throws -> SchemaEvolution? {
        guard let tree = file.tree, tree.name == target.name else { return nil }
        return try SchemaEvolution(from: tree, by: [Self.draft(from: tree, to: target, after: file.version)])
    }

    private static func draft(
        from tree: SchemaTree, to target: SchemaTree, after version: Int
    ) throws -> SchemaHistory.Version {
        let changes = try SchemaDiff.changes(from: tree, to: target)
        let lossy = changes.filter { !$0.isSafe }
        guard lossy.isEmpty else { throw DraftError(changes: lossy.map(\.path.description)) }
        return SchemaHistory.Version(number: version + 1, hash: StructureHash(target), changes: changes)
    }

    /// The oldest version whose readers can read a file of this one: only additions lie between.
    var oldestReader: Int {
        guard let history else { return schema.version }
        var oldest = schema.version
        for version in history.versions.reversed() {
            if version.changes.isEmpty || !version.changes.allSatisfy(\.onlyAdds) {
                return min(oldest, version.number)
            }
            oldest = version.number - 1
        }
        return max(oldest, history.first.number)
    }
}

/// A schema that is not recorded removes or changes something.
struct DraftError: Error {
    /// The changes and removals.
    let changes: [String]
}

extension SchemaChange {
    /// Whether a developer's file can be changed like this without a word: nothing is lost.
    fileprivate var isSafe: Bool {
        switch action {
        case .add: true
        case .remove, .rename: false
        case .change(from: let former, to: let new): !Set(former.keys).union(new.keys).contains("type")
        }
    }

    /// Whether programs with the former schema can read the file afterwards.
    fileprivate var onlyAdds: Bool {
        switch action {
        case .add: true
        case .remove, .rename: false
        case .change(from: let former, to: let new):
            Set(former.keys).union(new.keys).isDisjoint(with: [
                "type", "column", "columns", "table", "join", "identity",
            ])
        }
    }
}
