import LockstepEvolution
import LockstepSchema

/// Creates the sections of a schema.
struct SchemaParts {
    let schema: Schema
    private let statements: [String: [String]]
    private let protocolNames: [String: String]

    init(_ schema: Schema) {
        self.schema = schema
        let tables = sqlStatementsByTable(for: schema.structure, dialect: .sqlite)
        statements = Dictionary(tables.map { ($0.table, $0.statements) }, uniquingKeysWith: +)
        protocolNames = Dictionary(
            schema.abstractEntities.map { ($0.swiftName, $0.name) }, uniquingKeysWith: { first, _ in first })
    }

    var facts: [Fact] {
        [
            Fact("Version", value: .text(String(schema.version)) + oldest),
            Fact("Dates in JSON", value: .text(schema.dateFormat.text)),
            Fact("Swift", value: .code(schema.swiftName)),
        ] + AccessFacts(schema: schema).facts
    }

    private var oldest: Cell { .text(schema.oldest.map { ", the oldest that is supported is \($0)" }) }

    // MARK: Entities

    func section(_ entity: Entity) -> Section {
        Section(
            anchor: .entity(entity.name), title: entity.name,
            otherNames: [entity.tableName, entity.remote?.path ?? "", entity.swiftName],
            marks: entity.remote == nil ? ["on the device only"] : [], documentation: entity.documentation,
            facts: facts(of: entity),
            tables: [
                AttributeTable(schema: schema, entity: entity).table(entity.attributes),
                RelationshipTable(schema: schema).table(entity.relationships), indexTable(entity),
            ].compactMap(\.compact),
            statements: statements[entity.tableName] ?? [], box: .box(entity.name))
    }

    private func facts(of entity: Entity) -> [Fact] {
        let kept = [
            Fact("Identity", value: identity(of: entity)),
            Fact("Table", value: .code(entity.tableName)),
            Fact("Server", value: entity.remote.map(server) ?? "never sent"),
            Fact("Version attribute", value: .code(entity.version)),
            Fact("Decided together", value: entity.together.map(Self.list).joined(separator: "; ")),
        ]
        let named = [
            Fact("Extends", value: entity.protocols.map(link(toProtocol:)).joined(separator: ", ")),
            Fact("Swift", value: [.code(entity.swiftName), .text(", "), .code(entity.representationName)]),
        ]
        let facts = kept + AccessFacts(schema: schema).facts(of: entity) + named
        return facts.filter { !$0.value.spans.isEmpty }
    }

    private static func list(_ names: [String]) -> Cell { names.map { Cell.code($0) }.joined(separator: ", ") }

    private func identity(of entity: Entity) -> Cell {
        switch entity.identity {
        case .none: "none: a record belongs to its owner"
        case .attributes(let names): Self.list(names)
        case .local(let local, remote: let remote):
            [.code(local), .text(" on the device, "), .code(remote), .text(" on the server")]
        }
    }

    private func server(_ remote: Remote) -> Cell {
        let writes = remote.writes.map(\.rawValue).joined(separator: ", ")
        let wrap: Cell = remote.wrapKey.map { [.text("; in an object "), .code($0)] } ?? []
        return .code(remote.path) + .text(writes.isEmpty ? ": read-only" : ": " + writes) + wrap
    }

    private func link(toProtocol name: String) -> Cell {
        protocolNames[name].map { [.link($0, .entity($0))] } ?? .code(name)
    }

    private func indexTable(_ entity: Entity) -> Table {
        let unique = entity.attributes.filter(\.isUnique).map { attribute -> [Cell] in
            [.code(attribute.columnName), "yes", ""]
        }
        let indexes = entity.indexes.map { index -> [Cell] in
            let columns = index.columns.map { Cell.code($0) }.joined(separator: ", ")
            return [columns, index.isUnique ? "yes" : "no", .code(index.name)]
        }
        return Table(
            title: "Indexes and unique values", headings: ["Columns", "Unique", "Index"], rows: unique + indexes)
    }

    func section(_ entity: AbstractEntity) -> Section {
        let users = schema.entities.filter { $0.protocols.contains(entity.swiftName) }
        let facts = [
            Fact("Extended by", value: users.map { [.link($0.name, .entity($0.name))] }.joined(separator: ", ")),
            Fact("Extends", value: entity.protocols.map(link(toProtocol:)).joined(separator: ", ")),
            Fact("Swift", value: .code(entity.swiftName)),
        ]
        return Section(
            anchor: .entity(entity.name), title: entity.name, marks: ["abstract"], documentation: entity.documentation,
            facts: facts.filter { !$0.value.spans.isEmpty },
            tables: [AttributeTable(schema: schema, entity: nil).table(entity.attributes)].compactMap(\.compact))
    }

    // MARK: Types

    func section(_ enumeration: Enumeration) -> Section {
        let rows = enumeration.cases.map { enumerationCase -> [Cell] in
            [.code(enumerationCase.name), .code(enumerationCase.rawValue.text), .text(enumerationCase.documentation)]
        }
        return Section(
            anchor: .enumeration(enumeration.name), title: enumeration.name,
            marks: enumeration.isClosed ? ["closed"] : [], documentation: enumeration.documentation,
            facts: [
                Fact("Values", value: .code(enumeration.rawType.rawValue)),
                Fact("Unknown values", value: enumeration.isClosed ? "are rejected" : "are kept"),
                Fact("Used by", value: users { $0.names(enumeration: enumeration.name) }),
            ].filter { !$0.value.spans.isEmpty },
            tables: [Table(title: "Cases", headings: ["Case", "Value in JSON", "Notes"], rows: rows)])
    }

    func section(_ type: CustomType) -> Section {
        Section(
            anchor: .customType(type.name), title: type.name, documentation: type.documentation,
            facts: [
                Fact("Stored and sent as", value: .code(type.stored.rawValue)),
                Fact("Module", value: .code(type.module)),
                Fact("Used by", value: users { $0.names(customType: type.name) }),
            ].filter { !$0.value.spans.isEmpty })
    }

    private func users(where isUser: (AttributeType) -> Bool) -> Cell {
        schema.entities.flatMap { entity in
            entity.attributes.filter { isUser($0.type) }.map { attribute -> Cell in
                [.link("\(entity.name).\(attribute.name)", .entity(entity.name))]
            }
        }.joined(separator: ", ")
    }

    func section(_ table: LockstepSchema.JoinTable) -> Section {
        let ends = [table.left, table.right].map { end -> [Cell] in
            [
                [.link(end.entity, .entity(end.entity))], .code(end.relationship),
                end.columns.map { Cell.code($0) }.joined(separator: ", "), .code(end.positionColumn),
            ]
        }
        return Section(
            anchor: .joinTable(table.name), title: table.name,
            tables: [
                Table(title: "Ends", headings: ["Entity", "Relationship", "Columns", "Position"], rows: ends).compact
            ].compactMap(\.self),
            statements: statements[table.name] ?? [])
    }
}

extension CaseValue {
    fileprivate var text: String {
        switch self {
        case .string(let text): text
        case .int(let number): String(number)
        }
    }
}

extension AttributeType {
    fileprivate func names(enumeration name: String) -> Bool {
        self == .enumeration(name) || self == .list(.enumeration(name))
    }

    fileprivate func names(customType name: String) -> Bool { self == .custom(name) || self == .list(.custom(name)) }
}
