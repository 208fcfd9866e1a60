import GRDB
import LockstepEvolution
import LockstepStore

/// Which rows of a file become which records: the map, as far as the file and the schema have what it names.
struct CopyPlan {
    let file: CoreDataFile
    let map: MapIndex
    /// Those whose links are required after those that they lead to.
    private(set) var entities: [CopiedEntity] = []
    /// By the numbers of the file.
    private(set) var byNumber: [Int64: CopiedEntity] = [:]
    private(set) var links: [CopiedLinks] = []
    private(set) var findings: [String] = []
    /// Names of the map that the file or the schema lacks.
    private var missing: [String] = []
    private var unknown: [String] = []
    private var columns: [Int64: [String: String]] = [:]

    init(_ map: CoreDataMap, file: CoreDataFile, plans: SchemaPlan, external: ExternalData)
        throws(CoreDataError)
    {
        self.file = file
        self.map = try MapIndex(map, url: file.connection.url)
        try findColumns()
        var found: [CopiedEntity] = []
        for name in self.map.names {
            if let entity = try entity(name, plans: plans, external: external) { found.append(entity) }
        }
        entities = Self.sorted(found)
        byNumber = Dictionary(entities.map { ($0.number, $0) }) { first, _ in first }
        let (links, missing) = CopiedLinks.all(self.map, in: file)
        self.links = links + symmetricLinks()
        self.missing += missing.map { "table with the links of \($0)" }
        try refuseGaps()
        try findUnnamed()
    }

    /// Without a value or a row that the map names, the copy would lose it for good: rows are copied once.
    private func refuseGaps() throws(CoreDataError) {
        let url = file.connection.url
        if !unknown.isEmpty {
            throw CoreDataError(
                .wrongMap, url: url, reason: "the map names what is not in the schema: \(Self.list(unknown))",
                remedy: "Correct the map, or write it again with `lockstep import --rows`.")
        }
        if !missing.isEmpty {
            throw CoreDataError(
                .otherVersion, url: url,
                reason: "it belongs to another version of the model, and has no \(Self.list(missing))",
                remedy: "Open it once with Core Data and the current model, close it, and then copy the rows. "
                    + "Or remove from the map what you do not need.")
        }
    }

