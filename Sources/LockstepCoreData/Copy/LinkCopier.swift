import GRDB
import LockstepStore

/// Copies the links that no to-one relationship of the schema has: those of join tables, of to-many relationships
/// without an inverse, and of to-one relationships that are their own inverse.
struct LinkCopier {
    let plan: CopyPlan
    let keys: RowKeys
    let writer: RecordWriter
    let recorder: CopyRecorder

    /// - Parameter didRead: Called after each link.
    func copy(didRead: () throws -> Void) throws { for links in plan.links { try copy(links, didRead: didRead) } }

    private func copy(_ links: CopiedLinks, didRead: () throws -> Void) throws {
        let name = links.relationship.name
        let owners = plan.entities.filter { plan.map.isKind($0.name, of: links.owner) }
        let destinations = plan.entities.filter { plan.map.isKind($0.name, of: links.relationship.destination) }
        for owner in owners {
            let own = plan.map.relationships(of: owner.name).first { $0.relationship.name == name }
            for destination in destinations {
                let member = own?.relationship.name(to: destination.plan.name)
                let found = owner.plan.relationships.first {
                    $0.name == member && $0.destination.name == destination.plan.name
                }
                try copy(links, of: owner, to: destination, into: found, didRead: didRead)
            }
        }
        try reportDangling(links, didRead: didRead)
    }

    // MARK: Links between two kinds

    private func copy(
        _ links: CopiedLinks, of owner: CopiedEntity, to destination: CopiedEntity,
        into found: RelationshipDescription?, didRead: () throws -> Void
    ) throws {
        let statement = try plan.file.connection.statement(sql(links))
        statement.bind(owner.number, destination.number)
        while try statement.step() {
            let row = statement.row
            if case .int64(let first) = row.value(0).storage, case .int64(let second) = row.value(1).storage {
                let positions = [row.value(2), row.value(3)]
                try copy(links, of: (owner, first), to: (destination, second), positions: positions, into: found)
            }
            try didRead()
        }
    }

    /// The links between rows of two entities, with the positions in both ends: from 0, without gaps.
    private func sql(_ links: CopiedLinks) -> String {
        let (owner, destination) = ("l." + quoted(links.columns.owner), "l." + quoted(links.columns.destination))
        let order = links.columns.order.map { "l.\(quoted($0)), " } ?? ""
        let inverseOrder = links.columns.inverseOrder.map { "l.\(quoted($0)), " } ?? ""
        return """
            SELECT \(owner), \(destination), \
            ROW_NUMBER() OVER (PARTITION BY \(owner) ORDER BY \(order)\(destination)) - 1, \
            ROW_NUMBER() OVER (PARTITION BY \(destination) ORDER BY \(inverseOrder)\(owner)) - 1 \
            FROM \(quoted(links.columns.table)) AS l \
            JOIN \(quoted(links.ownerTable)) AS o ON o.Z_PK = \(owner) AND o.Z_ENT = ?1 \
            JOIN \(quoted(links.destinationTable)) AS d ON d.Z_PK = \(destination) AND d.Z_ENT = ?2
            """
    }

    private func quoted(_ name: String) -> String { SQLName.quoted(name) }

