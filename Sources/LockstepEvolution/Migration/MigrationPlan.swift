/// The statements that make the tables of a structure from those of a former one, without losing a row.
///
/// Steps of several versions are composed first, so that a table is written at most once. The names of the
/// `lockstep_…` tables with pending changes are the store's: it changes what they contain.
package struct MigrationPlan: Sendable {
    package let evolution: SchemaEvolution
    /// The statements that give tables their names, before anything else.
    package private(set) var tableRenames: [String] = []
    /// The tables that were kept and that change in some way.
    package private(set) var tables: [TableMigration] = []
    /// Statements that create tables, with their indexes.
    package private(set) var createdTables: [String] = []
    /// The tables to be dropped, by the names that they have then.
    package private(set) var droppedTables: [String] = []
    /// The members of pending changes that the new structure lacks, and that are kept.
    package private(set) var lostMembers: [LostMember] = []
    /// The former names of removed entities, with the tables that they have until these are dropped.
    package private(set) var lostEntities: [EntityStructure] = []
    /// The new names of links that are recorded by name, by the former ones. A lost one in the way gets another, too.
    package private(set) var linkNames: [String: String] = [:]
    /// The names of links that no longer exist.
    package private(set) var lostLinks: [LostLink] = []
    /// Where attributes become unique, in order.
    package private(set) var duplicates: [Duplicates] = []
    /// The columns whose values change, with the expressions.
    package private(set) var changedColumns: [ChangedColumn] = []
    /// The conversions that the app writes in Swift, of entities that are kept.
    package private(set) var conversions: [PlannedConversion] = []
    /// The entities whose JSON gains or loses members, or is read in another way, and those that embed them: they
    /// are pulled again.
    package private(set) var grownEntities: Set<String> = []
    /// The triggers of the former structure's delete rules, by name.
    package let formerTriggers: [String]

    /// A removed member of a kept entity whose pending values are kept apart.
    package struct LostMember: Sendable {
        /// The entity's new name.
        package let entity: String
        /// The member's former name.
        package let member: String
        /// The columns, by the names that they have while the migration runs.
        package let columns: [String]
        /// The types of the values, as ``ValueType/text``.
        package let types: [String]
    }

    /// A removed relationship whose links are recorded by name.
    package struct LostLink: Sendable {
        /// The name that they are recorded by after ``linkNames`` was applied.
        package let name: String
        /// The relationship's entity and name in the former structure.
        package let member: MemberPath
    }

    /// Records of which only one with each value stays.
    package struct Duplicates: Sendable {
        /// The entity's new name.
        package let entity: String
        /// The values in SQL, in terms of the columns while the migration runs.
        package let values: [String]
        /// The value in SQL of which the greatest decides; `nil` for the first record.
        package let newestBy: String?
    }

    /// A column whose values are converted.
    package struct ChangedColumn: Sendable {
        /// The entity's new name.
        package let entity: String
        /// The column's new name.
        package let column: String
        /// The new value in SQL, of an expression for the former; `nil` if an app's conversion makes it from the whole
        /// row.
        package let expression: (@Sendable (String) -> String)?
    }

    /// An app's conversion of the rows of one entity.
    package struct PlannedConversion: Sendable {
        /// The entity's new name.
        package let entity: String
        package let conversion: RecordedConversion
        /// The columns with the rows' values while the migration runs, by the names that the attributes have in the
        /// file.
        package let columns: [String: String]
        /// The new columns with what the conversion makes, or what later versions have made of that.
        package let outputs: [String]
        /// The error for a row in SQL; NULL if it has none.
        package let error: String
    }

    /// The greatest work of any table. A table is rebuilt for a conversion, even if nothing of that is left in the end.
    package var work: MigrationWork {
        if isConverting { return .rebuild }
        let dropped: MigrationWork = droppedTables.isEmpty ? .instant : .scan
        return tables.map(\.work).reduce(dropped, max)
    }

    /// Whether a conversion of the app gets records of the file.
    private var isConverting: Bool { evolution.entities.values.contains { $0.isConverted && $0.origin != nil } }

    /// Whether values are removed that cannot be made again, so that a copy of the file is kept.
    package var isDestructive: Bool {
        !evolution.removedEntities.isEmpty || evolution.entities.values.contains { !$0.removedMembers.isEmpty }
            || !changedColumns.isEmpty || isConverting
            || evolution.entities.values.contains { !$0.duplicates.isEmpty }
    }

    /// Whether a store of the new structure reads a file of the former: every step only adds.
    package var onlyAdds: Bool {
        !isDestructive && tableRenames.isEmpty && tables.allSatisfy { $0.renames.isEmpty && $0.work < .rebuild }
    }

    /// - Parameters:
    ///   - file: What the file has that its structure does not say.
    ///   - now: The time of the migration in seconds since 1970, for attributes with the default `now`.
    package init(_ evolution: SchemaEvolution, in file: FileTables, now: Double) {
        self.evolution = evolution
        let (former, new) = (SchemaLookup(evolution.former), SchemaLookup(evolution.new))
        let (formerTables, newTables) = (TableDefinitions(evolution.former), TableDefinitions(evolution.new))
        formerTriggers = formerTables.triggers
        let mappings = TableMappings(evolution, former: former, new: new, values: ValueSQL(dialect: .sqlite, now: now))
        var names = RelationNames(file, tables: newTables)
        tableRenames = names.obstacles.map { "DROP INDEX \(SQLWriter.quoted($0))" }
        let dropped = formerTables.tables.keys.filter { mappings.names.tables[$0] == nil }.sorted()
        let renames = TableRenames(mappings.all.map { ($0.former, $0.new) }, dropped: dropped)
        tableRenames += renames.statements(file.baseTables)
        let file = file.without(names.obstacles)
        for mapping in mappings.all.sorted(by: { $0.new < $1.new }) {
            guard let old = formerTables.tables[mapping.former], let table = newTables.tables[mapping.new] else {
                continue
            }
            let planner = TablePlanner(
                former: old, new: table, entity: mapping.entity, sources: mapping.sources,
                formerIndexes: formerTables.indexes[mapping.former] ?? [],
                newIndexes: newTables.indexes[mapping.new] ?? [], file: file, names: mappings.names)
            let migration = planner.plan()
            names.keep(file.indexes[mapping.former] ?? [], except: migration.droppedIndexes)
            if migration.isNeeded { tables.append(migration) }
            if let entity = mapping.entity {
                planValues(of: entity, mapping: mapping, migration: migration, mappings: mappings, former: former)
            }
        }
        for index in tables.indices { tables[index].nameIndexes(&names) }
        planNewTables(mappings, definitions: newTables, names: &names)
        droppedTables = dropped.map { renames.dropped[$0] ?? $0 }
        lostEntities = evolution.former.entities.filter { evolution.removedEntities[$0.name] != nil }
        for index in lostEntities.indices {
            lostEntities[index].table = renames.dropped[lostEntities[index].table] ?? lostEntities[index].table
        }
        planLinks(mappings, former: former, new: new)
        planGrowth()
    }

    // MARK: Tables

    private mutating func planNewTables(
        _ mappings: TableMappings, definitions: TableDefinitions, names: inout RelationNames
    ) {
        let kept = Set(mappings.all.map(\.new))
        for name in definitions.tables.keys.sorted() where !kept.contains(name) {
            guard let table = definitions.tables[name] else { continue }
            let indexes = (definitions.indexes[name] ?? []).map { names.named($0) }
            let statements = [SQLStatement.createTable(table)] + indexes.map(SQLStatement.createIndex)
            for statement in statements {
                var writer = SQLWriter(dialect: .sqlite)
                writer.statement(statement)
                createdTables.append(String(decoding: writer.bytes, as: UTF8.self))
            }
        }
    }

    // MARK: Values

    private mutating func planValues(
        of entity: String, mapping: TableMappings.Mapping, migration: TableMigration, mappings: TableMappings,
        former: SchemaLookup
    ) {
        guard let evolution = evolution.entities[entity], let origin = evolution.origin.flatMap({ former.entities[$0] })
        else { return }
        let columns = former.columns(of: origin)
        for member in evolution.removedMembers.keys.sorted() {
            let own = columns.filter { $0.content == .attribute(member) || $0.content == .foreignKey(member) }
            // A conversion of the same version got the attributes. If it fails, the whole row is kept.
            let isConverted = self.evolution.conversions.contains { conversion in
                conversion.entity == entity && conversion.version == evolution.removedMembers[member]
                    && origin.attribute(member).map { $0.type != .attachment } ?? false
            }
            if own.isEmpty || isConverted { continue }
            lostMembers.append(
                LostMember(
                    entity: entity, member: member, columns: own.map { migration.droppedColumns[$0.name] ?? $0.name },
                    types: own.map(\.type.text)))
        }
        let running = mappings.columns(of: origin, sources: mapping.sources)
        planConversions(of: entity, evolution: evolution, columns: running, values: mappings.values)
        for rule in evolution.duplicates {
            func column(_ name: String?) -> String? {
                guard let column = name.flatMap(origin.attribute)?.column else { return nil }
                return mappings.names.column(column, of: origin.table) ?? migration.droppedColumns[column] ?? column
            }
            func value(_ member: MemberEvolution) -> String {
                mappings.values.sql(member, of: column(member.origin), columns: running)
            }
            duplicates.append(
                Duplicates(entity: entity, values: rule.members.map(value), newestBy: rule.newestBy.map(value)))
        }
        for (column, source) in mapping.sources.sorted(by: { $0.key < $1.key }) {
            guard source.origin != nil, let expression = source.expression else { continue }
            changedColumns.append(
                ChangedColumn(entity: entity, column: column, expression: source.needsRow ? nil : expression))
        }
    }

    private mutating func planConversions(
        of entity: String, evolution: EntityEvolution, columns: [String: String], values: ValueSQL
    ) {
        for conversion in self.evolution.conversions {
            let outputs = evolution.members.sorted { $0.key < $1.key }.compactMap { name, member in
                member.steps.first { $0.conversion?.conversion.id == conversion.id }.map { (name: name, step: $0) }
            }
            guard let call = outputs.first?.step.conversion else { continue }
            let new = self.evolution.new.entity(entity)
            conversions.append(
                PlannedConversion(
                    entity: entity, conversion: conversion, columns: columns,
                    outputs: outputs.compactMap { new?.attribute($0.name)?.column },
                    error: values.error(of: call, outputs: outputs.map(\.step), columns: columns)))
        }
    }

    // MARK: Links

    private mutating func planLinks(_ mappings: TableMappings, former: SchemaLookup, new: SchemaLookup) {
        let names = Dictionary(
            mappings.members.map { ($0.former, $0.new) }, uniquingKeysWith: { first, _ in first })
        var kept: Set<String> = []
        for entity in former.list {
            for relationship in entity.relationships {
                guard let name = former.linkName(of: relationship) else { continue }
                let path = MemberPath(entity.name, member: relationship.name)
                if let present = names[path],
                    let later = new.entities[present.type]?.relationship(present.member ?? ""),
                    let newName = new.linkName(of: later)
                {
                    kept.insert(name)
                    if newName != name { linkNames[name] = newName }
                } else if names[path] == nil {
                    lostLinks.append(LostLink(name: name, member: path))
                }
            }
        }
        // The other end of a removed relationship may be kept. Something else may have the name now.
        lostLinks.removeAll { kept.contains($0.name) }
        let taken = Set(linkNames.values)
        for (index, link) in lostLinks.enumerated() where taken.contains(link.name) {
            // Both ends may be lost.
            let name = linkNames[link.name] ?? "lockstep_lost_\(index)"
            linkNames[link.name] = name
            lostLinks[index] = LostLink(name: name, member: link.member)
        }
    }

    /// The entities whose records are sent as creations, because they were only on the device.
    package var pushedEntities: Set<String> {
        Set(evolution.entities.filter { $1.isPushedFirst && $1.origin != nil }.keys)
    }

    /// An entity grows if a member of its JSON is new or read in another way, and with everything that it embeds.
    private mutating func planGrowth() {
        for entity in evolution.new.entities {
            guard let kept = evolution.entities[entity.name], let origin = kept.origin.flatMap(evolution.former.entity)
            else { continue }
            let grows =
                kept.members.contains { entity.reading(of: $0) != $1.origin.flatMap(origin.reading) }
                || kept.removedMembers.keys.contains { origin.reading(of: $0) != nil }
                || kept.isRefetched || conversions.contains { $0.entity == entity.name }
                || origin.remote?.path != entity.remote?.path
            if grows { grownEntities.insert(entity.name) }
        }
        var count = -1
        while count != grownEntities.count {
            count = grownEntities.count
            for entity in evolution.new.entities {
                let embeds = entity.relationships.contains { relationship in
                    if case .embedded = relationship.wire {
                        grownEntities.contains(relationship.destination)
                    } else {
                        false
                    }
                }
                if embeds { grownEntities.insert(entity.name) }
            }
        }
    }
}

