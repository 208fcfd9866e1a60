import LockstepStore

/// Turns what the payload says of links into foreign keys, once every staged record has its key.
struct LinkResolver {
    let staging: Staging
    let identities: RemoteIdentities

    func resolve() throws {
        for table in staging.tables where table.count > 0 { try identities.resolve(table, staging) }
        for table in staging.tables where table.count > 0 {
            for link in table.links { follow(link, in: table) }
            for reference in table.references { try follow(reference, in: table) }
            for membership in table.memberships { place(membership, in: table) }
        }
    }

    /// Rows whose embedded to-one is null, though it is required and no identity came beside it.
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

    /// Where an identity came too, that has decided (Rules.md, R1); but the owner that a record is embedded in counts
    /// whatever it says itself.
    private func follow(_ link: StagedLink, in table: StagedTable) {
        let relationship = table.entity.relationships[Int(link.relationship)]
        guard let columns = relationship.foreignKey else { return }
        let cells = table.row(Int(link.row))
        let isTold = columns.contains { cells[$0].isValue }
        if isTold, !link.isOwner { return }
        guard link.targetRow >= 0 else {
            if !relationship.isRequired { columns.forEach { cells[$0] = .null } }
            return
        }
        let target = staging.tables[Int(link.targetTable)]
        let key = target.row(Int(link.targetRow))
        guard target.hasKey(Int(link.targetRow)) else { return }
        for (column, keyColumn) in zip(columns, target.entity.plan.keyColumns) { cells[column] = key[keyColumn] }
    }

    private func follow(_ reference: StagedReference, in table: StagedTable) throws {
        let relationship = table.entity.relationships[Int(reference.relationship)]
        guard let column = relationship.foreignKey?.first else { return }
        let destination = staging.plan.entities[relationship.destination]
        let key = try identities.key(of: reference.identity, in: destination, isReserved: true)
        // Embedded in an owner, it belongs to that.
        if staging.isLinkToOwner(Int(reference.relationship), of: Int(reference.row), in: table) { return }
        table.row(Int(reference.row))[column] = key
    }

    /// Gives embedded members of an ordered to-many their places.
    private func place(_ membership: StagedMembership, in table: StagedTable) {
        let relationship = table.entity.relationships[Int(membership.relationship)]
        guard membership.isEmbedded, case .toMany(isOrdered: true) = relationship.description.kind,
            let inverse = relationship.inverse
        else { return }
        let destination = staging.tables[relationship.destination]
        guard let position = destination.entity.relationships[inverse].positionColumn else { return }
        var place: Int64 = 0
        for member in table.distinctMembers(of: membership, destination) where member.row >= 0 {
            // An invalid one has a place too: the one that it is listed at, should it be here.
            defer { place += 1 }
            guard !staging.isSkipped(Int(member.row), of: relationship.destination) else { continue }
            destination.row(Int(member.row))[position] = Cell(integer: place)
        }
    }
}

extension StagedTable {
    /// Whether a row has all of its key.
    func hasKey(_ row: Int) -> Bool {
        let cells = self.row(row)
        if entity.keyColumn >= 0 { return cells[entity.keyColumn].isValue }
        return entity.plan.keyColumns.allSatisfy { cells[$0].isValue }
    }

    /// The members of a list, as they were read.
    func members(of membership: StagedMembership) -> ArraySlice<StagedMember> {
        members[membership.first..<membership.first + membership.count]
    }

    /// The members of a list, each once: of two with one identity the last (Rules.md, M3).
    func distinctMembers(of membership: StagedMembership, _ destination: StagedTable) -> [StagedMember] {
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
    /// So few are compared with each other.
    private static var fewest: Int { 16 }

    /// Whether none is there twice.
    fileprivate var areDistinct: Bool {
        guard count <= Self.fewest else { return Set(self).count == count }
        return indices.allSatisfy { place in !self[..<place].contains(self[place]) }
    }
}