    private func copy(
        _ links: CopiedLinks, of owner: (entity: CopiedEntity, row: Int64),
        to destination: (entity: CopiedEntity, row: Int64),
        positions: [DatabaseValue], into found: RelationshipDescription?
    ) throws {
        func lose(_ reason: String) throws {
            let other = destination.entity.text(of: destination.row)
            try recorder.keepLink(
                owner.entity, for: owner.entity.text(of: owner.row), member: links.relationship.name, to: other,
                reason: reason)
        }
        guard let found else { return try lose("the map has no relationship to \(destination.entity.name)") }
        guard case .record(_, let source) = try keys.end(owner.entity.table, number: owner.row),
            case .record(_, let target) = try keys.end(destination.entity.table, number: destination.row)
        else { return try lose("one of its ends was kept aside") }
        let isUnsent =
            writer.isChosen(owner.entity, number: owner.row)
            || writer.isChosen(destination.entity, number: destination.row)
        switch found.kind {
        case .manyToMany(let join) where join.isToOne:
            // Both records of such a link have it, also in the file.
            let partner = try join.partner(of: source, in: writer.database)
            if partner == target { return }
            guard try partner == nil && join.partner(of: target, in: writer.database) == nil else {
                return try lose("one of its ends is linked to another record")
            }
            for (one, other) in [(source, target), (target, source)] {
                try insert(join, from: one, to: other, positions: [], isUnsent: isUnsent)
            }
            recorder.joinedLinks += 1
        case .manyToMany(let join):
            try insert(join, from: source, to: target, positions: positions, isUnsent: isUnsent)
            // Both records of such a link have it, and the file has it once.
            if links.isOwnInverse {
                try insert(join, from: target, to: source, positions: positions.reversed(), isUnsent: isUnsent)
            }
            recorder.joinedLinks += 1
        case .toMany, .toOneInverse:
            let isSet = try set(
                found, from: source, of: destination.entity.plan, to: target, positions: positions, isUnsent: isUnsent)
            if !isSet { try lose("the schema has no place for it") }
        case .toOne: try lose("the schema has no place for it")
        }
    }

    private func insert(
        _ join: JoinDescription, from source: RecordKey, to target: RecordKey, positions: [DatabaseValue],
        isUnsent: Bool
    ) throws {
        var columns = join.sourceColumns + join.destinationColumns
        var values = source.values + target.values
        for (column, value) in zip([join.position, join.inversePosition], positions) {
            guard let column else { continue }
            columns.append(column)
            values.append(value)
        }
        let sql = """
            INSERT OR IGNORE INTO \(quoted(join.table)) (\(columns.map(quoted).joined(separator: ", "))) \
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            """
        try writer.write(sql, values: values, event: .insert, in: join.table, isUnsent: isUnsent)
    }

    /// Sets the to-one relationship at the other end, which has the key in the schema and not in the file.
    private func set(
        _ found: RelationshipDescription, from source: RecordKey, of plan: EntityPlan, to target: RecordKey,
        positions: [DatabaseValue], isUnsent: Bool
    ) throws -> Bool {
        guard let index = found.inverse.flatMap({ plan.relationship(named: $0) }),
            case .toOne(let columns, let position, _) = plan.relationships[index].kind
        else { return false }
        let set = columns + (position.map { [$0] } ?? [])
        let values = source.values + (position == nil ? [] : [positions[0]]) + target.values
        try writer.write(plan.updateSQL(set), values: values, event: .update, in: plan.table, isUnsent: isUnsent)
        return true
    }

    // MARK: Links that lead nowhere

    private func reportDangling(_ links: CopiedLinks, didRead: () throws -> Void) throws {
        let (owner, destination) = ("l." + quoted(links.columns.owner), "l." + quoted(links.columns.destination))
        let statement = try plan.file.connection.statement(
            """
            SELECT \(owner), \(destination), o.Z_ENT FROM \(quoted(links.columns.table)) AS l \
            LEFT JOIN \(quoted(links.ownerTable)) AS o ON o.Z_PK = \(owner) \
            LEFT JOIN \(quoted(links.destinationTable)) AS d ON d.Z_PK = \(destination) \
            WHERE \(owner) IS NOT NULL AND (o.Z_PK IS NULL OR d.Z_PK IS NULL)
            """)
        while try statement.step() {
            let row = statement.row
            try didRead()
            guard case .int64(let first) = row.value(0).storage, case .int64(let second) = row.value(1).storage,
                let entity = plan.entities.first(where: { $0.number.databaseValue == row.value(2) })
                    ?? plan.entities.first(where: { plan.map.isKind($0.name, of: links.owner) })
            else { continue }
            try recorder.keepLink(
                entity, for: entity.text(of: first), member: links.relationship.name, to: "p\(second)",
                reason: "one of its ends does not exist")
        }
    }
}
