import LockstepSchema

/// One entity as its templates use it: numbered columns, foreign keys with their destinations, wire fields in order.
///
/// A class, because every template has it.
final class EntityShape: Sendable {
    let scope: SwiftScope
    let entity: Entity
    let keyAttributes: [Attribute]
    let foreignKeys: [HeldKey]
    /// The fields of the representation, in the order of its properties.
    let fields: [WireField]
    private let columnOfAttribute: [String: Int]
    /// The prefix of the names of stored properties: more underscores than any other member begins with.
    private let storagePrefix: String

    /// A to-one that holds the foreign key.
    struct HeldKey: Sendable {
        /// Its index in the entity's relationships.
        var relationshipIndex: Int
        var relationship: Relationship
        var key: ForeignKey
        var destination: Entity
        /// The columns of the key in the entity's table.
        var columns: [Int]
        var positionColumn: Int?
        /// The type of the key, regardless of whether it is optional: the identity of the destination.
        var type: String
    }

    init(_ entity: Entity, in scope: SwiftScope) {
        self.scope = scope
        self.entity = entity
        keyAttributes = scope.keyAttributes(of: entity)
        var columnOfAttribute: [String: Int] = [:]
        var columnsOfRelationship: [String: [Int]] = [:]
        var positionOfRelationship: [String: Int] = [:]
        for (index, column) in entity.columns.enumerated() {
            switch column.content {
            case .surrogateKey: break
            case .attribute(let name): columnOfAttribute[name] = index
            case .foreignKey(let relationship, attribute: _):
                columnsOfRelationship[relationship, default: []].append(index)
            case .position(let relationship, inverse: _): positionOfRelationship[relationship] = index
            }
        }
        self.columnOfAttribute = columnOfAttribute
        foreignKeys = entity.relationships.enumerated().compactMap { index, relationship in
            guard case .foreignKey(let key) = relationship.storage else { return nil }
            let destination = scope.entity(relationship.destination)
            return HeldKey(
                relationshipIndex: index,
                relationship: relationship,
                key: key,
                destination: destination,
                columns: columnsOfRelationship[relationship.name] ?? [],
                positionColumn: positionOfRelationship[relationship.name],
                type: scope.identityType(of: destination)
            )
        }
        fields = WireField.fields(of: entity, in: scope)
        let members =
            entity.attributes.map(\.swiftName) + entity.relationships.map(\.swiftName)
            + foreignKeys.flatMap { [$0.key.property] + ($0.key.positionProperty.map { [$0] } ?? []) }
        let underscores = members.map { $0.unescaped.prefix { $0 == "_" }.count }.max() ?? 0
        storagePrefix = String(repeating: "_", count: underscores + 1)
    }

    /// The stored property behind a property whose reads and changes are observed.
    func storage(of property: String) -> String { storagePrefix + property.unescaped }

    /// The stored property of an attribute: that of a key is the attribute's own, because keys never change.
    func storage(of attribute: Attribute) -> String {
        isKey(attribute) ? attribute.swiftName : storage(of: attribute.swiftName)
    }

    /// Returns the property that the class itself sets, so that the change is reported: the property, or the observed
    /// storage of a deprecated one, whose use would be a warning.
    func target(of attribute: Attribute) -> String {
        attribute.deprecation == nil ? attribute.swiftName.qualified : storage(of: attribute)
    }

    /// The stored property of a representation with this name: the property itself, or a private one behind it if it is
    /// deprecated, so that generated code never uses deprecated declarations.
    private func representationStorage(of property: String, deprecation: String?) -> String {
        deprecation == nil ? property : storage(of: property)
    }

    func representationStorage(of attribute: Attribute) -> String {
        representationStorage(of: attribute.swiftName, deprecation: attribute.deprecation)
    }

    func representationStorage(of relationship: Relationship) -> String {
        representationStorage(of: relationship.swiftName, deprecation: relationship.deprecation)
    }

    func representationStorage(of field: WireField) -> String {
        representationStorage(of: field.property, deprecation: field.deprecation)
    }

    /// The column of a stored attribute.
    func column(of attribute: Attribute) -> Int {
        columnOfAttribute[attribute.name] ?? 0
    }

    /// The attribute that a column stores; `nil` for keys and positions.
    func attribute(of column: Column) -> Attribute? {
        guard case .attribute(let name) = column.content else { return nil }
        return entity.attributes.first { $0.name == name }
    }

    /// The entity as a noun in a sentence: `job sheet`.
    var nounPhrase: String { entity.name.spacedWords }

    var hasSurrogateKey: Bool { entity.identity == .none }

    func isKey(_ attribute: Attribute) -> Bool {
        keyAttributes.contains { $0.name == attribute.name }
    }

    /// Whether a row contains the whole representation, without parts of other records.
    var isReadFromRows: Bool {
        fields.allSatisfy { field in
            switch field.content {
            case .attribute(let attribute, _): !attribute.isTransient
            case .identity(let relationship, paths: _, embeddedPath: _):
                heldKey(of: relationship).map { scope.remoteAttribute(of: $0.destination) == nil } ?? false
            case .identities, .embedded: false
            }
        }
    }

    var storedAttributes: [Attribute] { entity.attributes.filter { !$0.isTransient } }

