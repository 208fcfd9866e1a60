import LockstepEvolution
import TestSupport

/// Names that are used again soon: what was removed comes back as something else.
enum RandomNames {
    private static let types = [
        "Entry", "Note", "Tag", "Person", "Order", "Old", "Group", "Page", "Übung", "Mood", "State", "Kind",
    ]
    private static let members = [
        "title", "text", "body", "rank", "price", "stock", "pinned", "order", "from", "old", "größe", "values", "Title",
        "state", "check", "rowid", "index", "v", "value", "row",
    ]
    private static let links = [
        "owner", "parent", "items", "group", "tags", "first", "old", "children", "notes", "table",
    ]
    private static let tableEndings = ["", "s", "_table", " of \"quotes\" and 'spaces'"]

    static func type(in structure: SchemaStructure, _ random: inout SeededRandom) -> String {
        let taken = structure.entities.map(\.name) + structure.enumerations.map(\.name)
        return free(random.element(of: types), in: Set(taken.map { $0.lowercased() }))
    }

    static func attribute(of entity: EntityStructure, _ random: inout SeededRandom) -> String {
        free(random.element(of: members), in: entity.memberNames)
    }

    static func relationship(of entity: EntityStructure, _ random: inout SeededRandom) -> String {
        free(random.element(of: links), in: entity.memberNames)
    }

    /// A column for a name: the same, or spelled in another way.
    static func column(_ name: String, in entity: EntityStructure, _ random: inout SeededRandom) -> String {
        let column =
            switch random.number(1...10) {
            case 1...5: name
            case 6: name.uppercased()
            case 7: "\(name) with \"quotes\" and 'spaces'"
            default: "\(name)_value"
            }
        return free(column, in: entity.columnNames)
    }

    static func table(_ name: String, in structure: SchemaStructure, _ random: inout SeededRandom) -> String {
        free(name.lowercased() + random.element(of: tableEndings), in: structure.tableNames)
    }

    /// The name, or the name with a number if it is taken in any case.
    static func free(_ name: String, in taken: Set<String>) -> String {
        var candidate = name
        var number = 2
        while taken.contains(candidate.lowercased()) {
            candidate = "\(name)\(number)"
            number += 1
        }
        return candidate
    }
}

extension EntityStructure {
    /// All names of members, in lower case.
    var memberNames: Set<String> { Set((attributes.map(\.name) + relationships.map(\.name)).map { $0.lowercased() }) }

    /// All names of columns, in lower case.
    var columnNames: Set<String> {
        let links = relationships.flatMap { $0.foreignKeyColumns + [$0.positionColumn].compactMap(\.self) }
        return Set((attributes.map(\.column) + links + [Self.surrogateKey]).map { $0.lowercased() })
    }

    /// The attributes that must stay: those of the identity and the version.
    var fixedAttributes: Set<String> {
        var names = Set(identity.keyAttributes)
        if case .local(_, let remote) = identity { names.insert(remote) }
        if let version { names.insert(version) }
        return names
    }
}

extension SchemaStructure {
    /// All names of tables, in lower case.
    var tableNames: Set<String> {
        Set((entities.map(\.table) + SchemaLookup(self).joinTables.map(\.name)).map { $0.lowercased() })
    }

    /// An entity that exists.
    subscript(entity name: String) -> EntityStructure {
        get { entities[entityIndex(name)] }
        set { entities[entityIndex(name)] = newValue }
    }

    /// An enum that exists.
    subscript(enumeration name: String) -> EnumerationStructure {
        get { enumerations[enumerationIndex(name)] }
        set { enumerations[enumerationIndex(name)] = newValue }
    }

    private func entityIndex(_ name: String) -> Int {
        guard let index = entities.firstIndex(where: { $0.name == name }) else {
            preconditionFailure("no entity \(name)")
        }
        return index
    }

    private func enumerationIndex(_ name: String) -> Int {
        guard let index = enumerations.firstIndex(where: { $0.name == name }) else {
            preconditionFailure("no enum \(name)")
        }
        return index
    }

    /// The attributes with values of an enum.
    func users(ofEnumeration name: String) -> [MemberPath] {
        entities.flatMap { entity in
            entity.attributes.filter { $0.type.enumerationName == name }.map {
                MemberPath(entity.name, member: $0.name)
            }
        }
    }

    /// Names indexes after their columns, as the tool does, and removes those whose columns are gone.
    mutating func nameIndexes() {
        var taken = tableNames
        for index in entities.indices {
            let entity = entities[index]
            let columns = entity.columnNames
            entities[index].indexes = entity.indexes.compactMap { old in
                guard old.columns.allSatisfy({ columns.contains($0.lowercased()) }) else { return nil }
                var new = old
                let name = ([entity.table] + old.columns).joined(separator: "_")
                new.name = taken.contains(name.lowercased()) ? RandomNames.free(name + "_index", in: taken) : name
                taken.insert(new.name.lowercased())
                return new
            }
        }
    }
}

extension EntityStructure {
    /// An attribute that exists.
    subscript(attribute name: String) -> AttributeStructure {
        get { attributes[attributeIndex(name)] }
        set { attributes[attributeIndex(name)] = newValue }
    }

    /// A relationship that exists.
    subscript(relationship name: String) -> RelationshipStructure {
        get { relationships[relationshipIndex(name)] }
        set { relationships[relationshipIndex(name)] = newValue }
    }

    private func attributeIndex(_ name: String) -> Int {
        guard let index = attributes.firstIndex(where: { $0.name == name }) else {
            preconditionFailure("no attribute \(name)")
        }
        return index
    }

    private func relationshipIndex(_ name: String) -> Int {
        guard let index = relationships.firstIndex(where: { $0.name == name }) else {
            preconditionFailure("no relationship \(name)")
        }
        return index
    }
}
