import Foundation
import GRDB
import LockstepEvolution
import LockstepStore

/// Members of embedded records that the store does not have, because a newer app or the server has added them
/// (Rules.md, V11).
struct UnknownMembers {
    let database: Database
    let ownership: WireOwnership
    let nestedDeletion: NestedDeletion?

    /// Whether a request writes embedded records whole of which the server may have such members.
    func areReplaced(by request: PushRecord) throws -> Bool {
        guard request.kind == .update, !request.changes.isEmpty, try UnknownMemberTable.hasRows(database) else {
            return false
        }
        let json = try JSONValue(json: request.changes)
        return try request.plan.relationships.contains { relationship in
            guard let path = relationship.wire.ownPath, let value = json.value(at: path), value != .null, value != []
            else { return false }
            return try areReplaced(in: relationship, of: request.plan, below: [])
        }
    }

    /// - Parameter owners: The entities that contain the relationship's records, which may contain each other.
    private func areReplaced(
        in relationship: RelationshipDescription, of owner: EntityPlan, below owners: [EntityPlan]
    ) throws -> Bool {
        let member = relationship.destination
        guard case .embedded(let path, _) = relationship.wire, ownership.isSent(relationship, of: owner),
            !owners.contains(where: { $0 === owner })
        else { return false }
        // Such a list contains only what was changed.
        let keepsRest = nestedDeletion?.includes(path) == true && member.nestedIdentity != nil
        if !keepsRest, try UnknownMemberTable.has(member.name, in: database) { return true }
        return try member.relationships.contains { try areReplaced(in: $0, of: member, below: owners + [owner]) }
    }
}

extension PushRecord {
    /// The same request with the members of embedded records that the schema does not know, as the server has them.
    ///
    /// - Parameter current: The server's record; `nil` if it is not known.
    func keepingUnknown(of current: JSONValue?) throws -> PushRecord {
        guard replacesUnknown, let current else { return self }
        var record = self
        record.body = try JSONValue(json: body).keepingUnknownMembers(of: current, plan: plan).json()
        record.changes = try JSONValue(json: changes).keepingUnknownMembers(of: current, plan: plan).json()
        return record
    }
}