    /// The attributes of the destination that identify it in JSON. A composite identity is one value in Swift.
    func wireIdentityAttributes(of relationship: Relationship) -> [Attribute] {
        let destination = scope.entity(relationship.destination)
        return scope.remoteAttribute(of: destination).map { [$0] } ?? scope.keyAttributes(of: destination)
    }

    /// The foreign key of a relationship that holds one.
    func heldKey(of relationship: Relationship) -> HeldKey? {
        foreignKeys.first { $0.relationship.name == relationship.name }
    }
}

extension Relationship {
    /// Whether it is a to-one that is its own inverse: one whose links are in a table of their own.
    var isSymmetricToOne: Bool { if case .joinTable = storage { !isToMany } else { false } }
}

/// One property of a representation.
struct WireField: Sendable {
    enum Content: Sendable {
        case attribute(Attribute, AttributeWire)
        /// A to-one as the identity of its destination.
        case identity(Relationship, paths: [[String]], embeddedPath: [String])
        /// A to-many as a list of identities; records at `embeddedPath` are read, too.
        case identities(Relationship, path: [String], embeddedPath: [String])
        /// Whole records; a list of identities at `idsPath` is read, too.
        case embedded(Relationship, path: [String], idsPath: [String])
    }

    var content: Content
    /// The name of the property in Swift.
    var property: String
    /// Its type, including whether it is optional.
    var type: String
    var isOptional: Bool
    /// Whether it is the record's identity, or a part of it.
    var isKey = false

    /// Whether the key may be absent from JSON; the record's value then stays as it is (Rules.md, M1). A record without
    /// its identity is invalid (M4), whatever default a new one would have.
    var mayBeOmitted: Bool {
        guard case .attribute(let attribute, _) = content else { return true }
        return !isKey && (isOptional || attribute.defaultValue != nil)
    }

    static func fields(of entity: Entity, in scope: SwiftScope) -> [WireField] {
        let keys = Set(scope.keyAttributes(of: entity).map(\.name))
        let attributes = entity.attributes.compactMap { attribute -> WireField? in
            guard let wire = attribute.wire else { return nil }
            return WireField(
                content: .attribute(attribute, wire),
                property: attribute.swiftName,
                type: scope.typeName(attribute.type, isOptional: attribute.isOptional),
                isOptional: attribute.isOptional,
                isKey: keys.contains(attribute.name)
            )
        }
        return attributes + entity.relationships.compactMap { field(for: $0, in: scope) }
    }

    private static func field(for relationship: Relationship, in scope: SwiftScope) -> WireField? {
        let destination = scope.entity(relationship.destination)
        switch relationship.wire {
        case .none: return nil
        case .id(let paths, let embeddedPath):
            guard let property = relationship.identityProperty else { return nil }
            return WireField(
                content: .identity(relationship, paths: paths, embeddedPath: embeddedPath),
                property: property, type: scope.wireIdentityType(of: destination) + "?", isOptional: true
            )
        case .ids(let path, let embeddedPath):
            return WireField(
                content: .identities(relationship, path: path, embeddedPath: embeddedPath),
                property: relationship.identitiesProperty,
                type: "[\(scope.wireIdentityType(of: destination))]?", isOptional: true
            )
        case .embedded(let path, let idsPath):
            let name = destination.representationName
            return WireField(
                content: .embedded(relationship, path: path, idsPath: idsPath),
                property: relationship.swiftName,
                type: relationship.isToMany ? "[\(name)]?" : name + "?", isOptional: true
            )
        }
    }
}

extension AttributeType {
    /// The method of the runtime's readers and writers for values of this type: `string`, `optionalUUID`.
    func accessor(isOptional: Bool) -> String {
        switch self {
        case .scalar(let scalar): scalar.accessor(isOptional: isOptional)
        case .enumeration: isOptional ? "optionalEnumeration" : "enumeration"
        case .custom: isOptional ? "optionalCustom" : "custom"
        case .list: isOptional ? "optionalList" : "list"
        case .attachment: isOptional ? "optionalAttachment" : "attachment"
        }
    }

    /// The name of the type in those functions of the runtime that are not generic, which take less code to call:
    /// `String` for `didChangeString`. Empty for days and types of the schema, whose functions are generic.
    var observedName: String {
        guard case .scalar(let scalar) = self, scalar != .day else { return "" }
        return String(scalar.accessor(isOptional: true).dropFirst("optional".count))
    }

    /// The method of the runtime that compares two values of this type: `string`, `optionalUUID`, `value`.
    func comparison(isOptional: Bool) -> String {
        switch self {
        case .scalar(let scalar) where scalar != .day: scalar.accessor(isOptional: isOptional)
        case .list(.scalar(.date)): isOptional ? "optionalDates" : "dates"
        case .scalar, .enumeration, .custom, .list, .attachment: isOptional ? "optionalValue" : "value"
        }
    }
}

extension ScalarType {
    fileprivate func accessor(isOptional: Bool) -> String {
        guard isOptional else { return rawValue }
        return switch self {
        case .string: "optionalString"
        case .bool: "optionalBool"
        case .int: "optionalInt"
        case .int16: "optionalInt16"
        case .int32: "optionalInt32"
        case .int64: "optionalInt64"
        case .float: "optionalFloat"
        case .double: "optionalDouble"
        case .decimal: "optionalDecimal"
        case .date: "optionalDate"
        case .day: "optionalDay"
        case .uuid: "optionalUUID"
        case .url: "optionalURL"
        case .data: "optionalData"
        case .json: "optionalJSON"
        }
    }
}
