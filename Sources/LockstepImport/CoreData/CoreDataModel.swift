/// A Core Data model as its file has it, or as SwiftData makes it of classes.
struct CoreDataModel {
    let path: String
    let root: XMLNode
    let entities: [CoreDataEntity]
    /// What its reader has to report.
    let findings: [ImportNote]
    /// The place of a line, if it is of several files.
    let location: ((Int) -> String)?

    /// - Throws: ``ImportFailure`` if it is not a model, or has two entities of one name.
    init(
        _ root: XMLNode, path: String, findings: [ImportNote] = [], location: ((Int) -> String)? = nil
    ) throws(ImportFailure) {
        guard root.name == "model" else {
            throw ImportFailure(
                path, line: root.line, reason: "It begins with <\(root.name)>; a Core Data model begins with <model>.")
        }
        (self.root, self.path, self.findings, self.location) = (root, path, findings, location)
        var entities: [CoreDataEntity] = []
        var lines: [String: Int] = [:]
        for node in root.all("entity") {
            guard let name = node["name"], !name.isEmpty else {
                throw ImportFailure(
                    path, line: node.line, reason: "An entity has no name. Open the model in Xcode, and save it.")
            }
            if let first = lines.updateValue(node.line, forKey: name) {
                throw ImportFailure(
                    path, line: node.line,
                    reason: "There are two entities '\(name)', the first in line \(first). Rename one.")
            }
            entities.append(CoreDataEntity(node, name: name))
        }
        self.entities = entities
    }
}

/// An entity of a Core Data model.
final class CoreDataEntity {
    let node: XMLNode
    let name: String
    let isAbstract: Bool
    let parentName: String?
    let userInfo: CoreDataUserInfo
    let attributes: [CoreDataProperty]
    let relationships: [CoreDataProperty]
    /// Resolved by ``CoreDataHierarchy``.
    weak var parent: CoreDataEntity?
    var children: [CoreDataEntity] = []

    init(_ node: XMLNode, name: String) {
        self.node = node
        self.name = name
        isAbstract = node.isYes("isAbstract")
        parentName = node["parentEntity"]
        userInfo = CoreDataUserInfo(node)
        attributes = node.all("attribute").compactMap(CoreDataProperty.init)
        relationships = node.all("relationship").compactMap(CoreDataProperty.init)
    }

    /// Its own attributes and those of its ancestors, the ancestors' first.
    private(set) lazy var allAttributes: [CoreDataProperty] = (parent?.allAttributes ?? []) + attributes

    /// It and its descendants that have records.
    private(set) lazy var concrete: [CoreDataEntity] = (isAbstract ? [] : [self]) + children.flatMap(\.concrete)
}

/// An attribute or a relationship of an entity.
final class CoreDataProperty {
    let node: XMLNode
    let name: String
    let userInfo: CoreDataUserInfo

    init?(_ node: XMLNode) {
        guard let name = node["name"], !name.isEmpty else { return nil }
        self.node = node
        self.name = name
        userInfo = CoreDataUserInfo(node)
    }
}

/// The user info of an element, which other libraries have written. Reading an entry notes that it was read.
final class CoreDataUserInfo {
    struct Entry {
        let key: String
        let value: String
        let line: Int
    }

    private(set) var entries: [Entry] = []
    private(set) var unread: Set<String> = []

    init(_ node: XMLNode) {
        for entry in node.all("userInfo").flatMap({ $0.all("entry") }) {
            guard let key = entry["key"] else { continue }
            entries.append(Entry(key: key, value: entry["value"] ?? "", line: entry.line))
            unread.insert(key)
        }
    }

    /// The value of the first of these keys that is there. All of them count as read.
    func value(_ keys: String...) -> String? {
        if entries.isEmpty { return nil }
        unread.subtract(keys)
        return keys.lazy.compactMap { key in self.entries.first { $0.key == key }?.value }.first
    }

    /// Whether a value is there and does not say no.
    func isSet(_ keys: String...) -> Bool {
        if entries.isEmpty { return false }
        unread.subtract(keys)
        return entries.contains { keys.contains($0.key) && !["no", "false", "0"].contains($0.value.lowercased()) }
    }
}
