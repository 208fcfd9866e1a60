import GRDB
import LockstepTables

/// The links of one relationship that were added or removed locally and that the server does not know yet, as seen from
/// one end (Rules.md, R3 and R5).
///
/// Links are sets, so they never conflict: a link that was added locally stays, and one that was removed locally is not
/// added again, whatever the policy. Each change is confirmed once the server lists the same. A symmetric to-one is a
/// set of at most one link, in which the one that was added locally counts.
final class ListEdits {
    private let transaction: MergeTransaction
    private let link: OutboxLinkRoute
    private let select: RawStatement
    private let delete: RawStatement
    /// Encodes a key of several columns like the outbox does; `nil` for a key of one column.
    private let keyEncoding: RawStatement?

    /// Returns `nil` if nothing is pending.
    init?(
        _ relationship: MergeRelationship, entity: MergeEntity, links: [OutboxLinkRoute],
        in transaction: MergeTransaction
    ) throws {
        guard let (link, isForward) = Self.link(relationship, of: entity, links: links) else { return nil }
        guard
            let statements = try LinkEditStatements(
                link, isForward: isForward, plan: entity.plan, in: transaction.database)
        else { return nil }
        (self.transaction, self.link) = (transaction, link)
        (select, delete) = (statements.select, statements.delete)
        let members = relationship.description.destination
        keyEncoding =
            members.keyColumns.count > 1
            ? try RawStatement(
                "SELECT \(members.outboxRecordSQL(of: members.keyColumns.indices.map { "?\($0 + 1)" }))",
                in: transaction.database)
            : nil
    }

    private static func link(
        _ relationship: MergeRelationship, of entity: MergeEntity, links: [OutboxLinkRoute]
    ) -> (OutboxLinkRoute, isForward: Bool)? {
        if case .manyToMany(let join) = relationship.description.kind {
            for link in links {
                guard case .joinTable(let other) = link.storage, other.table == join.table else { continue }
                return (link, other.sourceColumns == join.sourceColumns)
            }
            return nil
        }
        return links.first {
            $0.owner === entity.plan && $0.owner.relationships[$0.relationship].name == relationship.description.name
        }.map { ($0, true) }
    }

    /// The pending link changes of one record; `nil` if there are none.
    func links(of owner: [Cell]) throws -> LinkEdits? {
        var changes: [KeyFingerprint: LinkEdits.Change] = [:]
        select.bind([nameCell] + owner)
        defer { select.reset() }
        while try select.step() {
            let member = select.cell(0)
            changes[member.fingerprint] = LinkEdits.Change(
                isAdded: select.cell(1).integer != 0, member: member.copied(to: transaction.staging.arena))
        }
        return changes.isEmpty ? nil : LinkEdits(changes: changes, keyEncoding: keyEncoding)
    }

    /// Removes the pending changes that the server's list confirms.
    ///
    /// - Parameters:
    ///   - members: The members that the server lists.
    ///   - isWhole: Whether the list is complete.
    func confirm(_ links: LinkEdits, of owner: [Cell], members: [[Cell]], isWhole: Bool) throws {
        let listed = Set(try members.map(links.fingerprint))
        for (member, change) in links.changes {
            guard change.isAdded ? listed.contains(member) : isWhole && !listed.contains(member) else { continue }
            delete.bind([nameCell] + owner + [change.member])
            try delete.execute()
        }
    }

    /// Registers that a link which the server has was removed.
    func noteRemoval(of member: [Cell], from owner: [Cell]) throws {
        let ends = [owner, member].map { RecordKey($0.map(\.databaseValue)) }
        try OutboxLinkTable(transaction.database).noteRemoval(of: link, from: ends[0], to: ends[1])
    }

    private lazy var nameCell = Cell(text: transaction.arena.copy(link.name))
}

/// The pending link changes of one record.
struct LinkEdits {
    struct Change {
        let isAdded: Bool
        /// The key at the other end, as it is encoded in the outbox.
        let member: Cell
    }

    /// By the key at the other end, as it is encoded in the outbox.
    let changes: [KeyFingerprint: Change]
    fileprivate let keyEncoding: RawStatement?

    var hasAdditions: Bool { changes.values.contains(where: \.isAdded) }

    /// Whether the link to a member was added or removed; `nil` if neither.
    func change(of member: [Cell]) throws -> Bool? { try changes[fingerprint(member)]?.isAdded }

    func isAdded(_ member: [Cell]) throws -> Bool { try change(of: member) == true }

    func isRemoved(_ member: [Cell]) throws -> Bool { try change(of: member) == false }

    fileprivate func fingerprint(_ member: [Cell]) throws -> KeyFingerprint {
        guard let keyEncoding else { return member.fingerprint }
        keyEncoding.bind(member)
        defer { keyEncoding.reset() }
        return try keyEncoding.step() ? keyEncoding.cell(0).fingerprint : member.fingerprint
    }
}
