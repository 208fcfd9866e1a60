import Foundation
import GRDB
import LockstepJSON

/// A record that was sent inside another one without an identity, because the server assigns it.
package struct SentMember: Sendable {
    package let plan: EntityPlan
    package let key: RecordKey
    /// The record whose JSON contains it, and the relationship.
    package let owner: RecordID
    package let relationship: String
    package var recordID: RecordID { RecordID(plan, key: key) }
    /// Its index among the members of that relationship in the request.
    package let position: Int
    /// Its values as they were sent, by the entity's columns; `nil` for columns that the schema did not have then.
    package var row: [DatabaseValue?] { forms[0] }
    /// The same in all attempts that may have arrived, the latest first.
    package let forms: [[DatabaseValue?]]
    package var state = State.sent
    /// Its identity on the server, for a member that was deleted locally before it was known.
    package var remote = DatabaseValue.null

    package init(
        plan: EntityPlan, key: RecordKey, owner: RecordID, relationship: String, position: Int, row: [DatabaseValue?],
        state: State = .sent, remote: DatabaseValue = .null
    ) {
        self.init(
            plan: plan, key: key, owner: owner, relationship: relationship, position: position, forms: [row],
            state: state, remote: remote)
    }

    fileprivate init(
        plan: EntityPlan, key: RecordKey, owner: RecordID, relationship: String, position: Int,
        forms: [[DatabaseValue?]], state: State, remote: DatabaseValue
    ) {
        (self.plan, self.key, self.owner, self.relationship) = (plan, key, owner, relationship)
        (self.position, self.forms, self.state, self.remote) = (position, forms, state, remote)
    }

    /// The state of a member that was sent.
    package enum State: Int, Sendable {
        /// It was sent; the outcome is not known.
        case sent
        /// The server has accepted it, but has not returned its identity.
        case taken
        /// The server was queried, but does not return its identity.
        case unnamed
        /// The server has accepted the request, but its response does not contain it.
        case leftOut
        /// It was deleted locally, but exists on the server: `remote` is its identity there.
        case deleted
        /// The server was queried and did not have it. The request may still arrive.
        case absent
    }
}

/// A record, by its entity and its key on the device.
package struct RecordID: Sendable, Hashable {
    package let entity: String
    /// The key as JSON.
    package let key: String

    package init(_ plan: EntityPlan, key: RecordKey) {
        entity = plan.name
        let values = JSONValue.array(key.values.map(JSONValue.init(storedScalar:)))
        self.key = (try? values.json()).map { String(decoding: $0, as: UTF8.self) } ?? key.text
    }

    package init(entity: String, key: String) { (self.entity, self.key) = (entity, key) }

    package static func == (left: RecordID, right: RecordID) -> Bool {
        left.entity == right.entity && String.isIdentical(left.key, right.key)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(entity)
        ExactText(key).hash(into: &hasher)
    }

    /// The key as the database has it; `nil` if the text is not a key.
    fileprivate var recordKey: RecordKey? {
        guard case .array(let values)? = try? JSONValue(json: Data(key.utf8)) else { return nil }
        return RecordKey(values.map { $0.storedScalar ?? .null })
    }

    fileprivate var arguments: [DatabaseValue] { [entity.databaseValue, key.databaseValue] }
}

