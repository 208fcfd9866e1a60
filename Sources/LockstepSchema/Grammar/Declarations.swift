// The typed and located contents of a schema file, before anything is resolved. The grammar creates these values from
// the YAML tree; the resolver checks them by the rules and creates the resolved `Schema`. `nil` means that the key is
// absent; the resolver applies the language's defaults.

struct SchemaDeclaration: Sendable {
    /// The whole document.
    var range: TextRange
    /// The paths of the schema, and of the files that it includes: see ``SourcePosition/file``.
    var paths: [String]
    var name: Located<String>
    var version: Located<Int64>?
    /// `oldest:`, the oldest version that is still supported.
    var oldest: Located<Int64>?
    var documentation: String?
    var access: Located<AccessLevel>?
    var wire: WireDeclaration?
    var server: Located<ServerDeclaration>?
    /// `include:`, the names of files in the same folder.
    var includes: [Located<String>]
    /// `columns:`
    var columnSpelling: Located<NameSpelling>?
    var enumerations: [EnumerationDeclaration]
    var types: [TypeDeclaration]
    var entities: [EntityDeclaration]
}

/// What an included file declares.
struct PartDeclaration: Sendable {
    var enumerations: [EnumerationDeclaration]
    var types: [TypeDeclaration]
    var entities: [EntityDeclaration]
}

enum NameSpelling: String, Sendable, CaseIterable {
    case asWritten, snake_case, camelCase
}

/// The style of the paths that collections have if none is given.
enum PathSpelling: String, Sendable, CaseIterable {
    case snake_case, names
    case kebabCase = "kebab-case"
}

/// How UUIDs in identities are sent that the device makes.
enum UUIDSpelling: String, Sendable, CaseIterable { case lower, upper }

struct WireDeclaration: Sendable {
    var names: Located<NameSpelling>?
    var paths: Located<PathSpelling>?
    var dates: Located<DateFormat>?
    var uuids: Located<UUIDSpelling>?
    var compatible: Located<CompatibilityMode>?
}

struct ServerDeclaration: Sendable {
    /// `user:`, the claim with the user's identity.
    var user: Located<String>?
    var access: Located<ServerAccess>?
}

/// Who says which users read and write a record.
enum ServerAccess: String, Sendable, CaseIterable { case schema, custom }

struct EnumerationDeclaration: Sendable {
    var name: Located<String>
    /// `type: int`
    var isInteger: Bool
    var isClosed: Bool
    var documentation: String?
    var cases: [CaseDeclaration]
    /// Whether a part of it could not be read, which is reported. Errors that depend on its values are not reported.
    var isUnreadable = false
}

struct CaseDeclaration: Sendable {
    var name: Located<String>
    /// `nil`: the name itself (a string enum) or one more than the previous case (an int enum).
    var rawValue: Located<CaseValue>?
    var renamedFrom: Located<String>?
    var documentation: String?
}

struct TypeDeclaration: Sendable {
    var name: Located<String>
    /// The spelling of a scalar type: `decimal`.
    var stored: Located<String>
    var module: Located<String>?
    var documentation: String?
    /// Whether its stored type could not be read, which is reported.
    var isUnreadable = false
}

struct EntityDeclaration: Sendable {
    var name: Located<String>
    var documentation: String?
    var isAbstract: Bool
    /// `extends: Base` or `extends: [Base, Other]`
    var extends: [Located<String>]
    var identity: Located<IdentityDeclaration>?
    /// `version:`, the attribute that distinguishes the states of a record.
    var version: Located<String>?
    /// `together:`; `nil` if the key is absent.
    var together: TogetherDeclaration?
    var scope: Located<ScopeDeclaration>?
    var access: Located<AccessDeclaration>?
    /// `table:`, the table's name in SQL.
    var table: Located<String>?
    var renamedFrom: Located<String>?
    var attributes: [AttributeDeclaration]
    var relationships: [RelationshipDeclaration]
    /// `indexes:`; each a list of attribute or to-one names, or `{ on: […], unique: true }`.
    var indexes: [IndexDeclaration]
    /// `nil` if the key is absent; `.value == nil` for `remote: none`.
    var remote: Located<RemoteDeclaration?>?
    /// Whether a part of it other than a single member could not be read, which is reported. It may have members and an
    /// identity that are missing here.
    var isIncomplete = false
}

