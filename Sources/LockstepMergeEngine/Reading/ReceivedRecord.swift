package import LockstepTables

/// The values of a record's JSON as a merge finds them, in whichever keys and forms they are (Rules.md, N1, N8, R1 and
/// R11).
package struct ReceivedRecord {
    package let plan: EntityPlan
    private let tables: Tables
    private var values: [Slot: JSONValue] = [:]

    /// The role of a value: the meaning of its key.
    private struct Slot: Hashable {
        let meaning: KeyTable.Meaning
        let index: Int
        var part = 0
    }

    /// The keys of entities, made once for a record and those that are embedded in it.
    private final class Tables {
        private var known: [ObjectIdentifier: KeyTable] = [:]

        func keys(of plan: EntityPlan) -> KeyTable {
            if let keys = known[ObjectIdentifier(plan)] { return keys }
            let keys = KeyTable(plan, tally: nil)
            known[ObjectIdentifier(plan)] = keys
            return keys
        }
    }

    /// - Parameter json: Any value; one that is no object has none of the values.
    package init(_ json: JSONValue, plan: EntityPlan) { self.init(json, plan: plan, tables: Tables()) }

    private init(_ json: JSONValue, plan: EntityPlan, tables: Tables) {
        (self.plan, self.tables) = (plan, tables)
        read(json, keys: tables.keys(of: plan))
    }

    // MARK: Reading

    /// Another spelling counts if the key itself is missing, and there is only one such spelling (Rules.md, N1).
    private mutating func read(_ json: JSONValue, keys: KeyTable) {
        guard case .object(let members) = json else { return }
        var exact: Set<Int> = []
        var spellings: [Int: [JSONValue]] = [:]
        for (key, value) in members {
            var name = key
            guard let entry = name.withUTF8({ keys.entry($0, after: -1) }) else { continue }
            if keys[entry].meaning == .spelling {
                spellings[keys[entry].index, default: []].append(value)
            } else {
                exact.insert(entry)
                take(value, entry: keys[entry], keys: keys)
            }
        }
        for (entry, values) in spellings where values.count == 1 && !exact.contains(entry) {
            take(values[0], entry: keys[entry], keys: keys)
        }
    }

    private mutating func take(_ value: JSONValue, entry: KeyTable.Entry, keys: KeyTable) {
        switch entry.meaning {
        case .object where value == .null:
            // Null in place of an object means null for all of its values.
            let inner = keys.inner[entry.index]
            for index in 0..<inner.count where inner[index].meaning != .former {
                take(.null, entry: inner[index], keys: inner)
            }
        case .object: read(value, keys: keys.inner[entry.index])
        case .unknown, .unread, .spelling: break
        case .version: values[Slot(meaning: .column, index: entry.index)] = value
        default: values[Slot(meaning: entry.meaning, index: entry.index, part: entry.part)] = value
        }
    }

    // MARK: Values

    /// The value of an attribute's column; `nil` if it is missing.
    package func attribute(_ column: Int) -> JSONValue? {
        if let value = values[Slot(meaning: .column, index: column)] { return value }
        let former = plan.columns[column].wire?.former ?? []
        return former.indices.lazy.compactMap { values[Slot(meaning: .former, index: column, part: $0)] }.first
    }

    /// The identity by which the server knows the record. Missing parts are null.
    package var identity: [JSONValue] { plan.serverKeyColumns.map { attribute($0) ?? .null } }

    /// A part of the identity of a to-one's destination, as its key or in the record that is embedded; `nil` if both
    /// are missing. If both are there, the key decides (Rules.md, R1).
    package func key(of relationship: Int, part: Int) -> JSONValue? {
        let own = values[Slot(meaning: .foreignKey, index: relationship, part: part)]
        if let own, own != .null { return own }
        guard let embedded = values[Slot(meaning: .embeddedOne, index: relationship)] else { return own }
        if embedded == .null { return .null }
        let identity = record(embedded, for: relationship).identity
        return identity.indices.contains(part) && identity[part] != .null ? identity[part] : own
    }

    /// The identities of a relationship's members; `nil` if it is missing. If the members are listed in both forms, the
    /// list of identities decides (Rules.md, R11).
    package func identities(of relationship: Int) -> [[JSONValue]]? {
        let lists = ([.identities] + Self.recordForms).compactMap { values[Slot(meaning: $0, index: relationship)] }
        return (lists.first { $0 != .null } ?? lists.first)?.elements.map { element in
            if case .object = element { record(element, for: relationship).identity } else { [element] }
        }
    }

    /// The records of a relationship that are embedded in this one.
    package func records(of relationship: Int) -> [ReceivedRecord] {
        Self.recordForms.flatMap { values[Slot(meaning: $0, index: relationship)]?.elements ?? [] }.compactMap {
            if case .object = $0 { record($0, for: relationship) } else { nil }
        }
    }

    private static let recordForms: [KeyTable.Meaning] = [.members, .embeddedMany, .embeddedOne]

    private func record(_ json: JSONValue, for relationship: Int) -> ReceivedRecord {
        ReceivedRecord(json, plan: plan.relationships[relationship].destination, tables: tables)
    }
}

extension JSONValue {
    /// The elements of a list, or a value in the place of one.
    fileprivate var elements: [JSONValue] {
        if case .array(let elements) = self { return elements }
        return self == .null ? [] : [self]
    }
}