/// How a member is read from JSON: if it differs, the server's JSON is read in another way.
private enum MemberReading: Equatable {
    case value(ValueType, path: [String], formerPaths: [[String]], format: String?)
    case links(RelationshipWire, isOrdered: Bool)
}

extension EntityStructure {
    /// - Returns: `nil` for a member that is not in JSON.
    fileprivate func reading(of member: String) -> MemberReading? {
        if let attribute = attribute(member) {
            return attribute.wire.map {
                .value(attribute.type, path: $0.path, formerPaths: $0.formerPaths, format: $0.format)
            }
        }
        guard let relationship = relationship(member), relationship.wire != .none else { return nil }
        return .links(relationship.wire, isOrdered: relationship.isOrdered)
    }
}

extension SchemaLookup {
    /// The name by which changed links are recorded: that of the join table, or `table.column` of the foreign key that
    /// the other end holds. `nil` for a to-one that holds its key.
    func linkName(of relationship: RelationshipStructure) -> String? {
        switch relationship.storage {
        case .foreignKey: return nil
        case .joinTable(let table): return table.name
        case .inverseJoinTable(let name): return name
        case .inverseForeignKey:
            guard let table = entities[relationship.destination]?.table,
                let column = inverse(of: relationship)?.foreignKeyColumns.first
            else { return nil }
            return "\(table).\(column)"
        }
    }
}
