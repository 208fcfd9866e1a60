import LockstepEvolution
import LockstepSchema

/// Generates the Swift files of a schema.
struct SwiftEmitter: Sendable {
    let scope: SwiftScope
    let units: [Unit]

    /// The content of a file: an entity, its representation, an enum, a protocol, or the schema itself.
    enum Unit: Sendable {
        case model(Entity)
        case representation(Entity)
        case enumeration(Enumeration)
        case abstract(AbstractEntity)
        case schema
    }

    /// The schema itself, which is by far the largest, then the rest in the order of the schema.
    init(_ schema: Schema, access: AccessLevel, history: SchemaHistory?) {
        scope = SwiftScope(schema: schema, access: access, history: history)
        units =
            [.schema] + schema.entities.flatMap { [.model($0), .representation($0)] }
            + schema.enumerations.map { .enumeration($0) }
            + schema.abstractEntities.map { .abstract($0) }
    }

    /// The name of the unit's file, without `.swift`.
    func name(of unit: Unit) -> String {
        switch unit {
        case .model(let entity): entity.swiftName.unescaped
        case .representation(let entity): entity.representationName.unescaped
        case .enumeration(let enumeration): enumeration.swiftName.unescaped
        case .abstract(let entity): entity.swiftName.unescaped
        case .schema: scope.schema.swiftName
        }
    }

    func file(for unit: Unit) -> SwiftFile {
        switch unit {
        case .model(let entity): ModelTemplate.file(for: EntityShape(entity, in: scope))
        case .representation(let entity): RepresentationTemplate.file(for: EntityShape(entity, in: scope))
        case .enumeration(let enumeration): EnumerationTemplate.file(for: enumeration, in: scope)
        case .abstract(let entity): ProtocolTemplate.file(for: entity, in: scope)
        case .schema: SchemaTemplate.file(in: scope)
        }
    }
}
