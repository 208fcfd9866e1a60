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
    /// Whether its description also has delete rules, conditions, indexes and policies.
    var isComplete: Bool { get }
    /// Decides the type of a column.
    func type(
        of column: DatabaseColumn, in table: DatabaseTable, limits: DatabaseChecks.Limits, notes: ImportNotes
    ) -> DatabaseValueType
    /// Reports what applies to the whole database, before its tables.
    func introduce(_ notes: ImportNotes)
    /// Reports what has no counterpart, after the entities were created.
    func report(on importing: DatabaseImport)
}

extension DatabaseSource {
    var isComplete: Bool { true }
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
    /// The format in JSON, if it is not the usual one.
    var wire: WireSketch?
    /// Whether rows without a value were found.
    var hasMissingValues = false
}
