import Foundation
import LockstepJSON
import LockstepSchema

/// The state that all steps of an import share.
final class OpenAPIContext {
    let document: OpenAPIDocument
    let notes: ImportNotes
    let properties: OpenAPIProperties
    let identity: OpenAPIIdentity
    let paths: OpenAPIPaths
    let roles: OpenAPIRoles
    private(set) lazy var bases = OpenAPIBases(self)
    /// Whether most JSON keys of several words are in snake_case.
    let isSnakeCase: Bool
    /// The names of entities and enums by those of schemas.
    private(set) var typeNames: [String: String] = [:]
    private var types: UniqueTypeNames
    private(set) var enums: [EnumSketch] = []
    private var enumNames: [ObjectIdentifier: String] = [:]
    /// The objects in lists that are no entities by themselves, and have not been added yet.
    private var embedded: [(name: String, node: OpenAPINode)] = []
    private var embeddedNames: [ObjectIdentifier: String] = [:]
    /// The members that only the server sets.
    var readOnly: [String] = []
    /// The members that may be the identity of another record, but for which no entity is found.
    var unlinked: [String] = []
    /// The schemas that members of entities have been made of.
    var used: Set<String> = []

    init(_ document: OpenAPIDocument, notes: ImportNotes, schema: String) {
        (self.document, self.notes) = (document, notes)
        properties = OpenAPIProperties(document)
        identity = OpenAPIIdentity(document, properties: properties)
        paths = OpenAPIPaths(document, properties: properties, notes: notes)
        paths.read()
        roles = OpenAPIRoles(document, properties: properties, paths: paths)
        types = UniqueTypeNames(schema: schema)
        var (snake, camel) = (0, 0)
        for (name, node) in document.schemas {
            switch roles.role(of: name) {
            case .entity, .base, .value:
                for property in properties.all(of: node) {
                    let key = property.key.drop { $0 == "_" }
                    if key.contains("_"), key.lowercased() == key { snake += 1 }
                    if !key.contains("_"), key.dropFirst().contains(where: \.isUppercase) { camel += 1 }
                }
            default: break
            }
        }
        isSnakeCase = snake > camel
        for (name, _) in document.schemas {
            switch roles.role(of: name) {
            case .entity, .base, .enumeration: typeNames[name] = types.unique(name)
            default: break
            }
        }
    }

    /// Reports the names in `required` that are no properties.
    func reportMissing(of node: OpenAPINode, subject: String) {
        let names = properties.missing(of: node)
        if names.isEmpty { return }
        notes.left(
            node.peek("required")?.line ?? node.line,
            text: "\(subject): `required` also lists \(names.joined(separator: ", ")), which are not properties")
    }

    /// Whether the server makes the identity of a new record: it is read-only, or not sent with a new record.
    func isMadeByServer(_ property: OpenAPIProperty, remote: OpenAPIPaths.Remote?) -> Bool {
        let isReadOnly = OpenAPIValue(property.node, in: document)["readOnly"]?.bool == true
        guard paths.hasPaths else { return isReadOnly }
        guard let remote, remote.writes.contains("create") else { return false }
        if isReadOnly { return true }
        guard let created = remote.created else { return false }
        let sent = properties.all(of: created)
        return !sent.isEmpty && !sent.contains { $0.key == property.key }
    }

    // MARK: Names

    /// The entity of the objects in a list.
    func embedded(_ node: OpenAPINode, named name: String) -> (name: String, isNew: Bool) {
        if let known = embeddedNames[ObjectIdentifier(node)] { return (known, false) }
        let unique = types.unique(name)
        embeddedNames[ObjectIdentifier(node)] = unique
        embedded.append((unique, node))
        return (unique, true)
    }

    /// The next object of a list that becomes an entity.
    func nextEmbedded() -> (name: String, node: OpenAPINode)? { embedded.popLast() }

    /// The name of the member for a JSON key.
    func memberName(_ key: String) -> String {
        UsableName.member(isSnakeCase ? UsableName.camelCase(key) : key, types: types.all)
    }

    /// The JSON keys that members have if none is given.
    var keys: DerivedNames { DerivedNames(isSnakeCase: isSnakeCase) }

    // MARK: Enums

    /// The largest enum: more values are data.
    private static let caseLimit = 1_000

    /// The enum of a schema with fixed values, which is added.
    func enumeration(_ fixed: OpenAPIEnumeration, of value: OpenAPIValue, named name: String) -> String? {
        let key = ObjectIdentifier(value.node)
        if let known = enumNames[key] { return known }
        guard fixed.isInteger != nil, fixed.values.count <= Self.caseLimit else { return nil }
        let unique = value.name.flatMap { typeNames[$0] } ?? types.unique(name)
        var sketch = EnumSketch(name: unique, values: fixed.values, names: fixed.names)
        sketch.doc = value.node["description"]?.text.flatMap(Self.documentation)
        sketch.line = value.node.line
        enums.append(sketch)
        enumNames[key] = unique
        return unique
    }

    /// A description as one text; `nil` if it is empty.
    static func documentation(_ text: String) -> String? {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
    }
}
