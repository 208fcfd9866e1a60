import LockstepEvolution
import LockstepStore

extension Snapshot {
    /// The records as the server knows them: by its identities, without what does not travel.
    func asOnServer(_ domain: Domain) -> Snapshot {
        var shared = Snapshot()
        for entity in domain.entities {
            var records: [String: Record] = [:]
            for (key, row) in rows[entity.table] ?? [:] {
                var record = row
                for (place, column) in entity.plan.columns.enumerated() {
                    if case .position = column.content { record[column.name] = nil }
                    if entity.isServerMade, place == entity.plan.keyColumns[0] { record[column.name] = nil }
                }
                for link in entity.links where domain.entity(link.destination)?.isServerMade == true {
                    guard let key = record[link.name], !key.isNull else { continue }
                    record[link.name] = identities[link.destination]?[key] ?? "only here, \(key.keyText)".databaseValue
                }
                let identity = entity.plan.remoteColumn.map { row[entity.plan.columns[$0].name] ?? .null }
                records[identity.map { $0.isNull ? "only here, \(key)" : $0.keyText } ?? key] = record
            }
            shared.rows[entity.table] = records
        }
        shared.links = links
        return shared
    }

    /// Without certain records, and without their links.
    func without(_ left: [(table: String, key: String)], _ domain: Domain) -> Snapshot {
        var rest = self
        for (table, key) in left {
            rest.rows[table]?[key] = nil
            for (join, owner, member) in domain.joins {
                rest.links[join.table] = rest.links[join.table]?.filter { row in
                    !(owner.table == table && row.source.keyText == key)
                        && !(member.table == table && row.destination.keyText == key)
                }
            }
        }
        return rest
    }

    /// What is inside of certain records, as the server knows them.
    func members(
        of owners: [(table: String, key: String)], _ domain: Domain
    ) -> [(table: String, key: String)] {
        guard !owners.isEmpty else { return [] }
        let inner = domain.entities.flatMap { entity -> [(table: String, key: String)] in
            guard let container = entity.container, let owner = domain.owner(of: entity) else { return [] }
            let keys = Set(owners.filter { $0.table == owner.table }.map(\.key))
            return (rows[entity.table] ?? [:]).filter { keys.contains($0.value[container.link.name]?.keyText ?? "") }
                .map { (entity.table, $0.key) }
        }
        return inner + members(of: inner, domain)
    }
}
