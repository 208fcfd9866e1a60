import Checklist
import Foundation
import Journal
import LinkSamples
import LockstepEvolution
import LockstepStore
import LockstepSync
import OfflineTasks
import ServerSamples
import Shop

/// A schema as a simulation uses it: what can be edited of it, all found out from its description.
struct Domain: Sendable {
    let name: String
    let schema: any StoreSchema.Type
    var entities: [DomainEntity]

    /// Those that a simulation can be about.
    static let all: [Domain] = [
        Domain("Shop", ShopSchema.self, of: ["Article", "ArticleComment", "Product", "ProductReview", "Tag"]),
        Domain("OfflineTasks", OfflineTasksSchema.self), Domain("Journal", JournalSchema.self),
        Domain("Checklist", ChecklistSchema.self),
        // Links to records whose identities the server makes.
        Domain("Forest", ForestSchema.self, of: ["Mark", "Note"]), Domain("Museum", MuseumSchema.self, of: ["Loan"]),
        // Records whose versions are an attribute of theirs.
        Domain("Museum's tickets", MuseumSchema.self, of: ["Ticket", "Plan"]),
        // Records inside of others whose identities the server makes: without paths, and with.
        Domain("Orders", OrdersSchema.self, of: ["Order", "Line", "Stamp"]),
        Domain("Museum's surveys", MuseumSchema.self, of: ["Survey", "Sheet"]),
        Domain("Orders' baskets", OrdersSchema.self, of: ["Basket", "Item"]),
    ]

    /// Those that were added later, which a seed chooses by a number of its own, so that the others stay as they were.
    static let later: [Domain] = [
        // Links that both of two records have, by ids.
        Domain("Social", SocialSchema.self, of: ["Person"]),
        // Records that stay where their owner's list lacks them.
        Domain("Social's letters", SocialSchema.self, of: ["Person", "Letter"]),
    ]

    /// Those that were added last, in the same way.
    static let latest: [Domain] = [
        // Links of which each record has at most one.
        Domain("Social's dancers", SocialSchema.self, of: ["Dancer"]),
        // Records that refer to each other, by a required link and an optional one, and by two optional ones.
        Domain("Crew's teams", CrewSchema.self, of: ["Team", "Player"]),
        Domain("Crew's jobs", CrewSchema.self, of: ["Job", "Step"]),
        Domain("Crew's albums", CrewSchema.self, of: ["Album", "Photo"]),
    ]

    /// - Parameter names: The entities that are edited and followed; all where it is `nil`.
    init(_ name: String, _ schema: any StoreSchema.Type, of names: Set<String>? = nil) {
        self.name = name
        self.schema = schema
        entities = schema.entities.filter { names?.contains($0.entity.name) ?? true }.map(DomainEntity.init)
    }

    /// Whether some identities are UUIDs that devices make.
    var hasUUIDs: Bool {
        entities.contains { entity in
            entity.plan.serverKeyColumns.contains { entity.plan.columns[$0].type == .uuid }
        }
    }

    func entity(_ name: String) -> DomainEntity? { entities.first { $0.plan.name == name } }
    func entity(at path: String) -> DomainEntity? { entities.first { $0.path == path } }
    func entity(ofTable table: String) -> DomainEntity? { entities.first { $0.plan.table == table } }

    /// The members of the records in each collection, as the columns of a table: a creation lacks what is not set.
    var columns: [String: Set<String>] {
        var columns: [String: Set<String>] = [:]
        for entity in followed {
            columns[entity.path] = Set(
                entity.fields.map(\.key) + entity.links.map(\.key) + entity.lists.filter(\.join.isToOne).map(\.key))
        }
        return columns
    }

    /// Whether a server has foreign keys: where records refer to each other.
    var hasForeignKeys: Bool { name.hasPrefix("Crew") }

    /// The many to many links, each told by its join table once.
    var joins: [(join: JoinDescription, owner: DomainEntity, member: DomainEntity)] {
        var seen: Set<String> = []
        // What travels by itself tells the server, rather than what is inside of others.
        return (followed + entities.filter { $0.container != nil }).flatMap { owner in
            owner.lists.compactMap { list in
                guard let member = entity(list.destination), seen.insert(list.join.table).inserted else { return nil }
                return (list.join, owner, member)
            }
        }
    }

    func openStore(at file: URL) throws -> Store {
        var configuration = Configuration()
        // What a killed process has written stays, synced or not; a simulation loses no power.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        return try Store(schema, at: .file(file), configuration: configuration)
    }
}

