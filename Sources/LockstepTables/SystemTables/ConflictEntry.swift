public import Foundation
package import GRDB
public import LockstepJSON

/// A value that one side has lost in a conflict (rule C6): a value that it had changed, and that the record did not
/// have after the merge.
public struct ConflictEntry: Sendable, Hashable, Identifiable {
    /// Its number in the journal.
    public let id: Int64
    /// The entity, by its name in the schema.
    public let entity: String
    /// The record's key on the device, as readable text.
    public let record: String
    /// The attribute or to-one relationship, by its name in the schema. The values of a relationship are keys of
    /// records on the device.
    public let member: String
    /// The value that both sides knew before; `nil` if there was none, as for a record that was created on both.
    public let base: JSONValue?
    /// The local value; `nil` if the record was deleted locally.
    public let local: JSONValue?
    /// The server's value; `nil` if the record was deleted on the server.
    public let remote: JSONValue?
    /// The side whose value was lost.
    public let lost: Side
    /// What has decided.
    public let rule: Rule
    /// When it was decided, by the clock of the merge.
    public let date: Date

    package let key: RecordKey
    /// The value that was lost, as it is stored.
    package let storedLoss: DatabaseValue

    /// One side of a conflict.
    public enum Side: String, Sendable, Hashable, Encodable { case local, remote }

    /// What decides which side wins.
    public enum Rule: String, Sendable, Hashable, Encodable {
        /// A conflict policy, by its name.
        case localChangesWin, serverWins, newestWins, custom
        /// The record was deleted locally: the delete stays, whatever the policy (rule C3).
        case deletedLocally
    }

    /// The value that was lost.
    public var lostValue: JSONValue { (lost == .local ? local : remote) ?? .null }

    /// - Parameter row: The columns of ``ConflictTable/columns``.
    package init?(_ row: [DatabaseValue], plans: SchemaPlan) {
        guard let id = Int64.fromDatabaseValue(row[0]), let entity = row.text(1), let member = row.text(3),
            let lost = row.text(8).flatMap(Side.init), let rule = row.text(9).flatMap(Rule.init)
        else { return nil }
        (self.id, self.entity, self.member, self.lost, self.rule) = (id, entity, member, lost, rule)
        let plan = plans.first { $0.name == entity }
        key = plan.map { OutboxRecord.anyKey(row[2], of: $0) } ?? RecordKey(row[2])
        record = key.text
        let sides = ConflictTable.Sides(rawValue: row.integer(7) ?? 0)
        func json(_ column: Int, side: ConflictTable.Sides) -> JSONValue? {
            sides.contains(side) ? plan?.readable(row[column], of: member) ?? JSONValue(storedScalar: row[column]) : nil
        }
        (base, local, remote) = (json(4, side: .base), json(5, side: .local), json(6, side: .remote))
        storedLoss = row[lost == .local ? 5 : 6]
        date = Date(stored: row.real(10)) ?? .distantPast
    }
}

extension EntityPlan {
    /// A value of a member as it is in the journal, in readable form.
    fileprivate func readable(_ value: DatabaseValue, of member: String) -> JSONValue? {
        if let column = column(ofAttribute: member) { return columns[column].type.readable(value) }
        guard let relationship = relationship(named: member).map({ relationships[$0] }) else { return nil }
        let destination = relationship.destination
        return OutboxRecord.key(value, of: destination).map { destination.readable(key: $0.values) } ?? .null
    }
}
