import LockstepEvolution

/// An entity of a server: a table whose records are in a scope.
struct ServerEntity {
    let structure: EntityStructure
    let scope: RecordScope
    let key: [KeyPart]
    private let schema: SchemaStructure

    /// An attribute of the key, with its type in SQL.
    struct KeyPart {
        let column: String
        let type: KeyType
    }

    init?(_ structure: EntityStructure, in schema: SchemaStructure) {
        guard let scope = structure.scope, structure.remote != nil else { return nil }
        self.structure = structure
        self.scope = scope
        self.schema = schema
        key = structure.identity.keyAttributes.compactMap { name in
            structure.attribute(name).map { KeyPart(column: $0.column, type: KeyType($0.type, in: schema)) }
        }
    }

    var name: String { structure.name }
    var table: String { structure.table }

    /// A name for what the server has for its table: `lockstep_task_note`. No table has such a suffix of its own, so
    /// two of them differ.
    func object(_ suffix: String) -> String { "lockstep_\(table)_\(suffix)" }

    /// The entity that a relationship leads to.
    func destination(of relationship: RelationshipStructure) -> ServerEntity? {
        schema.entity(relationship.destination).flatMap { ServerEntity($0, in: schema) }
    }

    /// The relationship that decides the scope, with its destination.
    var scopeLink: (relationship: RelationshipStructure, destination: ServerEntity)? {
        guard case .relationship(let name) = scope, let relationship = structure.relationship(name) else { return nil }
        return destination(of: relationship).map { (relationship, $0) }
    }

    /// Whether the users whom the entity names as writers are asked in addition to those of the scope, or if there are
    /// none of those. The writers of a scope of its own are those of the scope.
    var checksWriters: Bool {
        if scopeEnd.scope == .everyone { return true }
        switch scope {
        case .own, .everyone: return false
        case .attribute(let name): return structure.writers != .users([AccessPath(attribute: name)])
        case .relationship: return structure.writers != nil
        }
    }

    /// The entity at the end of the scope's path.
    var scopeEnd: ServerEntity { scopeLink?.destination.scopeEnd ?? self }
}

/// The type of a part of a key, or of an attribute that holds a user.
enum KeyType: String, CaseIterable {
    case text, uuid, bigint

    init(_ type: ValueType, in schema: SchemaStructure) {
        switch type {
        case .scalar(.uuid): self = .uuid
        case .scalar(.int), .scalar(.int16), .scalar(.int32), .scalar(.int64): self = .bigint
        case .enumeration(let name): self = schema.enumeration(name)?.isInteger == true ? .bigint : .text
        default: self = .text
        }
    }

    /// What a text is that can be a value of this type; `nil` if any can be one. Numbers end at 9.2 × 10¹⁸.
    var pattern: Code? {
        switch self {
        case .text: nil
        case .uuid: "'^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'"
        case .bigint: "'^(0|-?([1-9][0-9]{0,17}|[1-8][0-9]{18}|9[01][0-9]{17}))$'"
        }
    }

    /// A value as a JSON value, from its text.
    func json(_ text: Code) -> Code { self == .bigint ? "to_json(\(text)::bigint)" : "to_json(\(text))" }

    /// A value of this type, from text.
    func value(_ text: Code) -> Code { self == .text ? text : "\(text)::\(rawValue)" }
}

// MARK: Keys as text

extension ServerEntity {
    /// The key of a row as text: `r."id"::text`, or a JSON array if it has several parts.
    func keyText(_ row: Code) -> Code {
        Self.keyText(key.map { "\(row).\(name: $0.column)" })
    }

    /// The text of a key that has these parts.
    static func keyText(_ parts: [Code]) -> Code {
        let list = Code.joined(parts, separator: ", ")
        return parts.count == 1 ? "\(list)::text" : "jsonb_build_array(\(list))::text"
    }

    /// The parts of a key that is given as text.
    func keyParts(ofText text: Code) -> [Code] {
        guard key.count > 1 else { return [key[0].type.value(text)] }
        return key.enumerated().map { index, part in part.type.value("(\(text)::jsonb ->> \(index))") }
    }

    /// The columns of the key, with commas.
    func keyColumns(_ row: Code) -> Code { Code.joined(key.map { "\(row).\(name: $0.column)" }, separator: ", ") }

    /// The condition that a row has a key, which is given as text. It can use the index of the key.
    func hasKey(_ row: Code, equalTo text: Code) -> Code {
        .all(zip(key, keyParts(ofText: text)).map { "\(row).\(name: $0.column) = \($1)" })
    }

    /// The condition that a row has a key, which is given as text, and is one of a list. The list is what an index is
    /// asked for: under row-level security, an index compares no expression with columns of another table.
    func hasKey(_ row: Code, equalTo text: Code, among keys: Code) -> Code {
        .all(
            zip(key, keyParts(ofText: text)).map { part, value in
                Self.isEqual("\(row).\(name: part.column)", to: value, of: "unnest(\(keys)) AS m(id)")
            })
    }

