import LockstepTables

// The members of staged lists.
extension MergeTransaction {
    /// Whether it is known which records are listed. It is not if the identity of a member cannot be read, or if the
    /// member of a one-to-one relationship is invalid, since it may be the existing one.
    func isWhole(_ membership: StagedMembership, in table: StagedTable, to destination: StagedTable) -> Bool {
        let relationship = table.entity.relationships[Int(membership.relationship)]
        return table.members(of: membership).allSatisfy { member in
            if member.row < 0 { return true }
            guard destination.hasKey(Int(member.row)) else { return false }
            return relationship.isToMany || relationship.isSymmetricToOne
                || !staging.isSkipped(Int(member.row), of: destination.entity.index)
        }
    }

    /// The members of a list with their local keys, in order; `nil` for a member without a key.
    func placedMembers(
        of membership: StagedMembership, in table: StagedTable, to destination: StagedTable
    ) throws -> [LinkMember?] {
        // A to-one to a skipped record waits for it, as one to a record that has not arrived (Rules.md, M16).
        let waits = table.entity.relationships[Int(membership.relationship)].isSymmetricToOne
        let members = try table.distinctMembers(of: membership, to: destination).map { member -> LinkMember? in
            guard member.row < 0 else {
                let row = Int(member.row)
                let isSkipped = !waits && staging.isSkipped(row, of: destination.entity.index)
                if destination.entity.isOwned { return LinkMember(ownedRow: row, isSkipped: isSkipped) }
                guard destination.hasKey(row) else { return nil }
                return LinkMember(destination, row: row, isSkipped: isSkipped)
            }
            let isRemote = destination.entity.plan.remoteColumn != nil
            let key =
                isRemote
                ? try identities.key(of: member.identity, in: destination.entity, isLinked: true)
                : member.identity
            return LinkMember(key: key)
        }
        // An identity and a record can be of one member, which is only known by its local key.
        return membership.form == .either ? members.withLastOfEach : members
    }
}

extension [LinkMember?] {
    /// Without duplicates: of two with the same key, the last (Rules.md, M3).
    fileprivate var withLastOfEach: [LinkMember?] {
        var seen: Set<KeyFingerprint> = []
        return reversed().filter { member in member.map { seen.insert($0.fingerprint).inserted } ?? true }.reversed()
    }
}