/// An entity, and what can be edited of its records.
struct DomainEntity: Sendable {
    let type: any Model.Type
    let plan: EntityPlan
    let fields: [Field]
    let links: [Link]
    let lists: [List]
    /// The record that its records are inside of on the server; `nil` where they have a collection of their own.
    var container: Container?

    /// An attribute whose values tell who wrote them.
    struct Field: Sendable {
        let column: Int
        let name: String
        let key: String
        let kind: Kind
        let isText: Bool

        enum Kind: Sendable { case text, number, date }
    }

    /// A to-one that is told by id.
    struct Link: Sendable {
        let column: Int
        let name: String
        let key: String
        let destination: String
        let isRequired: Bool
    }

    /// One end of a many to many, or a symmetric to-one.
    struct List: Sendable {
        let join: JoinDescription
        let key: String
        let destination: String

        /// The members in a record's JSON: a list of them, or the only one.
        func members(in record: JSONValue) -> [JSONValue] {
            switch record[key] {
            case .array(let members)?: members
            case .null?, nil: []
            case let member?: [member]
            }
        }

        /// The members as a record's JSON has them. Of a to-one, it is the last.
        func json(_ members: [JSONValue]) -> JSONValue { join.isToOne ? members.last ?? .null : .array(members) }
    }

    init(_ type: any Model.Type) {
        self.type = type
        let plan = type.entity.plan
        self.plan = plan
        fields = plan.columns.indices.compactMap { Self.field($0, plan) }
        links = zip(plan.relationships, plan.foreignKeys).compactMap { relationship, columns in
            guard case .id(let paths, _) = relationship.wire, columns.count == 1 else { return nil }
            return Link(
                column: columns[0], name: plan.columns[columns[0]].name, key: paths[0][0],
                destination: relationship.destination.name,
                isRequired: !plan.columns[columns[0]].isOptional)
        }
        lists = plan.relationships.compactMap { relationship in
            guard case .manyToMany(let join) = relationship.kind, case .ids(let path, _) = relationship.wire
            else {
                return nil
            }
            return List(join: join, key: path[0], destination: relationship.destination.name)
        }
    }

    private static func field(_ column: Int, _ plan: EntityPlan) -> Field? {
        let description = plan.columns[column]
        guard let wire = description.wire, wire.path.count == 1, !wire.isReadOnly, !plan.keyColumns.contains(column),
            plan.remoteColumn != column, plan.versionColumn != column
        else { return nil }
        let kind: Field.Kind
        switch description.type {
        case .string: kind = .text
        case .int: kind = .number
        case .date where !description.isOptional: kind = .date
        default: return nil
        }
        return Field(
            column: column, name: description.name, key: wire.path[0], kind: kind, isText: wire.format == .text)
    }

    var name: String { plan.name }
    var table: String { plan.table }
    /// The path of its collection; for what is inside of others, that of their owners with the list behind it.
    var path: String { container?.path ?? plan.remote?.path ?? "" }
    var keyName: String { plan.columns[plan.keyColumns[0]].name }
    /// The key of the identity in JSON.
    var identityKey: String { plan.columns[plan.remoteColumn ?? plan.keyColumns[0]].wire?.path.first ?? "id" }
    var isServerMade: Bool { plan.remoteColumn != nil }
    /// Whether the device assigns identities that others may assign, too.
    var hasNaturalKey: Bool { !isServerMade && plan.columns[plan.keyColumns[0]].type != .uuid }
    /// The first attribute: no two records that were made have the same.
    var nameField: Field { fields[0] }

    /// A stored value as this attribute's JSON.
    func json(_ value: DatabaseValue, _ field: Field) -> JSONValue {
        switch value.storage {
        case .null: .null
        case .int64(let number): field.isText ? .string(String(number)) : .integer(number)
        case .double(let seconds): .string(Self.dateText(seconds))
        case .string(let text): .string(text)
        case .blob: .null
        }
    }

    /// A link's key as JSON.
    static func json(key: DatabaseValue) -> JSONValue {
        switch key.storage {
        case .int64(let number): .integer(number)
        case .string(let text): .string(text)
        default: .null
        }
    }

    private static func dateText(_ seconds: Double) -> String {
        let formatter = ISO8601DateFormatter()
        return formatter.string(from: Date(timeIntervalSince1970: seconds))
    }
}
