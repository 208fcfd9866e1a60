package import LockstepJSON

extension SchemaStructure {
    /// Reads a tree. The members of the result are sorted by name.
    ///
    /// - Throws: `StructureError` if something is missing, is of another type, or has an unknown key.
    package init(_ tree: SchemaTree) throws(StructureError) { try self.init(tree, order: nil) }

    /// - Parameter order: The order of the members; by name if it is `nil`.
    init(_ tree: SchemaTree, order: StructureOrder?) throws(StructureError) {
        self.init(name: tree.name)
        let (enums, entities) = (order?["enums"], order?["entities"])
        for name in enums?.keys ?? tree.enumerations.keys.sorted() {
            guard let properties = tree.enumerations[name] else { continue }
            let reader = PropertyReader(properties, path: [name])
            enumerations.append(try EnumerationStructure(name, reader: reader, order: enums?[name]))
        }
        for name in entities?.keys ?? tree.entities.keys.sorted() {
            guard let entity = tree.entities[name] else { continue }
            self.entities.append(try EntityStructure(name, tree: entity, order: entities?[name]))
        }
    }
}

extension SchemaTree {
    /// One entity; `nil` if there is none.
    func entity(_ name: String) throws(StructureError) -> EntityStructure? {
        guard let tree = entities[name] else { return nil }
        return try EntityStructure(name, tree: tree, order: nil)
    }

    /// One attribute; `nil` if the entity has none of this name.
    func attribute(_ entity: String, named name: String) throws(StructureError) -> AttributeStructure? {
        guard let properties = entities[entity]?.members[name], !properties.isRelationship else { return nil }
        var reader = PropertyReader(properties, path: [entity, name])
        return try AttributeStructure(name, reader: &reader)
    }

    /// One relationship; `nil` if the entity has none of this name.
    func relationship(_ entity: String, named name: String) throws(StructureError) -> RelationshipStructure? {
        guard let properties = entities[entity]?.members[name], properties.isRelationship else { return nil }
        var reader = PropertyReader(properties, path: [entity, name])
        return try RelationshipStructure(name, reader: &reader)
    }

    /// One enum; `nil` if there is none.
    func enumeration(_ name: String) throws(StructureError) -> EnumerationStructure? {
        guard let properties = enumerations[name] else { return nil }
        return try EnumerationStructure(name, reader: PropertyReader(properties, path: [name]), order: nil)
    }
}

/// Reads the properties of one name, and rejects those that it was not asked for.
struct PropertyReader {
    private var properties: JSONObject
    let path: [String]

    init(_ properties: JSONObject, path: [String]) {
        self.properties = properties
        self.path = path
    }

    func error(_ key: String, reason: String) -> StructureError { StructureError(path + [key], reason: reason) }

    /// Most attributes have a type and nothing else: what is asked for after it needs no look-up.
    mutating func value(_ key: String) -> JSONValue? {
        properties.isEmpty ? nil : properties.removeValue(forKey: key)
    }

    mutating func text(_ key: String) throws(StructureError) -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let text) = value else { throw error(key, reason: "it is not a text") }
        return text
    }

    mutating func requiredText(_ key: String) throws(StructureError) -> String {
        guard let text = try text(key) else { throw error(key, reason: "it is missing") }
        return text
    }

    mutating func flag(_ key: String) throws(StructureError) -> Bool? {
        guard let value = value(key) else { return nil }
        guard case .bool(let flag) = value else { throw error(key, reason: "it is neither true nor false") }
        return flag
    }

    mutating func integer(_ key: String) throws(StructureError) -> Int? {
        guard let value = value(key) else { return nil }
        guard case .integer(let number) = value, let integer = Int(exactly: number) else {
            throw error(key, reason: "it is not an integer")
        }
        return integer
    }

    /// Names in order: a text, or a list of texts.
    mutating func names(_ key: String) throws(StructureError) -> [String]? {
        guard let value = value(key) else { return nil }
        return try names(value, key: key)
    }

    func names(_ value: JSONValue, key: String) throws(StructureError) -> [String] {
        if case .string(let name) = value { return [name] }
        guard case .array(let elements) = value else { throw error(key, reason: "it is neither a text nor a list") }
        var names: [String] = []
        for element in elements {
            guard case .string(let name) = element else { throw error(key, reason: "its elements are not texts") }
            names.append(name)
        }
        return names
    }

    /// Lists of names.
    mutating func lists(_ key: String) throws(StructureError) -> [[String]] {
        guard let value = value(key) else { return [] }
        guard case .array(let elements) = value else { throw error(key, reason: "it is not a list") }
        var lists: [[String]] = []
        for element in elements { lists.append(try names(element, key: key)) }
        return lists
    }

    mutating func object(_ key: String) throws(StructureError) -> PropertyReader? {
        guard let value = value(key) else { return nil }
        guard case .object(let members) = value else { throw error(key, reason: "it is not a mapping") }
        return PropertyReader(members, path: path + [key])
    }

    var names: [String] { properties.keys.sorted() }

    func finish() throws(StructureError) {
        guard !properties.isEmpty, let key = names.first else { return }
        throw error(key, reason: "there is no such key")
    }
}

