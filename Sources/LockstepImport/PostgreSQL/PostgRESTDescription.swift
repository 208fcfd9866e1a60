import Foundation
import LockstepJSON
import LockstepSchema

/// What PostgREST responds to `GET /` with: Swagger 2.0, in which notes of columns say which ones are keys.
///
/// It is converted to the form of ``postgreSQLCatalogueQuery``'s result, as far as it describes the same. It does not
/// describe unique columns, conditions, delete rules, indexes and policies.
struct PostgRESTDescription {
    private let root: OpenAPINode
    private let path: String

    /// Whether a file is such a description.
    static func recognizes(_ input: ImportInput) -> Bool {
        let beginning = input.beginning()
        guard beginning.first == UInt8(ascii: "{"), !input.isFolder, let data = try? input.read(),
            TopLevelKeys(Array(data.prefix(OpenAPIReader.sizeLimit))).values["swagger"] == "2.0"
        else { return false }
        let marks = ["<pk/>", #"\u003cpk/\u003e"#, "//postgrest.org/", "PostgREST"]
        return marks.contains { data.range(of: Data($0.utf8)) != nil }
    }

    /// - Throws: ``ImportFailure`` if it cannot be read.
    init(_ input: ImportInput) throws(ImportFailure) {
        var reader = OpenAPIReader(path: input.path)
        root = try reader.read(try input.read())
        path = input.path
    }

    /// The description as the result of the query.
    func catalogue() throws(ImportFailure) -> CatalogueValue {
        let definitions = root.peek("definitions")?.peekedEntries ?? []
        let tables = definitions.filter { !isView($0.value, named: $0.key) }
        var enumerations: [String: JSONValue] = [:]
        let keys = Dictionary(tables.map { ($0.key, Self.key(of: $0.value)) }) { first, _ in first }
        for (_, definition) in tables {
            for (_, column) in Self.columns(definition) {
                guard let type = column.peek("format")?.text, let values = column.peek("enum")?.peekedElements else {
                    continue
                }
                let name = type.split(separator: ".").last.map { $0.filter { $0 != "\"" } } ?? type
                enumerations[type] = [
                    "type": .string(type), "name": .string(name),
                    "values": .array(values.compactMap { $0.text.map(JSONValue.string) }),
                ]
            }
        }
        let others = definitions.filter { isView($0.value, named: $0.key) }.map { view in
            ["name": .string(view.key), "kind": "v"] as JSONValue
        }
        let value: JSONValue = [
            "lockstep": "postgresql", "form": 1, "schema": "", "domains": [], "others": .array(others),
            "enums": .array(enumerations.sorted { $0.key < $1.key }.map(\.value)),
            "tables": .array(tables.map { Self.table($0.value, named: $0.key, keys: keys) }),
        ]
        return CatalogueValue(value, path: path)
    }

    /// Whether it is a view: it has no key, and no row can be added.
    private func isView(_ definition: OpenAPINode, named name: String) -> Bool {
        Self.key(of: definition).isEmpty && root.peek("paths")?.peek("/" + name)?.peek("post") == nil
    }

    /// The tables to which the server adds no rows.
    var readOnlyTables: [String] {
        let tables = (root.peek("definitions")?.peekedEntries ?? []).filter { !isView($0.value, named: $0.key) }.map(
            \.key)
        guard let paths = root.peek("paths") else { return [] }
        return tables.filter { name in paths.peek("/" + name).map { $0.peek("post") == nil } ?? false }
    }

    /// The functions that the server calls.
    var functions: [String] {
        (root.peek("paths")?.peekedEntries ?? []).compactMap { entry in
            entry.key.hasPrefix("/rpc/") ? String(entry.key.dropFirst(5)) : nil
        }
    }

    // MARK: Tables

    private static func columns(_ definition: OpenAPINode) -> [(key: String, value: OpenAPINode)] {
        definition.peek("properties")?.peekedEntries ?? []
    }

    private static func note(_ column: OpenAPINode) -> String { column.peek("description")?.text ?? "" }

    /// The columns of the primary key.
    private static func key(of definition: OpenAPINode) -> [String] {
        columns(definition).filter { note($0.value).contains("<pk/>") }.map(\.key)
    }

    private static func table(_ definition: OpenAPINode, named name: String, keys: [String: [String]]) -> JSONValue {
        let required = Set((definition.peek("required")?.peekedElements ?? []).compactMap(\.text))
        let columns = columns(definition)
        let key = keys[name] ?? []
        var constraints: [JSONValue] = key.isEmpty ? [] : [constraint("p", columns: key)]
        var references: [(table: String, columns: [(own: String, other: String)])] = []
        for (column, value) in columns {
            guard let (table, other) = foreignKey(note(value)) else { continue }
            // The columns of a key that has several refer to the same table.
            let isPart = keys[table].map { $0.count > 1 && $0.contains(other) } ?? false
            if isPart, let index = references.firstIndex(where: { $0.table == table }),
                references[index].columns.allSatisfy({ $0.other != other })
            {
                references[index].columns.append((column, other))
            } else {
                references.append((table, [(column, other)]))
            }
        }
        constraints += references.map { reference in
            constraint(
                "f", columns: reference.columns.map(\.own), table: reference.table,
                references: reference.columns.map(\.other))
        }
        return [
            "name": .string(name), "comment": definition.peek("description")?.text.map(JSONValue.string) ?? .null,
            "rowSecurity": false, "ownerRestricted": false, "inheriting": false, "indexes": [], "policies": [],
            "triggers": [], "constraints": .array(constraints),
            "columns": .array(columns.map { column($0.value, named: $0.key, isRequired: required.contains($0.key)) }),
        ]
    }

    private static func constraint(
        _ kind: String, columns: [String], table: String? = nil, references: [String] = []
    ) -> JSONValue {
        [
            "name": "", "kind": .string(kind), "text": "", "deferrable": false, "schema": "",
            "columns": .array(columns.map(JSONValue.string)), "table": table.map(JSONValue.string) ?? .null,
            "references": .array(references.map(JSONValue.string)),
        ]
    }

    private static func column(_ value: OpenAPINode, named name: String, isRequired: Bool) -> JSONValue {
        var type = value.peek("format")?.text ?? value.peek("type")?.text ?? "text"
        if let length = value.peek("maxLength")?.integer, ["character varying", "character"].contains(type) {
            type += "(\(length))"
        }
        let comment = note(value).components(separatedBy: "Note:\n")[0].trimmingCharacters(in: .whitespacesAndNewlines)
        return [
            "name": .string(name), "type": .string(type), "required": .bool(isRequired), "numbered": false,
            "always": false, "generated": false, "comment": comment.isEmpty ? .null : .string(comment),
            "default": value.peek("default").flatMap(expression).map(JSONValue.string) ?? .null,
        ]
    }

    /// A default as SQL. Of a text, PostgREST writes the value, and of anything else the expression.
    private static func expression(_ value: OpenAPINode) -> String? {
        guard let text = value.text else { return nil }
        if value.number != nil || value.bool != nil || text.hasSuffix(")") || text.hasPrefix("CURRENT_") { return text }
        return "'" + text.replacing("'", with: "''") + "'"
    }

    /// The table and the column in `<fk table='lists' column='id'/>`.
    private static func foreignKey(_ note: String) -> (table: String, column: String)? {
        guard let start = note.range(of: "<fk table='"),
            let middle = note.range(of: "' column='", range: start.upperBound..<note.endIndex),
            let end = note.range(of: "'/>", range: middle.upperBound..<note.endIndex)
        else { return nil }
        return (String(note[start.upperBound..<middle.lowerBound]), String(note[middle.upperBound..<end.lowerBound]))
    }
}