/// The members that were sent without an identity, which a store remembers until their identity on the server is known
/// (Rules.md, R10).
///
/// The table outlives the process, because a request may never get a response.
package struct SentMembers {
    package let database: Database
    package let plans: SchemaPlan

    package static let table = "lockstep_sent_member"

    package init(database: Database, plans: SchemaPlan) {
        self.database = database
        self.plans = plans
    }

    static let statements = [
        """
        CREATE TABLE IF NOT EXISTS \(table) (entity TEXT NOT NULL, record NOT NULL, owner_entity TEXT NOT NULL, \
        owner TEXT NOT NULL, relationship TEXT NOT NULL, place INTEGER NOT NULL, sent TEXT NOT NULL, \
        state INTEGER NOT NULL, root_entity TEXT NOT NULL, root TEXT NOT NULL, remote, PRIMARY KEY (entity, record)) \
        WITHOUT ROWID
        """
    ]

    /// Whether any are remembered.
    package static func areThere(_ database: Database) throws -> Bool {
        try database.hasRows(table)
    }

    // MARK: Sending

    /// Remembers members of a record that is about to be sent. What is known from an earlier attempt is kept, unless
    /// that was made with another record: they have moved since.
    package func note(_ members: [SentMember], in root: RecordID) throws {
        if members.isEmpty { return }
        for member in members {
            guard let earlier = try earlierForms(of: member, in: root) else { continue }
            try database.change(
                "INSERT OR REPLACE INTO \(Self.table) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
                with: [member.plan.name.databaseValue, member.key.values[0]] + member.owner.arguments
                    + [
                        member.relationship.databaseValue, member.position.databaseValue,
                        SentMember.text(of: [try member.text()] + earlier).databaseValue,
                        member.state.rawValue.databaseValue,
                    ] + root.arguments)
        }
    }

    /// The forms of a member in earlier attempts that may still arrive, the latest first; `nil` if nothing is known yet
    /// of the last one.
    private func earlierForms(of member: SentMember, in root: RecordID) throws -> [String]? {
        let row = try database.valueRows(
            "SELECT state, sent, owner_entity, owner, root_entity, root FROM \(Self.table) WHERE \(Self.isMember)",
            with: Self.arguments(member)
        ).first
        guard let row, Array(row[2...]) == member.owner.arguments + root.arguments else { return [] }
        let state = Int.fromDatabaseValue(row[0]).flatMap(SentMember.State.init)
        guard state == .absent || state == .unnamed else { return nil }
        return SentMember.forms(in: String.fromDatabaseValue(row[1]) ?? "").prefix(Self.maximumForms - 1).map(
            String.init)
    }

    /// More attempts than this are not remembered: they are minutes to hours apart.
    private static let maximumForms = 8

    /// Two rows of a record become one: what was sent with the one that is deleted was sent with the other.
    package func move(from id: RecordID, to other: RecordID) throws {
        guard try Self.areThere(database) else { return }
        for (entity, record) in [("owner_entity", "owner"), ("root_entity", "root")] {
            try database.change(
                "UPDATE \(Self.table) SET \(record) = ?3 WHERE \(entity) = ?1 AND \(record) = ?2",
                with: id.arguments + [other.key.databaseValue])
        }
    }

    /// The server has accepted a request. What was deleted locally was not in it any more, and no earlier request can
    /// arrive now.
    package func didTake(_ root: RecordID) throws {
        try forget(root, in: .deleted)
        try forget(root, in: .absent)
        try change(root, from: .sent, to: .taken)
    }

    /// The server was queried for a record: what was not found did not exist there, and for what it has accepted it
    /// does not return the identity.
    package func didAsk(_ root: RecordID) throws {
        try change(root, from: .sent, to: .absent)
        try change(root, from: .taken, to: .unnamed)
    }

    /// The server has rejected a request, and does not have what was new in it. Earlier ones may still arrive.
    package func didReject(_ root: RecordID) throws {
        for member in try members(of: root) where member.state == .sent {
            guard member.forms.count > 1 else {
                try forget(member)
                continue
            }
            try database.change(
                """
                UPDATE \(Self.table) SET sent = substr(sent, instr(sent, char(10)) + 1), state = ?3 \
                WHERE \(Self.isMember)
                """, with: Self.arguments(member) + [SentMember.State.absent.rawValue.databaseValue])
        }
    }

    private func change(_ root: RecordID, from old: SentMember.State, to new: SentMember.State) throws {
        try database.change(
            "UPDATE \(Self.table) SET state = ? WHERE state = ? AND root_entity = ? AND root = ?",
            with: [new.rawValue.databaseValue, old.rawValue.databaseValue] + root.arguments)
    }

    // MARK: Deleting

    /// Deletes the members of a record that are in a state; in any state if it is `nil`.
    package func forget(_ root: RecordID, in state: SentMember.State? = nil) throws {
        try database.change(
            "DELETE FROM \(Self.table) WHERE root_entity = ? AND root = ? AND (?3 IS NULL OR state = ?3)",
            with: root.arguments + [(state?.rawValue).map(\.databaseValue) ?? .null])
    }

    /// Deletes what was sent in a record that the server no longer has, at any depth, because it was deleted with it.
    package func forget(inside id: RecordID) throws {
        try forget(id)
        guard try Self.areThere(database) else { return }
        var known: [RecordID: Bool] = [:]
        for member in try all() {
            let isGone = try known[member.owner] ?? isInside(member.owner, outer: id)
            known[member.owner] = isGone
            if isGone { try forget(member) }
        }
    }

    /// Whether a record is the same as another one, or is inside it.
    private func isInside(_ inner: RecordID, outer: RecordID) throws -> Bool {
        var id = inner
        var seen: Set<RecordID> = []
        while id != outer {
            guard seen.insert(id).inserted, let plan = plans.first(where: { $0.name == id.entity }),
                let key = id.recordKey, let row = try database.valueRows(plan.findSQL, with: key.values).first,
                let owner = plan.owner(of: row)
            else { return false }
            id = RecordID(owner.plan, key: owner.key)
        }
        return true
    }

    /// Deletes a record, wherever it was sent: what the server lists in its place is another one.
    package func forget(_ plan: EntityPlan, key: RecordKey) throws {
        try database.change(
            "DELETE FROM \(Self.table) WHERE \(Self.isMember)", with: [plan.name.databaseValue, key.values[0]])
    }

    package func forget(_ member: SentMember) throws {
        try database.change("DELETE FROM \(Self.table) WHERE \(Self.isMember)", with: Self.arguments(member))
    }

    package func set(_ state: SentMember.State, of member: SentMember, remote: DatabaseValue = .null) throws {
        try database.change(
            "UPDATE \(Self.table) SET state = ?3, remote = ?4 WHERE \(Self.isMember)",
            with: Self.arguments(member) + [state.rawValue.databaseValue, remote])
    }

    private static let isMember = "entity = ?1 AND record = ?2"

    private static func arguments(_ member: SentMember) -> [DatabaseValue] {
        [member.plan.name.databaseValue, member.key.values[0]]
    }

    // MARK: Migrations

    /// Renames a relationship of the owners.
    static func rename(relationship: String, to other: String, of entity: String, in database: Database) throws {
        guard try database.hasTable(table) else { return }
        try database.execute(
            sql: "UPDATE \(table) SET relationship = ? WHERE owner_entity = ? AND relationship = ?",
            arguments: [other, entity, relationship])
    }

    /// Renames columns in the values that were sent of an entity's records.
    static func rename(columns: [String: String], of entity: String, in database: Database) throws {
        guard try database.hasTable(table) else { return }
        let rows = try database.valueRows(
            "SELECT record, sent FROM \(table) WHERE entity = ?", with: [entity.databaseValue])
        for row in rows {
            let forms = try SentMember.forms(in: String.fromDatabaseValue(row[1]) ?? "").map { line in
                guard case .object(let values)? = try? JSONValue(json: Data(line.utf8)) else { return String(line) }
                let renamed = JSONObject(values.map { (columns[$0] ?? $0, $1) })
                return String(decoding: try JSONValue.object(renamed).json(), as: UTF8.self)
            }
            try database.change(
                "UPDATE \(table) SET sent = ? WHERE entity = ? AND record = ?",
                with: [SentMember.text(of: forms).databaseValue, entity.databaseValue, row[0]])
        }
    }

    // MARK: Reading

    /// All members, in the order in which they were sent.
    package func all() throws -> [SentMember] { try members("1", with: []) }

    /// The members that were sent with a record.
    package func members(of root: RecordID) throws -> [SentMember] {
        try members("root_entity = ? AND root = ?", with: root.arguments)
    }

    private func members(_ condition: String, with arguments: [DatabaseValue]) throws -> [SentMember] {
        guard try database.hasTable(Self.table) else { return [] }
        return try database.valueRows(
            """
            SELECT entity, record, owner_entity, owner, relationship, place, sent, state, remote FROM \(Self.table) \
            WHERE \(condition) ORDER BY place, record
            """, with: arguments
        ).compactMap { row in
            let texts = [0, 2, 3, 4, 6].compactMap { String.fromDatabaseValue(row[$0]) }
            guard texts.count == 5, let plan = plans[texts[0]], let position = Int.fromDatabaseValue(row[5]),
                let state = Int.fromDatabaseValue(row[7]).flatMap(SentMember.State.init)
            else { return nil }
            return SentMember(
                plan: plan, key: RecordKey(row[1]), owner: RecordID(entity: texts[1], key: texts[2]),
                relationship: texts[3], position: position,
                forms: SentMember.forms(in: texts[4]).map { SentMember.row($0, of: plan) }, state: state, remote: row[8]
            )
        }
    }
}