extension EnumerationStructure {
    fileprivate init(_ name: String, reader: PropertyReader, order: StructureOrder?) throws(StructureError) {
        var reader = reader
        let type = try reader.text("type")
        guard type == nil || type == "int" else { throw reader.error("type", reason: "it can only be int") }
        guard var raw = try reader.object("cases") else { throw reader.error("cases", reason: "it is missing") }
        var cases: [Case] = []
        for name in order?["cases"].keys ?? raw.names {
            switch raw.value(name) {
            case .string(let text)? where type == nil: cases.append(Case(name: name, rawValue: .string(text)))
            case .integer(let number)? where type != nil: cases.append(Case(name: name, rawValue: .int(number)))
            default: throw raw.error(name, reason: "its raw value is of another type than the enum")
            }
        }
        self.init(name: name, isClosed: try reader.flag("closed") ?? false, isInteger: type != nil, cases: cases)
        try reader.finish()
    }
}

extension EntityStructure {
    fileprivate init(_ name: String, tree: EntityTree, order: StructureOrder?) throws(StructureError) {
        var reader = PropertyReader(tree.properties, path: [name])
        self.init(
            name: name, table: try reader.requiredText("table"), identity: try Self.identity(&reader),
            version: try reader.text("version"), attributes: [])
        together = try reader.lists("together")
        if var indexes = try reader.object("indexes") { self.indexes = try Self.indexes(&indexes, order: order) }
        if var remote = try reader.object("remote") {
            self.remote = try RemoteStructure(&remote)
            try remote.finish()
        }
        scope = try RecordScope(&reader)
        readers = try AccessRule(&reader, key: "read")
        writers = try AccessRule(&reader, key: "write")
        try reader.finish()
        let names = order.map { $0["attributes"].keys + $0["relationships"].keys }
        for member in names ?? tree.members.keys.sorted() {
            guard let properties = tree.members[member] else { continue }
            var reader = PropertyReader(properties, path: [name, member])
            if properties.isRelationship {
                relationships.append(try RelationshipStructure(member, reader: &reader))
            } else {
                attributes.append(try AttributeStructure(member, reader: &reader))
            }
            try reader.finish()
        }
    }

    private static func identity(_ reader: inout PropertyReader) throws(StructureError) -> IdentityStructure {
        guard let value = reader.value("identity") else { return .none }
        guard case .object(let members) = value else { return .attributes(try reader.names(value, key: "identity")) }
        var identity = PropertyReader(members, path: reader.path + ["identity"])
        let result = IdentityStructure.local(
            try identity.requiredText("local"), remote: try identity.requiredText("remote"))
        try identity.finish()
        return result
    }

    private static func indexes(
        _ reader: inout PropertyReader, order: StructureOrder?
    ) throws(StructureError) -> [IndexStructure] {
        var indexes: [IndexStructure] = []
        for name in order?["indexes"].keys ?? reader.names {
            guard var index = try reader.object(name) else { continue }
            indexes.append(
                IndexStructure(
                    name: name, columns: try index.names("on") ?? [], isUnique: try index.flag("unique") ?? false))
            try index.finish()
        }
        return indexes
    }
}

extension RemoteStructure {
    fileprivate init(_ reader: inout PropertyReader) throws(StructureError) {
        var writes = Set(Write.allCases)
        if let names = try reader.names("write") {
            writes = []
            for name in names {
                guard let write = Write(rawValue: name) else {
                    throw reader.error("write", reason: "'\(name)' is unknown")
                }
                writes.insert(write)
            }
        }
        self.init(path: try reader.requiredText("path"), writes: writes, wrapKey: try reader.text("wrap"))
    }
}

extension AttributeStructure {
    fileprivate init(_ name: String, reader: inout PropertyReader) throws(StructureError) {
        var type = try reader.requiredText("type")
        // By bytes, because this is done for each attribute when a schema is first used.
        let isOptional = type.utf8.last == UInt8(ascii: "?")
        if isOptional { type = String(Substring(type.utf8.dropLast())) }
        let valueType = ValueType(text: type)
        self.init(
            name: name, column: try reader.text("column") ?? name, type: valueType, isOptional: isOptional,
            isUnique: try reader.flag("unique") ?? false)
        if let value = reader.value("default") {
            defaultValue = DefaultValue(json: value, as: valueType)
            if defaultValue == nil { throw reader.error("default", reason: "it is not a value of type \(type)") }
        }
        limits = AttributeLimits(
            minimum: try reader.text("min"), maximum: try reader.text("max"),
            minimumLength: try reader.integer("minLength"), maximumLength: try reader.integer("maxLength"))
        guard try reader.flag("sent") ?? true else { return }
        var wire = WireStructure(path: try reader.names("key") ?? [name], format: try reader.text("wire"))
        wire.formerPaths = try reader.lists("formerKeys")
        wire.isReadOnly = try reader.flag("readOnly") ?? false
        self.wire = wire
    }
}

