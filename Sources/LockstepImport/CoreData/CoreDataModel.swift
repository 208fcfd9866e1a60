import LockstepEvolution
import LockstepJSON

/// A Core Data model as its file has it, or as SwiftData makes it of classes. Its reader knows the words of the source,
/// and reports what has no place here.
struct CoreDataModel {
    let path: String
    /// None of them have the same name.
    var entities: [CoreDataEntity] = []
    /// Only SwiftData and Realm have enums. The names are the paths of their types.
    var enums: [EnumSketch] = []
    /// Whether it was made for a library that sends and receives snake_case by default.
    var isOfSync = false
    /// Whether it was made for a library that maps only what has a key path.
    var isOfGroot = false
    /// What its reader has to report.
    var findings: [ImportNote] = []
    /// The place of a line, for the report.
    let location: (Int) -> String
}

/// An entity of a Core Data model. It is a class because its relatives refer to each other.
final class CoreDataEntity {
    let name: String
    let line: Int
    var isAbstract = false
    var parentName: String?
    /// The name of its class; `nil` for its own name.
    var className: String?
    /// Its name in an earlier version.
    var formerName: String?
    /// The attributes that identify its records, by its user info.
    var identityNames: [String] = []
    var attributes: [CoreDataAttribute] = []
    var relationships: [CoreDataRelationship] = []
    var constraints: [CoreDataIndex] = []
    var indexes: [CoreDataIndex] = []
    /// Resolved by ``CoreDataHierarchy``.
    weak var parent: CoreDataEntity?
    var children: [CoreDataEntity] = []

    init(name: String, line: Int) { (self.name, self.line) = (name, line) }

    /// Its own attributes and those of its ancestors, the ancestors' first.
    private(set) lazy var allAttributes: [CoreDataAttribute] = (parent?.allAttributes ?? []) + attributes

    /// Of several with one name, those of the nearest ancestor and the last.
    private(set) lazy var allAttributesByName = Dictionary(allAttributes.map { ($0.name, $0) }) { _, last in last }
    private(set) lazy var attributesByName = Dictionary(attributes.map { ($0.name, $0) }) { first, _ in first }
    private(set) lazy var relationshipsByName = Dictionary(relationships.map { ($0.name, $0) }) { first, _ in first }

    /// It and its descendants that have records.
    private(set) lazy var concrete: [CoreDataEntity] = (isAbstract ? [] : [self]) + children.flatMap(\.concrete)
}

/// An attribute or a relationship of an entity.
protocol CoreDataProperty {
    /// The name of the entity.
    var owner: String { get }
    var name: String { get }
    var line: Int { get }
    var isTransient: Bool { get }
    /// Its name in an earlier version.
    var formerName: String? { get }
    /// The keys in JSON, from the outermost; empty if the model has none.
    var key: [String] { get }
}

extension CoreDataProperty {
    /// What notes about it begin with.
    var subject: String { "\(owner).\(name)" }
}

struct CoreDataAttribute: CoreDataProperty {
    let owner: String
    let name: String
    let line: Int
    var type = CoreDataType.undefined
    var isOptional = false
    var isTransient = false
    var isIndexed = false
    /// Whether large values are in files of their own.
    var isExternal = false
    /// Whether its property has a type of Swift that cannot be `nil`, although it is optional.
    var isScalar = false
    var defaultValue: JSONValue?
    var minimum: JSONValue?
    var maximum: JSONValue?
    var minimumLength: Int64?
    var maximumLength: Int64?
    var formerName: String?
    var key: [String] = []
    var formerKeys: [String] = []
    /// The pattern of a date in JSON.
    var dateFormat: String?
    /// Whether it identifies the records, by its user info.
    var isIdentity = false
    /// Whether it is received and not sent.
    var isReadOnly = false

    /// Whether it can identify records.
    var isSuitable: Bool {
        guard case .scalar(let scalar) = type else { return false }
        return !isTransient && scalar != .binary
    }
}

struct CoreDataRelationship: CoreDataProperty {
    let owner: String
    let name: String
    let line: Int
    var destination = ""
    var inverse: String?
    var isToMany = false
    /// Only of one that is to-one.
    var isOptional = false
    /// Only of one that is to-many.
    var isOrdered = false
    var isTransient = false
    var onDelete: DeleteRule?
    var formerName: String?
    var key: [String] = []
}

/// A uniqueness constraint or an index, by the names of its members.
struct CoreDataIndex {
    let line: Int
    let members: [String]
}
