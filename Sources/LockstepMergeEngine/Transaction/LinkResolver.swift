import LockstepTables

/// Turns the links of the payload into foreign keys, once every staged record has its key.
struct LinkResolver {
    let staging: Staging
    let identities: RemoteIdentities

    func resolve() throws {
        for table in staging.tables where table.count > 0 { try identities.resolve(table, in: staging) }
        for table in staging.tables where table.count > 0 {
            var path: LinkPath?
            for link in table.links {
                // Most links follow others of the same relationship.
                if path?.relationship != link.relationship || path?.targetTable != link.targetTable {
                    path = LinkPath(of: link, in: table, staging: staging)
                }
                if let path { follow(link, by: path, in: table) }
            }
            for reference in table.references { try follow(reference, in: table) }
            for membership in table.memberships { assignPositions(membership, in: table) }
        }
    }

    /// Rows whose embedded to-one is null although it is required, and whose payload has no identity for it.
    func withoutRequired() -> [(table: StagedTable, link: StagedLink)] {
        staging.tables.flatMap { table in
            table.links.filter { link in
                guard link.targetRow < 0 else { return false }
                let relationship = table.entity.relationships[Int(link.relationship)]
                let cells = table.row(Int(link.row))
                return relationship.isRequired
                    && relationship.foreignKey?.contains { cells[$0].kind == .absent } ?? false
            }
            .map { (table, $0) }
        }
    }

    /// What the links of one relationship to the rows of one table have in common.
    private struct LinkPath {
        let relationship: Int16
        let targetTable: Int16
        let columns: [Int]
        let isRequired: Bool
        let target: StagedTable
        /// The key of the target's rows if it has one column; otherwise -1.
        let keyColumn: Int

        /// - Returns: `nil` if this end holds no key.
        init?(of link: StagedLink, in table: StagedTable, staging: Staging) {
            let relationship = table.entity.relationships[Int(link.relationship)]
            guard let columns = relationship.foreignKey else { return nil }
            (self.relationship, targetTable) = (link.relationship, link.targetTable)
            (self.columns, isRequired) = (columns, relationship.isRequired)
            target = staging.tables[Int(link.targetTable)]
            keyColumn = target.entity.keyColumn
        }
    }

    /// If the payload has an identity for the link as well, the identity decides (Rules.md, R1). The owner that a
    /// record is embedded in takes precedence over what the record itself states.
    private func follow(_ link: StagedLink, by path: LinkPath, in table: StagedTable) {
        if link.isOwner, table.origins[Int(link.row)].isNoMember { return }
        let cells = table.row(Int(link.row))
        if !link.isOwner, path.columns.contains(where: { cells[$0].isValue }) { return }
        guard link.targetRow >= 0 else {
            if !path.isRequired { for column in path.columns { cells[column] = .null } }
            return
        }
        let key = path.target.row(Int(link.targetRow))
        if path.keyColumn >= 0, path.columns.count == 1 {
            if key[path.keyColumn].isValue { cells[path.columns[0]] = key[path.keyColumn] }
            return
        }
        guard path.target.hasKey(Int(link.targetRow)) else { return }
        for (column, keyColumn) in zip(path.columns, path.target.entity.plan.keyColumns) {
            cells[column] = key[keyColumn]
        }
    }

    private func follow(_ reference: StagedReference, in table: StagedTable) throws {
        let relationship = table.entity.relationships[Int(reference.relationship)]
        guard let column = relationship.foreignKey?.first else { return }
        let destination = staging.plan.entities[relationship.destination]
        let key = try identities.key(of: reference.identity, in: destination, isLinked: true)
        // A record that is embedded in an owner belongs to it.
        if staging.isLinkToOwner(Int(reference.relationship), of: Int(reference.row), in: table) { return }
        table.row(Int(reference.row))[column] = key
    }

    /// Assigns positions to embedded members of an ordered to-many.
    private func assignPositions(_ membership: StagedMembership, in table: StagedTable) {
        let relationship = table.entity.relationships[Int(membership.relationship)]
        guard membership.form != .identities, case .toMany(isOrdered: true) = relationship.description.kind,
            let inverse = relationship.inverse
        else { return }
        let destination = staging.tables[relationship.destination]
        guard let position = destination.entity.relationships[inverse].positionColumn else { return }
        var index: Int64 = 0
        for member in table.distinctMembers(of: membership, to: destination) {
            // An invalid member takes a position too: the record may be in the store, and keeps it.
            defer { index += 1 }
            // A member that is listed by its identity gets its position with its link.
            guard member.row >= 0, !staging.isSkipped(Int(member.row), of: relationship.destination) else { continue }
            destination.row(Int(member.row))[position] = Cell(integer: index)
        }
    }
}

extension StagedTable {
    /// Whether all key columns of a row have values.
    func hasKey(_ row: Int) -> Bool {
        let cells = self.row(row)
        if entity.keyColumn >= 0 { return cells[entity.keyColumn].isValue }
        return entity.plan.keyColumns.allSatisfy { cells[$0].isValue }
    }

    /// The members of a list, as they were read.
    func members(of membership: StagedMembership) -> ArraySlice<StagedMember> {
        members[membership.first..<membership.first + membership.count]
    }

    /// The members of a list without duplicates: of two with the same identity, the last (Rules.md, M3).
    func distinctMembers(of membership: StagedMembership, to destination: StagedTable) -> [StagedMember] {
        let members = members(of: membership)
        guard members.count > 1, !destination.entity.isOwned else { return Array(members) }
        let fingerprints = members.map { member in
            member.row >= 0
                ? destination.row(Int(member.row)).fingerprint(destination.entity) : member.identity.fingerprint
        }
        if fingerprints.areDistinct { return Array(members) }
        var seen: Set<KeyFingerprint> = []
        var distinct: [StagedMember] = []
        for (member, fingerprint) in Array(zip(members, fingerprints)).reversed()
        where seen.insert(fingerprint).inserted {
            distinct.append(member)
        }
        return distinct.reversed()
    }
}

extension [KeyFingerprint] {
    /// Up to this many fingerprints are compared pairwise.
    private static var pairwiseLimit: Int { 16 }

    /// Whether no fingerprint occurs twice.
    fileprivate var areDistinct: Bool {
        guard count <= Self.pairwiseLimit else { return Set(self).count == count }
        return indices.allSatisfy { index in !self[..<index].contains(self[index]) }
    }
}