    private static func list(_ names: [String]) -> String {
        let rest = names.count - listLimit
        return names.prefix(listLimit).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// A message is for people.
    private static let listLimit = 10

    private mutating func findColumns() throws(CoreDataError) {
        var owners: [String: [PropertyColumns.Owner]] = [:]
        for name in map.names {
            guard let entity = map.entities[name] else { continue }
            guard let number = file.numbers[name] else {
                missing.append("entity \(name)")
                continue
            }
            guard let table = file.table(ofEntity: number) else {
                missing.append("table of \(name)")
                continue
            }
            let properties =
                entity.attributes.flatMap(\.properties)
                + map.declared(by: entity).filter { !$0.isToMany }.map(\.name)
            owners[table, default: []].append(PropertyColumns.Owner(number: number, properties: properties))
        }
        for (table, owners) in owners.sorted(by: { $0.key < $1.key }) {
            let found = try PropertyColumns(file, table: table, owners: owners)
            columns.merge(found.columns) { first, _ in first }
            // Apple does not document the columns of composite attributes: without them, these are not copied.
            for (entity, property) in found.missing where !property.contains(".") {
                missing.append("column for \(file.name(ofEntity: entity) ?? "").\(property)")
            }
        }
    }

    // MARK: Entities

    private mutating func entity(
        _ name: String, plans: SchemaPlan, external: ExternalData
    ) throws(CoreDataError) -> CopiedEntity? {
        guard let entity = map.entities[name], let target = entity.becomes else { return nil }
        guard let plan = plans[target] else {
            throw CoreDataError(
                .wrongMap, url: file.connection.url,
                reason: "the schema has no entity “\(target)”, which “\(name)” becomes",
                remedy: "Correct the map, or write it again with `lockstep import --rows`.")
        }
        guard let number = file.numbers[name], let table = file.table(ofEntity: number),
            let available = file.tables[table]
        else { return nil }
        for column in ["Z_PK", "Z_ENT"] where !available.contains(column) {
            missing.append("column \(column) in \(table)")
        }
        checkRelationships(of: name, plan: plan)
        let properties = properties(of: name, available: available)
        return CopiedEntity(
            name: name, number: number, table: table, columns: available, plan: plan, properties: properties,
            sources: sources(entity, of: plan, properties: properties, external: external),
            links: links(of: name, plan: plan, properties: properties, available: available))
    }

    /// The indices of the columns of all properties.
    private func properties(of name: String, available: [String]) -> [String: Int] {
        var indices: [String: Int] = [:]
        let declared =
            map.attributes(of: name).flatMap { owner, attribute in attribute.properties.map { (owner, $0) } }
            + map.relationships(of: name).map { ($0.owner, $0.relationship.name) }
        for (owner, property) in declared {
            guard let number = file.numbers[owner], let column = columns[number]?[property] else { continue }
            indices[property] = available.firstIndex(of: column)
        }
        return indices
    }

    private mutating func sources(
        _ entity: CoreDataMap.Entity, of plan: EntityPlan, properties: [String: Int], external: ExternalData
    ) -> [CopiedEntity.Source] {
        var sources = plan.columns.indices.map { column in
            let isNew = plan.keyColumns.contains(column) && isLocalID(plan.columns[column], of: entity)
            return isNew ? CopiedEntity.Source.newIdentity : .initial
        }
        for (_, attribute) in map.attributes(of: entity.name) {
            let indices = attribute.properties.compactMap { properties[$0] }
            let isComposite = attribute.type == .composite
            guard !isComposite || !indices.isEmpty && indices.count == attribute.parts.count else {
                let reason = attribute.parts.isEmpty ? "the map does not name" : "the file has no columns for"
                findings.append(
                    "\(entity.name).\(attribute.name) is not copied, because \(reason) the parts of this composite "
                        + "attribute.")
                continue
            }
            guard let column = plan.column(ofAttribute: attribute.becomes) else {
                unknown.append("\(plan.name).\(attribute.becomes)")
                continue
            }
            guard let index = indices.first else { continue }
            let reader = AttributeReader(attribute, column: plan.columns[column], external: external)
            sources[column] = isComposite ? .composite(indices, reader) : .attribute(index, reader)
        }
        return sources
    }

    private func isLocalID(_ column: ColumnDescription, of entity: CoreDataMap.Entity) -> Bool {
        switch column.content {
        case .surrogateKey: true
        case .attribute(let name): name == entity.localID
        case .foreignKey, .position: false
        }
    }

    // MARK: Links

    private mutating func checkRelationships(of name: String, plan: EntityPlan) {
        for (_, relationship) in map.relationships(of: name) {
            for kind in map.kinds(of: relationship.destination) {
                guard let destination = map.entities[kind]?.becomes, let member = relationship.name(to: destination)
                else { continue }
                let text = "\(plan.name).\(member)"
                if plan.relationship(named: member) == nil, !unknown.contains(text) { unknown.append(text) }
            }
        }
    }

    private func links(
        of name: String, plan: EntityPlan, properties: [String: Int], available: [String]
    ) -> [CopiedLink] {
        map.relationships(of: name).compactMap { _, relationship in
            guard !relationship.isToMany, let column = properties[relationship.name],
                let destination = file.numbers[relationship.destination],
                let table = file.table(ofEntity: destination)
            else { return nil }
            let targets = targets(of: relationship, plan: plan)
            if targets.isEmpty { return nil }
            let order = "Z_FOK_" + available[column].dropFirst()
            return CopiedLink(
                name: relationship.name, column: column, table: table,
                order: available.contains(order) ? order : nil, targets: targets)
        }
    }

    /// The relationships of the schema. Of a one-to-one relationship, the other end may have the key.
    private func targets(of relationship: CoreDataMap.Relationship, plan: EntityPlan) -> [Int64: CopiedLink.Target] {
        var targets: [Int64: CopiedLink.Target] = [:]
        for name in map.kinds(of: relationship.destination) {
            guard let destination = map.entities[name]?.becomes, let number = file.numbers[name] else { continue }
            guard let member = relationship.name(to: destination), let index = plan.relationship(named: member)
            else { continue }
            let found = plan.relationships[index]
            guard found.destination.name == destination else { continue }
            switch found.kind {
            case .toOne(let columns, let position, let isRequired):
                targets[number] = CopiedLink.Target(columns: columns, position: position, isRequired: isRequired)
            case .toOneInverse: targets[number] = CopiedLink.Target(columns: [], position: nil, isRequired: false)
            case .toMany, .manyToMany: continue
            }
        }
        return targets
    }

    /// The to-one relationships that are their own inverse. The file has a column for them, and the schema a table.
    private func symmetricLinks() -> [CopiedLinks] {
        entities.flatMap { entity in
            map.relationships(of: entity.name).compactMap { owner, relationship in
                guard !relationship.isToMany, owner == relationship.destination, owner == entity.name,
                    relationship.inverse == relationship.name,
                    let column = columns[entity.number]?[relationship.name],
                    let index = relationship.name(to: entity.plan.name).flatMap(entity.plan.relationship),
                    case .manyToMany = entity.plan.relationships[index].kind
                else { return nil }
                return CopiedLinks(
                    relationship: relationship, owner: owner,
                    columns: LinkColumns(toOne: column, table: entity.table), isOwnInverse: true,
                    ownerTable: entity.table, destinationTable: entity.table)
            }
        }
    }

    /// A record with a required link is written after its destination: only then it is known whether that exists.
    private static func sorted(_ entities: [CopiedEntity]) -> [CopiedEntity] {
        let byNumber = Dictionary(entities.map { ($0.number, $0) }) { first, _ in first }
        var (sorted, seen): ([CopiedEntity], Set<Int64>) = ([], [])
        func add(_ entity: CopiedEntity) {
            guard seen.insert(entity.number).inserted else { return }
            for link in entity.links {
                for (number, target) in link.targets.sorted(by: { $0.key < $1.key }) where target.isRequired {
                    if let destination = byNumber[number] { add(destination) }
                }
            }
            sorted.append(entity)
        }
        for entity in entities { add(entity) }
        return sorted
    }

    // MARK: What the map does not name

    private mutating func findUnnamed() throws(CoreDataError) {
        for (name, number) in file.numbers.sorted(by: { $0.key < $1.key }) where byNumber[number] == nil {
            guard let table = file.table(ofEntity: number), file.tables[table]?.contains("Z_ENT") ?? false else {
                continue
            }
            let statement = try file.connection.statement(
                "SELECT COUNT(*) FROM \(SQLName.quoted(table)) WHERE Z_ENT = \(number)")
            let count = try statement.numbers().first ?? 0
            if count > 0 { findings.append("The map does not say what \(name) becomes: \(count) rows are not copied.") }
        }
    }

    /// The number of an entity's rows in the file.
    func rowCount(of entity: CopiedEntity) throws(CoreDataError) -> Int {
        let statement = try file.connection.statement(
            "SELECT COUNT(*) FROM \(SQLName.quoted(entity.table)) WHERE Z_ENT = \(entity.number)")
        return Int(try statement.numbers().first ?? 0)
    }
}
