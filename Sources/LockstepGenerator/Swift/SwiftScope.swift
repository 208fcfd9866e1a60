import LockstepEvolution
import LockstepSchema

/// The names that the templates look up while they generate a schema: its parts by name, and the names of types in its
/// files.
///
/// A class, because every template has it: one reference instead of a schema and four tables.
final class SwiftScope: Sendable {
    let schema: Schema
    /// `public `, `package ` or empty, to be put before a declaration.
    let access: String
    /// The same before a type or a protocol, which is `nonisolated`: in a target whose declarations are isolated to the
    /// main actor by default, as in a new Xcode project, models are used by contexts of other threads, too (SE-0449).
    var typeAccess: String { "nonisolated " + access }
    /// The recorded versions; `nil` if the schema has no history.
    let history: SchemaHistory?
    private let entities: [String: Entity]
    private let enumerations: [String: Enumeration]
    private let customTypes: [String: CustomType]
    /// Every type name that the schema declares. Types of the runtime or of Swift with the same name must be qualified.
    private let declared: Set<String>

    init(schema: Schema, access: AccessLevel, history: SchemaHistory?) {
        self.schema = schema
        self.history = history
        self.access = access == .internal ? "" : access.rawValue + " "
        entities = Dictionary(schema.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        enumerations = Dictionary(schema.enumerations.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        customTypes = Dictionary(schema.customTypes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var declared = Set(schema.enumerations.map(\.swiftName) + schema.customTypes.map(\.name))
        declared.formUnion(schema.abstractEntities.map(\.swiftName))
        declared.insert(schema.swiftName)
        for entity in schema.entities {
            declared.insert(entity.swiftName)
            declared.insert(entity.representationName)
        }
        self.declared = declared
    }

    /// The entity with this name. It exists, because the schema is resolved.
    func entity(_ name: String) -> Entity {
        guard let entity = entities[name] else {
            preconditionFailure("The schema \(schema.name) is not finished: it has no entity \(name).")
        }
        return entity
    }

    func enumeration(_ name: String) -> Enumeration {
        guard let enumeration = enumerations[name] else {
            preconditionFailure("The schema \(schema.name) is not finished: it has no enum \(name).")
        }
        return enumeration
    }

    func customType(_ name: String) -> CustomType {
        guard let type = customTypes[name] else {
            preconditionFailure("The schema \(schema.name) is not finished: it has no type \(name).")
        }
        return type
    }

    /// A type of the runtime: `ManagedObject`, or `LockstepStore.ManagedObject` if the schema has a type with that
    /// name.
    func runtime(_ name: String) -> String {
        declared.contains(name) ? "LockstepStore." + name : name
    }

    /// A type of Swift's standard library.
    func standard(_ name: String) -> String {
        declared.contains(name) ? "Swift." + name : name
    }

    /// A type of Foundation.
    func foundation(_ name: String) -> String {
        declared.contains(name) ? "Foundation." + name : name
    }

    /// The Swift type of a value, regardless of whether it is optional.
    func typeName(_ type: AttributeType) -> String {
        switch type {
        case .scalar(let scalar): scalarName(scalar)
        case .enumeration(let name): enumeration(name).swiftName
        case .custom(let name): name
        case .list(let element): "[\(typeName(element))]"
        case .attachment: runtime("FileAttachment")
        }
    }

    func typeName(_ type: AttributeType, isOptional: Bool) -> String {
        isOptional ? typeName(type) + "?" : typeName(type)
    }

    private func scalarName(_ scalar: ScalarType) -> String {
        switch scalar {
        case .string: standard("String")
        case .bool: standard("Bool")
        case .int: standard("Int")
        case .int16: standard("Int16")
        case .int32: standard("Int32")
        case .int64: standard("Int64")
        case .float: standard("Float")
        case .double: standard("Double")
        case .decimal: foundation("Decimal")
        case .date: foundation("Date")
        case .day: runtime("Day")
        case .uuid: foundation("UUID")
        case .url: foundation("URL")
        case .data: foundation("Data")
        case .json: runtime("JSONValue")
        }
    }
}

extension SwiftScope {
    /// The type of the entity's identity: that of its key attribute, or the nested struct `Identity`.
    func identityType(of entity: Entity) -> String {
        let keys = keyAttributes(of: entity)
        switch keys.count {
        case 0: return standard("Int64")
        case 1: return typeName(keys[0].type)
        default: return entity.swiftName + ".Identity"
        }
    }

    /// The type of the identity in JSON: that of the server's part if there are two.
    func wireIdentityType(of entity: Entity) -> String {
        guard let remote = remoteAttribute(of: entity) else { return identityType(of: entity) }
        return typeName(remote.type)
    }

    /// The attributes of the key, in its order.
    func keyAttributes(of entity: Entity) -> [Attribute] {
        entity.identity.keyAttributes.compactMap { name in entity.attributes.first { $0.name == name } }
    }

    /// The attribute with the server's identity, if that is not the key.
    func remoteAttribute(of entity: Entity) -> Attribute? {
        guard case .local(_, let name) = entity.identity else { return nil }
        return entity.attributes.first { $0.name == name }
    }
}
