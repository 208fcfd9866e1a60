extension SchemaEvolution {
    /// The steps in the order in which they are carried out: each stage is a migration of its own.
    ///
    /// A version begins another stage if it needs the rows, or what is pending, as the versions before it have left
    /// them. All others are composed.
    ///
    /// - Throws: `StructureError` if a change does not fit.
    package func stages() throws(StructureError) -> [SchemaEvolution] {
        guard versions.contains(where: { isConverting($0) || $0.pullsAgain }) else { return [self] }
        var stages: [SchemaEvolution] = []
        var (first, last) = (tree, tree)
        var group: [SchemaHistory.Version] = []
        for version in versions {
            if try begins(version, from: last, after: group, from: first) {
                stages.append(try SchemaEvolution(from: first, by: group))
                (first, group) = (last, [])
            }
            group.append(version)
            for change in version.changes { try last.apply(change) }
        }
        return stages.isEmpty ? [self] : stages + [try SchemaEvolution(from: first, by: group)]
    }

    /// The number of the last version.
    package var lastVersion: Int? { versions.last?.number }

    private func isConverting(_ version: SchemaHistory.Version) -> Bool {
        conversions.contains { $0.version == version.number }
    }

    /// Whether a version begins another stage.
    ///
    /// - Parameters:
    ///   - last: The structure before the version.
    ///   - group: The versions of the stage until then.
    ///   - first: The structure before these.
    private func begins(
        _ version: SchemaHistory.Version, from last: SchemaTree, after group: [SchemaHistory.Version],
        from first: SchemaTree
    ) throws(StructureError) -> Bool {
        guard group.contains(where: { !$0.changes.isEmpty }) else { return false }
        // A conversion gets the columns of the version before it.
        if isConverting(version) { return true }
        guard version.pullsAgain || version.removes && group.contains(where: isConverting) else { return false }
        let stage = try SchemaEvolution(from: first, by: group)
        return try SchemaEvolution(from: last, by: [version]).depends(on: stage)
    }

    /// Whether the steps need what those of an earlier stage have made of the records.
    private func depends(on stage: SchemaEvolution) -> Bool {
        entities.values.contains { entity in
            guard let former = entity.origin.flatMap({ stage.entities[$0] }) else { return false }
            // The edits of what a conversion has made are kept, and so are the rows that it could not convert.
            let losesConverted = entity.removedMembers.keys.contains { former.members[$0]?.isConverted == true }
            // Only records with a pending change stay.
            return losesConverted || entity.isRefetched && former.maySettle
        }
    }
}

extension EntityEvolution {
    /// Whether a change of a record may not be pending any more: it is of a value that is removed or changed, or the
    /// record goes, because another one has its value.
    fileprivate var maySettle: Bool {
        !removedMembers.isEmpty || !duplicates.isEmpty
            || members.values.contains { member in
                member.origin != nil && (member.linkFill != nil || member.steps.contains(where: \.changesValues))
            }
    }
}

extension MemberEvolution {
    /// Whether a conversion of the app has made the values.
    fileprivate var isConverted: Bool { steps.contains { $0.conversion != nil } }
}

extension SchemaHistory.Version {
    /// Whether records are deleted, to be pulled again.
    fileprivate var pullsAgain: Bool { changes.contains(where: \.answers.refetch) }

    fileprivate var removes: Bool {
        changes.contains { if case .remove = $0.action { true } else { false } }
    }
}
