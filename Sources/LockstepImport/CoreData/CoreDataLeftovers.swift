/// Reports the elements and attributes that nothing has read.
struct CoreDataLeftovers {
    private let notes: CoreDataNotes

    init(_ notes: CoreDataNotes) { self.notes = notes }

    func report(_ model: CoreDataModel) {
        // By the names of elements, the names of attributes.
        var ignored: [String: Set<String>] = [:]
        var open: [(node: XMLNode, owner: String)] = [(model.root, "the model")]
        while let (node, owner) = open.popLast() {
            for (attribute, value) in node.unread {
                if Self.isDefault(value) || Self.ignored[node.name]?.contains(attribute) ?? false {
                    ignored[node.name, default: []].insert(attribute)
                } else {
                    notes.left(node.line, text: "\(owner): <\(node.name)> \(attribute)=\"\(value)\"")
                }
            }
            for child in node.children.reversed() where !child.isSkipped {
                if child.name == "elements" {
                    ignored["elements", default: []].insert("")
                    continue
                }
                let isKnown = Self.elements[node.name]?.contains(child.name) ?? false
                guard isKnown else {
                    notes.left(child, text: "\(owner): <\(child.name)>, which is not known")
                    continue
                }
                if child.name == "fetchedProperty" {
                    reportFetched(child, of: owner)
                    continue
                }
                let name = child.unnoted("name")
                let isOwned = ["attribute", "relationship"].contains(child.name)
                open.append((child, name.map { isOwned ? "\(owner).\($0)" : $0 } ?? owner))
            }
        }
        if !ignored.isEmpty {
            let names = ignored.flatMap { element, attributes in
                attributes.map { $0.isEmpty ? element : "\(element) \($0)" }
            }
            notes.ignored("Layout, versions and code generation of Xcode: \(names.sorted().joined(separator: ", "))")
        }
    }

    private func reportFetched(_ node: XMLNode, of owner: String) {
        let request = node.all("fetchRequest").first
        let name = request?["name"].map { $0 == "fetchedPropertyFetchRequest" ? "" : " (\($0))" } ?? ""
        let predicate = name + (request?["predicateString"].map { ": \($0)" } ?? "")
        notes.left(
            node,
            text: "\(owner).\(node["name"] ?? "?"), a fetched property of \(request?["entity"] ?? "?")\(predicate)",
            help: "Write it in Swift, as a query.")
    }

    private static let elements: [String: Set<String>] = [
        "model": ["entity", "enumeration", "fetchRequest", "configuration", "elements"], "enumeration": ["case"],
        "entity": [
            "attribute", "relationship", "userInfo", "uniquenessConstraints", "fetchIndex", "compoundIndexes",
            "fetchedProperty",
        ],
        "attribute": ["userInfo"], "relationship": ["userInfo"],
        "userInfo": ["entry"], "uniquenessConstraints": ["uniquenessConstraint"],
        "uniquenessConstraint": ["constraint"], "fetchIndex": ["fetchIndexElement"],
        "compoundIndexes": ["compoundIndex"], "compoundIndex": ["index"], "configuration": ["memberEntity"],
    ]

    /// The attributes that only Xcode and Core Data need.
    private static let ignored: [String: Set<String>] = [
        "model": [
            "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
            "sourceLanguage", "macOSVersion", "iOSVersion", "name", "userDefinedModelVersionIdentifier",
        ],
        "entity": ["syncable", "codeGenerationType", "versionHashModifier"],
        "attribute": ["syncable", "versionHashModifier", "usesScalarValueType"],
        "relationship": ["syncable", "versionHashModifier", "indexed", "inverseEntity", "optional", "ordered"],
        "fetchIndex": ["name"],
    ]

    /// Whether an attribute says what is so without it.
    private static func isDefault(_ value: String) -> Bool {
        value.isEmpty || value == "NO" || value.uppercased() == "NO"
    }
}