enum TogetherDeclaration: Sendable {
    /// `all`
    case all(TextRange)
    /// Lists of attributes.
    case groups([[Located<String>]], at: TextRange)

    var range: TextRange {
        switch self {
        case .all(let range), .groups(_, at: let range): range
        }
    }
}

enum IdentityDeclaration: Sendable {
    case none
    case attributes([Located<String>])
    case local(Located<String>, remote: Located<String>)
}

enum ScopeDeclaration: Sendable {
    /// `self`
    case own
    /// `public`
    case everyone
    /// The name of an attribute or a relationship.
    case member(String)
}

struct AccessDeclaration: Sendable {
    var read: Located<AccessRuleDeclaration>?
    var write: Located<AccessRuleDeclaration>?
}

enum AccessRuleDeclaration: Sendable {
    /// `none`
    case nobody
    case everyone
    case paths([Located<String>])
}

struct IndexDeclaration: Sendable {
    var range: TextRange
    var members: [Located<String>]
    var isUnique: Bool
}

struct RemoteDeclaration: Sendable {
    var path: Located<String>?
    var writes: [Located<Remote.Write>]?
    /// `wrap: true`, or `wrap: key`.
    var wrap: Located<WrapDeclaration>?
}

enum WrapDeclaration: Sendable, Hashable {
    case flag(Bool)
    case key(String)
}

struct AttributeDeclaration: Sendable {
    var name: Located<String>
    /// The text and location of the type, without question mark and brackets.
    var typeName: Located<String>
    var isList: Bool
    var isOptional: Bool
    /// The YAML node of `default:`, which the resolver reads according to the type.
    var defaultValue: Node?
    /// The JSON key, or the path of keys.
    var key: Located<[String]>?
    /// `formerKeys:`, the keys or paths of earlier versions.
    var formerKeys: Located<[Located<[String]>]>?
    var wire: Located<AttributeWireDeclaration>?
    var isReadOnly: Located<Bool>?
    /// The texts of numbers, with their locations.
    var minimum: Located<String>?
    var maximum: Located<String>?
    var minimumLength: Located<Int64>?
    var maximumLength: Located<Int64>?
    var isUnique: Located<Bool>?
    var isIndexed: Located<Bool>?
    var isTransient: Located<Bool>?
    var isAttachment: Located<Bool>?
    /// `column:`, the column's name in SQL.
    var column: Located<String>?
    var renamedFrom: Located<String>?
    var documentation: String?
    var deprecation: String?
    /// Whether its type could not be read, which is reported. Its name is still used.
    var isUnreadable = false
}

enum AttributeWireDeclaration: Sendable, Hashable {
    /// `wire: none`: it is not in JSON.
    case none
    /// `wire: string`: numbers and bools as text.
    case text
    /// `iso8601`, `secondsSince1970`, `millisecondsSince1970` or a pattern.
    case date(DateFormat)
}

struct RelationshipDeclaration: Sendable {
    var name: Located<String>
    var destination: Located<String>
    var isToMany: Bool
    var isOptional: Bool
    var inverse: Located<String>?
    var onDelete: Located<DeleteRule>?
    /// Each `attribute` or `-attribute` for descending.
    var sortedBy: [Located<Relationship.SortKey>]
    var isOrdered: Located<Bool>?
    /// `id`, `ids`, `embedded` or `none`.
    var wire: Located<RelationshipWireDeclaration>?
    var key: Located<[String]>?
    /// Where records are read beside identities.
    var embeddedKey: Located<[String]>?
    /// Where identities are read beside records.
    var idsKey: Located<[String]>?
    /// `column:`, the foreign key column's name in SQL.
    var column: Located<String>?
    /// `table:`, the name in SQL of the table with the links of a many-to-many relationship.
    var table: Located<String>?
    var unlisted: Located<UnlistedRule>?
    /// Which end of a one-to-one relationship has the key.
    var holdsKey: Located<Bool>?
    var renamedFrom: Located<String>?
    var documentation: String?
    var deprecation: String?
    /// Whether its destination could not be read, which is reported. Its name is still used.
    var isUnreadable = false
}

enum RelationshipWireDeclaration: String, Sendable, CaseIterable {
    case id, ids, embedded, none
}
