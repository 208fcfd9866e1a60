import LockstepJSON

/// A database that a schema is created from. The kinds of databases differ in the types of columns, and in the objects
/// beside tables.
protocol DatabaseSource {
    var tables: [DatabaseTable] { get }
    /// The enums of the database, whose values it checks.
    var enumerations: [DatabaseEnumeration] { get }
    /// How names are compared.
    var spelling: DatabaseSpelling { get }
    /// Whether a server sends its rows, with the names of columns as keys. No columns are added to its tables.
    var isServer: Bool { get }
    /// Whether the tables and columns of a store have the names of those of the database.
    var isAdopted: Bool { get }
    /// The `wrap:` of its records; `nil` for the language's default.
    var wrap: JSONValue? { get }
    /// Whether its description also has delete rules, conditions, indexes and policies.
    var isComplete: Bool { get }
    /// Decides the type of a column; `nil` if it is left out.
    func type(
        of column: DatabaseColumn, in table: DatabaseTable, limits: DatabaseChecks.Limits, notes: ImportNotes
    ) -> DatabaseValueType?
    /// Reports what applies to the whole database, before its tables.
    func introduce(_ notes: ImportNotes)
    /// Adds what only this kind of database says by its conventions, after the attributes of an entity.
    func complete(_ entity: inout EntitySketch, of made: DatabaseEntity, notes: ImportNotes)
    /// Reports what has no counterpart, after the entities were created.
    func report(on importing: DatabaseImport)
}

extension DatabaseSource {
    var isComplete: Bool { true }
    var isAdopted: Bool { true }
    var wrap: JSONValue? { nil }

    func complete(_ entity: inout EntitySketch, of made: DatabaseEntity, notes: ImportNotes) {}
}

/// How the names of a database are compared.
enum DatabaseSpelling {
    case exact, ignoringCase

    /// A text that is equal for names of the same object.
    func key(_ name: String) -> String { self == .exact ? name : name.lowercased() }
}

/// The type of the language for the values of a column.
struct DatabaseValueType {
    var type: String
    var isList = false
    var form = ColumnForm.plain
    var maximumLength: Int64?
    var minimum: JSONValue?
    /// The type with the digits of a decimal, which the language does not limit: `numeric(10,2)`.
    var digits: String?
    /// The format in JSON, if it is not the usual one.
    var wire: WireSketch?
    /// Whether rows without a value were found.
    var hasMissingValues = false
}