extension ValueType {
    /// Reads a type as it is written in a schema, without `?`. Lists are not nested.
    init(text: String) {
        if text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]") {
            self = .list(ValueType(element: String(text.dropFirst().dropLast())))
        } else {
            self.init(element: text)
        }
    }

    private init(element text: String) {
        if let scalar = ScalarType(rawValue: text) {
            self = .scalar(scalar)
        } else {
            self = text == "attachment" ? .attachment : .enumeration(text)
        }
    }
}

extension DefaultValue {
    package init?(json: JSONValue, as type: ValueType) {
        switch (type, json) {
        case (.list(let element), .array(let values)):
            let elements = values.compactMap { DefaultValue(json: $0, as: element) }
            guard elements.count == values.count else { return nil }
            self = .list(elements)
        case (.enumeration, .string(let name)): self = .enumerationCase(name)
        case (.scalar(let scalar), let value):
            guard let scalar = Self.scalar(value, as: scalar) else { return nil }
            self = scalar
        default: return nil
        }
    }

    private static func scalar(_ json: JSONValue, as type: ScalarType) -> DefaultValue? {
        switch (type, json) {
        case (.bool, .bool(let flag)): .bool(flag)
        case (.int, .integer(let number)), (.int16, .integer(let number)), (.int32, .integer(let number)),
            (.int64, .integer(let number)):
            .integer(number)
        case (.string, .string(let text)): .string(text)
        case (.day, .string(let text)): .day(text)
        case (.url, .string(let text)): .url(text)
        case (.json, .string(let text)): .json(text)
        case (.decimal, .string(let digits)): .decimal(digits)
        case (.decimal, .integer(let number)): .decimal(String(number))
        case (.data, .string(let text)): Base64.bytes(text).map(DefaultValue.data)
        case (.uuid, .string("new")): .newUUID
        case (.uuid, .string(let text)): .uuid(text)
        case (.date, .string("now")): .now
        case (.date, .string(let text)): Double(text).map(DefaultValue.date)
        case (.date, .integer(let number)): .date(Double(number))
        case (.float, .string(let text)), (.double, .string(let text)): Double(text).map(DefaultValue.double)
        case (.float, .integer(let number)), (.double, .integer(let number)): .double(Double(number))
        default: nil
        }
    }
}

extension RelationshipStructure {
    fileprivate init(_ name: String, reader: inout PropertyReader) throws(StructureError) {
        var destination = try reader.requiredText("to")
        let isToMany = destination.hasPrefix("[") && destination.hasSuffix("]")
        if isToMany { destination = String(destination.dropFirst().dropLast()) }
        let isOptional = isToMany || destination.hasSuffix("?")
        if isOptional && !isToMany { destination.removeLast() }
        let rule = try reader.text("onDelete")
        guard let onDelete = DeleteRule(rawValue: rule ?? "nullify") else {
            throw reader.error("onDelete", reason: "'\(rule ?? "")' is unknown")
        }
        self.init(
            name: name, destination: destination, isToMany: isToMany, isOptional: isOptional,
            isOrdered: try reader.flag("ordered") ?? false, inverse: try reader.text("inverse"), onDelete: onDelete,
            storage: try Self.storage(&reader))
        if var wire = try reader.object("wire") {
            self.wire = try RelationshipWire(&wire)
            try wire.finish()
        }
    }

    private static func storage(_ reader: inout PropertyReader) throws(StructureError) -> Storage {
        let columns = try reader.names("columns")
        let position = try reader.text("position")
        switch reader.value("join") {
        case .string(let name)?: return .inverseJoinTable(name)
        case .object(let members)?:
            var join = PropertyReader(members, path: reader.path + ["join"])
            let table = JoinTableStructure(
                name: try join.requiredText("table"), leftColumns: try join.names("columns") ?? [],
                rightColumns: try join.names("inverseColumns") ?? [], leftPosition: try join.text("position"),
                rightPosition: try join.text("inversePosition"), isSymmetric: try join.flag("symmetric") ?? false)
            try join.finish()
            return .joinTable(table)
        case nil: return columns.map { .foreignKey(columns: $0, position: position) } ?? .inverseForeignKey
        default: throw reader.error("join", reason: "it is neither a name nor a mapping")
        }
    }
}

extension RelationshipWire {
    fileprivate init(_ reader: inout PropertyReader) throws(StructureError) {
        if let path = try reader.names("ids") {
            self = .ids(path: path, embeddedPath: try reader.names("objects") ?? [])
        } else if let path = try reader.names("embedded") {
            self = .embedded(path: path, idsPath: try reader.names("identities") ?? [])
        } else if case .array(let keys)? = reader.value("id") {
            var paths: [[String]] = []
            for key in keys { paths.append(try reader.names(key, key: "id")) }
            self = .id(paths: paths, embeddedPath: try reader.names("object") ?? [])
        } else {
            throw reader.error("wire", reason: "it has none of id, ids and embedded")
        }
    }
}