    /// The condition that a column has a value, which is one of those that a query has for all rows.
    static func isEqual(_ column: Code, to value: Code, of rows: Code) -> Code {
        "\(column) = \(value) AND \(column) = ANY (ARRAY(SELECT \(value) FROM \(rows)))"
    }

    /// A subquery for the row with a key, which is given as text. `OFFSET 0` makes it one that is executed for each
    /// key. Otherwise, a plan that was made when the table was empty could read all of it.
    func lookup(_ row: Code, key text: Code) -> Code {
        let condition = hasKey(row, equalTo: text)
        return "LATERAL (SELECT \(row).* FROM \(name: table) \(row) WHERE \(condition) OFFSET 0) \(row)"
    }

    /// The condition that two rows of the table have the same key.
    func sameKey(_ row: Code, as other: Code) -> Code {
        .all(key.map { "\(row).\(name: $0.column) = \(other).\(name: $0.column)" })
    }

    /// The text of a key whose JSON value is in `json`: canonical, so that it can be compared.
    func keyText(fromJSON json: Code) -> Code {
        guard key.count > 1 else { return Self.keyText(["(\(key[0].type.value("(\(json) #>> '{}')")))"]) }
        return Self.keyText(key.enumerated().map { index, part in part.type.value("(\(json) ->> \(index))") })
    }

    /// The condition that a relationship's foreign key in `row` is the key of `other`.
    func refers(
        _ row: Code, by relationship: RelationshipStructure, to other: Code, of destination: ServerEntity
    ) -> Code {
        .all(
            zip(relationship.foreignKeyColumns, destination.key).map { column, part in
                "\(other).\(name: part.column) = \(row).\(name: column)"
            })
    }
}

// MARK: Scopes

extension ServerEntity {
    /// What the scopes of this entity's records begin with: `list/`. A name that could be that of another kind of scope
    /// is told apart by its hash.
    var scopePrefix: String {
        let isPlain = table.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isPlain ? "\(table)/" : "-\(ContentHash(Array(table.utf8)).digits)/"
    }

    /// The scope of the records of a user.
    static let userPrefix = "user:"

    /// The scope of what everybody reads.
    static let everyone = "public"

    /// What the scope of a row is made of, if that is a value of the row itself.
    private var scopeValue: (prefix: String, column: String, type: KeyType)? {
        switch scope {
        case .own: return (scopePrefix, key[0].column, key[0].type)
        case .everyone: return nil
        case .attribute(let name):
            return structure.attribute(name).map { (Self.userPrefix, $0.column, KeyType($0.type, in: schema)) }
        case .relationship:
            guard let (relationship, destination) = scopeLink, destination.scope == .own else { return nil }
            return (destination.scopePrefix, relationship.foreignKeyColumns[0], destination.key[0].type)
        }
    }

    /// Whether a row has all that its scope is made of: no other row has to be read.
    var knowsItsScope: Bool { scopeValue != nil || scopeEnd.scope == .everyone }

    /// The scope of a row, by reading the rows on the way to it; `NULL` if one is missing.
    func scopeText(_ row: Code) -> Code {
        if let (prefix, column, _) = scopeValue { return "\(quoted: prefix) || \(row).\(name: column)" }
        guard !knowsItsScope, let (relationship, destination) = scopeLink else {
            return "\(quoted: Self.everyone)::text"
        }
        let next: Code = "\(row)_"
        let condition = refers(row, by: relationship, to: next, of: destination)
        return "(SELECT \(destination.scopeText(next)) FROM \(name: destination.table) \(next) WHERE \(condition))"
    }

    /// The condition that the scope of a row is among those of a function, which is called once for all rows. It can
    /// use an index of the column; `nil` if other rows have to be read.
    ///
    /// - Parameter isByHand: Whether the function was written by hand, and may return anything.
    func hasScope(_ row: Code, among function: Code, isByHand: Bool) -> Code? {
        guard let (prefix, column, type) = scopeValue else {
            return knowsItsScope ? "\(scopeText(row)) IN (SELECT \(function)())" : nil
        }
        let text: Code = "substr(s, \(prefix.count + 1))"
        let isValue = isByHand ? type.pattern.map { " AND \(text) ~ \($0)" as Code } ?? Code() : Code()
        return """
            \(row).\(name: column) = ANY (ARRAY(
                    SELECT \(type.value(text)) FROM \(function)() s WHERE starts_with(s, \(quoted: prefix))\(isValue)))
            """
    }

    /// The columns of what is sent of a row, its key, and what decides its scope.
    var sentColumns: [String] {
        let attributes = structure.attributes.filter { $0.wire != nil }.map(\.column)
        let links = structure.relationships.filter { $0.wire != .none }.flatMap(\.foreignKeyColumns)
        var seen: Set<String> = []
        return (key.map(\.column) + attributes + links + scopeColumns).filter { seen.insert($0).inserted }
    }

    /// The columns whose values decide the scope.
    var scopeColumns: [String] {
        switch scope {
        case .own: key.map(\.column)
        case .everyone: []
        case .attribute(let name): [structure.attribute(name)?.column ?? name]
        case .relationship(let name): structure.relationship(name)?.foreignKeyColumns ?? []
        }
    }
}
