import LockstepEvolution
import LockstepJSON

/// An option of a part of a sketch, which can be left out.
protocol SketchOption: RawRepresentable<String>, CaseIterable, Hashable {
    associatedtype Part
    /// What it is in a part; `nil` if the part does not have it.
    func value(in part: Part) -> JSONValue?
    func remove(from part: inout Part)
}

/// An option of an attribute or a relationship, in the order in which they are written.
enum MemberOption: String, SketchOption {
    case inverse, onDelete, ordered
    case defaultValue = "default"
    case transient, attachment, readOnly, wire, key, formerKeys, embeddedKey, idsKey, column, table
    case minimum = "min"
    case maximum = "max"
    case minimumLength = "minLength"
    case maximumLength = "maxLength"
    case unique, indexed
    case documentation = "doc"
    case deprecation = "deprecated"

    func value(in member: MemberSketch) -> JSONValue? {
        switch self {
        case .inverse: member.inverse.map(JSONValue.string)
        case .onDelete: member.onDelete.map { .string($0.rawValue) }
        case .ordered: Self.flag(member.isOrdered)
        case .defaultValue: member.defaultValue
        case .transient: Self.flag(member.isTransient)
        case .attachment: Self.flag(member.isAttachment)
        case .readOnly: Self.flag(member.isReadOnly)
        case .wire: member.wire.map { .string($0.text) }
        case .key: Self.path(member.key)
        case .formerKeys: member.formerKeys.isEmpty ? nil : .array(member.formerKeys.map(JSONValue.string))
        case .embeddedKey: Self.path(member.embeddedKey)
        case .idsKey: Self.path(member.idsKey)
        case .column: member.column.map(JSONValue.string)
        case .table: member.table.map(JSONValue.string)
        case .minimum: member.minimum
        case .maximum: member.maximum
        case .minimumLength: member.minimumLength.map(JSONValue.integer)
        case .maximumLength: member.maximumLength.map(JSONValue.integer)
        case .unique: Self.flag(member.isUnique)
        case .indexed: Self.flag(member.isIndexed)
        case .documentation: member.documentation.map(JSONValue.string)
        case .deprecation: member.deprecation.map(JSONValue.string)
        }
    }

    func remove(from member: inout MemberSketch) {
        switch self {
        case .inverse: member.inverse = nil
        case .onDelete: member.onDelete = nil
        case .ordered: member.isOrdered = false
        case .defaultValue: member.defaultValue = nil
        case .transient: member.isTransient = false
        case .attachment: member.isAttachment = false
        case .readOnly: member.isReadOnly = false
        case .wire: member.wire = nil
        case .key: member.key = []
        case .formerKeys: member.formerKeys = []
        case .embeddedKey: member.embeddedKey = []
        case .idsKey: member.idsKey = []
        case .column: member.column = nil
        case .table: member.table = nil
        case .minimum: member.minimum = nil
        case .maximum: member.maximum = nil
        case .minimumLength: member.minimumLength = nil
        case .maximumLength: member.maximumLength = nil
        case .unique: member.isUnique = false
        case .indexed: member.isIndexed = false
        case .documentation: member.documentation = nil
        case .deprecation: member.deprecation = nil
        }
    }

    /// What to do if it was left out.
    var help: String? {
        switch self {
        case .defaultValue: "Set it in Swift, in an initializer."
        case .minimum, .maximum, .minimumLength, .maximumLength, .unique: "Check it in Swift, in `validate()`."
        case .indexed: "Requests that compare it read all records."
        case .column: "Its column has the name that is derived from its own."
        case .key: "Its JSON key is the one that is derived from its name."
        case .wire: "Its JSON has the usual format of its type."
        case .inverse: "If two relationships belong together, write `inverse:` at both."
        default: nil
        }
    }

    private static func flag(_ isSet: Bool) -> JSONValue? { isSet ? true : nil }

    private static func path(_ keys: [String]) -> JSONValue? {
        keys.count > 1 ? .array(keys.map(JSONValue.string)) : keys.first.map(JSONValue.string)
    }
}

/// An option of an entity beside its members and its identity.
enum EntityOption: String, SketchOption {
    case table, version, remote

    func value(in entity: EntitySketch) -> JSONValue? {
        switch self {
        case .table: entity.table.map(JSONValue.string)
        case .version: entity.version.map(JSONValue.string)
        case .remote: entity.remote.map(\.value)
        }
    }

    func remove(from entity: inout EntitySketch) {
        switch self {
        case .table: entity.table = nil
        case .version: entity.version = nil
        case .remote: entity.remote = nil
        }
    }

    /// What to do if it was left out.
    var help: String? {
        self == .table ? "Its table is named after the entity. If a server has the table, rename it there." : nil
    }
}

extension RemoteSketch {
    fileprivate var value: JSONValue {
        guard case .options(let path, let writes, let wrap) = self else { return "none" }
        var options: JSONObject = [:]
        if let path { options["path"] = .string(path) }
        if let writes { options["write"] = .array(writes.map(JSONValue.string)) }
        if let wrap { options["wrap"] = wrap }
        return .object(options)
    }
}