extension SentMember {
    /// The values by the names of their columns, because the schema may differ when the response arrives.
    fileprivate func text() throws -> String {
        var values: JSONObject = [:]
        for (column, value) in zip(plan.columns, row) {
            switch value?.storage {
            case nil: break
            case .double(let number): values[column.name] = ["real": .string(String(number.bitPattern))]
            case .blob(let data): values[column.name] = ["blob": .string(data.base64EncodedString())]
            default: values[column.name] = value.map(JSONValue.init(storedScalar:))
            }
        }
        return String(decoding: try JSONValue.object(values).json(), as: UTF8.self)
    }

    /// The forms of a member, each as one JSON text, which has no line breaks. There is at least one.
    fileprivate static func forms(in text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    fileprivate static func text(of forms: [String]) -> String { forms.joined(separator: "\n") }

    fileprivate static func row(_ text: Substring, of plan: EntityPlan) -> [DatabaseValue?] {
        guard case .object(let values)? = try? JSONValue(json: Data(text.utf8)) else {
            return plan.columns.map { _ in nil }
        }
        return plan.columns.map { column in
            switch values[column.name] {
            case .null?: return .null
            case .integer(let number)?: return number.databaseValue
            case .string(let text)?: return text.databaseValue
            case .object(let tagged)?:
                if case .string(let text)? = tagged["real"], let bits = UInt64(text) {
                    return Double(bitPattern: bits).databaseValue
                }
                if case .string(let text)? = tagged["blob"] { return Data(base64Encoded: text)?.databaseValue }
                return nil
            default: return nil
            }
        }
    }
}
