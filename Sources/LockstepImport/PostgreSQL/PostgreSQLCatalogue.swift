import Foundation
import LockstepJSON

/// The tables of a PostgreSQL database, as ``postgreSQLCatalogueQuery`` describes them.
package struct PostgreSQLCatalogue: Sendable {
    let path: String
    /// The name of the schema that the tables are in; empty if there is none.
    let schema: String
    let tables: [CatalogueTable]
    let enumerations: [CatalogueEnumeration]
    /// The domain of each column's type, and the domains that it is based on.
    private let domains: [String: [CatalogueDomain]]
    /// Views and foreign tables, with their kinds.
    let others: [(name: String, kind: String)]

    /// More columns than in any database that an app syncs with.
    private static let columnLimit = 20_000
    /// More domains than anyone bases on each other. Each one adds its conditions to a column.
    private static let domainLimit = 16
    /// The number of the query's form that this version reads.
    private static let form: Int64 = 1

    /// Whether a file is the query's result, as far as it is JSON.
    static func recognizes(_ input: ImportInput) -> Bool {
        if isTable(input) { return true }
        guard input.beginsWithObject, let data = try? input.read() else { return false }
        return data.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes.bindMemory(to: UInt8.self))
            do {
                try scanner.open(UInt8(ascii: "{"))
                var isFirst = true
                while try !scanner.isClosed(UInt8(ascii: "}"), isFirst: isFirst) {
                    isFirst = false
                    if try scanner.key().string == "lockstep", scanner.peek() == UInt8(ascii: "\"") {
                        return try scanner.text().string == "postgresql"
                    }
                    try scanner.skipValue()
                }
            } catch { return false }
            return false
        }
    }

    /// Whether psql has printed it as a table, with the name of the column first and a line below it.
    private static func isTable(_ input: ImportInput) -> Bool {
        let lines = input.beginning().split(separator: UInt8(ascii: "\n"), maxSplits: 2)
        guard lines.count > 1, lines[0].allSatisfy({ $0 == 0x20 || $0 == UInt8(ascii: "_") || isLetter($0) }) else {
            return false
        }
        return lines[1].starts(with: #"{"lockstep""#.utf8) || lines[1].allSatisfy { $0 == UInt8(ascii: "-") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    /// - Throws: ``ImportFailure`` if it is not the result of the query.
    package init(_ input: ImportInput) throws(ImportFailure) {
        let data = try input.read()
        let root: CatalogueValue
        do { root = CatalogueValue(try JSONValue(json: data), path: input.path) } catch {
            throw ImportFailure(
                input.path,
                reason: "It is not JSON: \(error). Run psql with '-X -At', so that it prints nothing but the result.")
        }
        try self.init(root, path: input.path)
    }

    init(_ root: CatalogueValue, path: String) throws(ImportFailure) {
        guard try root.optionalText("lockstep") == "postgresql" else {
            throw root.failure("the description of a PostgreSQL database")
        }
        let form = try root.number("form")
        guard form <= Self.form else {
            throw ImportFailure(
                path,
                reason: "It was made by a newer lockstep: 'form' is \(form), and this version reads \(Self.form). "
                    + "Update lockstep, or run the query of this version.")
        }
        self.path = path
        schema = try root.optionalText("schema") ?? ""
        tables = try Self.list(root.list("tables"), read: CatalogueTable.init)
        enumerations = try Self.list(root.list("enums"), read: CatalogueEnumeration.init)
        let all = try Self.list(root.list("domains"), read: CatalogueDomain.init)
        domains = try Self.domains(of: tables, among: all, path: path)
        var others: [(name: String, kind: String)] = []
        for other in try root.list("others") { others.append((try other.text("name"), try other.text("kind"))) }
        self.others = others
        guard tables.reduce(0, { $0 + $1.columns.count }) <= Self.columnLimit else {
            throw ImportFailure(
                path,
                reason: "It has more than \(Self.columnLimit) columns. Import a part of it, in a schema of its own.")
        }
    }

    fileprivate static func list<Element>(
        _ values: [CatalogueValue], read: (CatalogueValue) throws(ImportFailure) -> Element
    ) throws(ImportFailure) -> [Element] {
        var elements: [Element] = []
        for value in values { elements.append(try read(value)) }
        return elements
    }

    func table(_ name: String) -> CatalogueTable? { tables.first { $0.name == name } }

    /// The type that a type stands for, without domains.
    func base(of type: String) -> String { domains(of: type).last?.base ?? type }

    /// The domain of a column's type, and the domains that it is based on.
    func domains(of type: String) -> [CatalogueDomain] { domains[type] ?? [] }

    private static func domains(
        of tables: [CatalogueTable], among all: [CatalogueDomain], path: String
    ) throws(ImportFailure) -> [String: [CatalogueDomain]] {
        let byType = Dictionary(all.map { ($0.type, $0) }) { first, _ in first }
        var found: [String: [CatalogueDomain]] = [:]
        for type in Set(tables.flatMap(\.columns).map(\.type)).sorted() {
            var next = byType[type]
            while let domain = next {
                guard found[type, default: []].count < domainLimit else {
                    throw ImportFailure(
                        path,
                        reason: "The list 'domains' has more than \(domainLimit) domains that are based on each other, "
                            + "of which '\(type)' is the last. Base it on a type directly.")
                }
                found[type, default: []].append(domain)
                next = byType[domain.base]
            }
        }
        return found
    }
}

/// A table of the database.
struct CatalogueTable: Sendable {
    let name: String
    let comment: String?
    /// Whether policies decide who reads and writes its rows.
    let hasRowSecurity: Bool
    /// Whether they also apply to the owner.
    let isOwnerRestricted: Bool
    /// Whether it has partitions, parents or children, so that its rows are also those of other tables.
    let isInheriting: Bool
    let columns: [CatalogueColumn]
    let constraints: [CatalogueConstraint]
    let indexes: [CatalogueIndex]
    let policies: [CataloguePolicy]
    let triggers: [String]

    init(_ value: CatalogueValue) throws(ImportFailure) {
        name = try value.text("name")
        comment = try value.optionalText("comment")
        hasRowSecurity = try value.flag("rowSecurity")
        isOwnerRestricted = try value.flag("ownerRestricted")
        isInheriting = try value.flag("inheriting")
        columns = try PostgreSQLCatalogue.list(value.list("columns"), read: CatalogueColumn.init)
        constraints = try PostgreSQLCatalogue.list(value.list("constraints"), read: CatalogueConstraint.init)
        indexes = try PostgreSQLCatalogue.list(value.list("indexes"), read: CatalogueIndex.init)
        policies = try PostgreSQLCatalogue.list(value.list("policies"), read: CataloguePolicy.init)
        triggers = try value.texts("triggers")
    }

    /// Whether the SQL of `--server` has created it.
    var isOfServer: Bool { Self.namesOfServer.contains(name) }

    private static let namesOfServer: Set = [
        "lockstep_scope", "lockstep_change", "lockstep_request", "lockstep_meta", "lockstep_between",
    ]

    func column(_ name: String) -> CatalogueColumn? { columns.first { $0.name == name } }

    /// The columns of the primary key in its order.
    var key: [String] { constraints.first { $0.kind == .primaryKey }?.columns ?? [] }

    /// The policies that the SQL of `--server` has not created.
    var ownPolicies: [CataloguePolicy] { policies.filter { !Self.policiesOfServer.contains($0.name) } }

    private static let policiesOfServer: Set = [
        "lockstep_select", "lockstep_insert", "lockstep_update", "lockstep_delete",
    ]

    var ownTriggers: [String] { triggers.filter { !Self.triggersOfServer.contains($0) } }

    private static let triggersOfServer: Set = [
        "lockstep_insert", "lockstep_update", "lockstep_delete", "lockstep_truncate", "lockstep_guard",
    ]
}

struct CatalogueColumn: Sendable {
    let name: String
    /// As `format_type` writes it: `character varying(40)`.
    let type: String
    let isRequired: Bool
    let defaultText: String?
    /// Whether the database assigns numbers to it.
    let isNumbered: Bool
    /// Whether the database also refuses other numbers.
    let isAlwaysNumbered: Bool
    let isGenerated: Bool
    /// The collation, if it is not that of the type.
    let collation: String?
    let comment: String?

    init(_ value: CatalogueValue) throws(ImportFailure) {
        name = try value.text("name")
        type = try value.text("type")
        isRequired = try value.flag("required")
        let text = try value.optionalText("default")
        let isSerial = text?.hasPrefix("nextval(") == true
        defaultText = isSerial ? nil : text
        isNumbered = try value.flag("numbered") || isSerial
        isAlwaysNumbered = try value.flag("always")
        isGenerated = try value.flag("generated")
        collation = try value.optionalText("collation")
        comment = try value.optionalText("comment")
    }
}

struct CatalogueConstraint: Sendable {
    enum Kind: String { case primaryKey = "p", unique = "u", foreignKey = "f", check = "c", exclusion = "x" }

    let name: String
    let kind: Kind
    let columns: [String]
    /// The table that a foreign key refers to, and its columns.
    let target: (schema: String, table: String)?
    let references: [String]
    let onDelete: String
    let onUpdate: String
    let isDeferrable: Bool
    /// The condition of a check.
    let expression: String?
    let text: String

    init(_ value: CatalogueValue) throws(ImportFailure) {
        name = try value.text("name")
        guard let kind = Kind(rawValue: try value.text("kind")) else {
            throw value.failure("a constraint of a known kind")
        }
        self.kind = kind
        columns = try value.texts("columns")
        if let table = try value.optionalText("table") {
            target = (try value.optionalText("schema") ?? "", table)
        } else {
            target = nil
        }
        references = try value.texts("references")
        onDelete = Self.rules[try value.optionalText("delete") ?? ""] ?? ""
        onUpdate = Self.rules[try value.optionalText("update") ?? ""] ?? ""
        isDeferrable = try value.flag("deferrable")
        expression = try value.optionalText("expression")
        text = try value.text("text")
    }

    private static let rules = [
        "a": "NO ACTION", "r": "RESTRICT", "c": "CASCADE", "n": "SET NULL", "d": "SET DEFAULT",
    ]
}

struct CatalogueIndex: Sendable {
    let name: String
    let isUnique: Bool
    let isKey: Bool
    let isOfConstraint: Bool
    let isPartial: Bool
    /// The access method: `btree`, unless the index is not for comparisons.
    let method: String
    /// `nil` for an expression.
    let columns: [String?]
    let text: String

    init(_ value: CatalogueValue) throws(ImportFailure) {
        name = try value.text("name")
        isUnique = try value.flag("unique")
        isKey = try value.flag("key")
        isOfConstraint = try value.flag("constraint")
        isPartial = try value.flag("partial")
        method = try value.text("method")
        columns = try value.optionalTexts("columns")
        text = try value.text("text")
    }

    /// Whether no two rows have the same values in its columns.
    var isKeyOfRows: Bool { isUnique && !isPartial && columns.allSatisfy { $0 != nil } }
}

/// A policy of row-level security.
struct CataloguePolicy: Sendable {
    let name: String
    /// Whether it permits; otherwise, it restricts what others permit.
    let isPermissive: Bool
    let command: String
    let roles: [String]
    let using: String?
    let check: String?

    init(_ value: CatalogueValue) throws(ImportFailure) {
        name = try value.text("name")
        isPermissive = try value.flag("permissive")
        command = try value.text("command")
        roles = try value.texts("roles")
        using = try value.optionalText("using")
        check = try value.optionalText("check")
    }
}

struct CatalogueEnumeration: Sendable {
    /// As it is in the types of columns.
    let type: String
    let name: String
    let values: [String]

    init(_ value: CatalogueValue) throws(ImportFailure) {
        type = try value.text("type")
        name = try value.text("name")
        values = try value.texts("values")
    }
}

/// A type with conditions.
struct CatalogueDomain: Sendable {
    let type: String
    let base: String
    let isRequired: Bool
    let defaultText: String?
    /// The conditions, in which the value is `VALUE`.
    let checks: [String]

    init(_ value: CatalogueValue) throws(ImportFailure) {
        type = try value.text("type")
        base = try value.text("base")
        isRequired = try value.flag("required")
        defaultText = try value.optionalText("default")
        checks = try value.texts("checks")
    }
}
