import Foundation
import LockstepJSON
import LockstepSchema

/// What PostgREST responds to `GET /` with: Swagger 2.0, in which notes of columns say which ones are keys.
///
/// It is converted to the form of ``postgreSQLCatalogueQuery``'s result, as far as it describes the same. It does not
/// describe unique columns, conditions, delete rules, indexes and policies, foreign keys of several columns, and which
/// relations are views.
struct PostgRESTDescription {
    private let root: OpenAPINode
    private let path: String

    /// Whether a file is such a description.
    static func recognizes(_ input: ImportInput) -> Bool {
        guard input.beginsWithObject, let data = try? input.read(),
            TopLevelKeys(Array(data.prefix(OpenAPIReader.sizeLimit))).values["swagger"] == "2.0"
        else { return false }
        let marks = ["<pk/>", #"\u003cpk/\u003e"#, "//postgrest.org/", "PostgREST Documentation"]
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
            "tables": .array(tables.map { Self.table($0.value, named: $0.key, key: Self.key(of: $0.value)) }),
        ]
        return CatalogueValue(value, path: path)
    }

    /// Whether it is a view for sure: no row can be written. Others cannot be told from tables.
    private func isView(_ definition: OpenAPINode, named name: String) -> Bool {
        guard let path = root.peek("paths")?.peek("/" + name) else { return false }
        return ["post", "patch", "delete"].allSatisfy { path.peek($0) == nil }
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

    /// What PostgREST adds to the comment of a column of a key; empty for others.
    private static func note(_ column: OpenAPINode) -> Substring {
        guard let text = column.peek("description")?.text,
            let start = text.range(of: "Note:\nThis is a ", options: .backwards)
        else { return "" }
        return text[start.lowerBound...]
    }

    /// The columns of the primary key.
    private static func key(of definition: OpenAPINode) -> [String] {
        columns(definition).filter { note($0.value).contains("<pk/>") }.map(\.key)
    }

    private static func table(_ definition: OpenAPINode, named name: String, key: [String]) -> JSONValue {
        let required = Set((definition.peek("required")?.peekedElements ?? []).compactMap(\.text))
        let columns = columns(definition)
        var constraints: [JSONValue] = key.isEmpty ? [] : [constraint("p", columns: key)]
        constraints += columns.compactMap { column, value in
            Self.foreignKey(Self.note(value)).map { key in
                constraint("f", columns: [column], table: key.table, references: [key.column])
            }
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
        let text = value.peek("description")?.text ?? ""
        let comment = text.dropLast(note(value).count).trimmingCharacters(in: .whitespacesAndNewlines)
        return [
            "name": .string(name), "type": .string(type), "required": .bool(isRequired), "numbered": false,
            "always": false, "generated": false, "comment": comment.isEmpty ? .null : .string(comment),
            "default": value.peek("default").flatMap(expression).map(JSONValue.string) ?? .null,
        ]
    }

    /// A default as SQL. Of a text, PostgREST writes the value, in which a quote is still doubled, and of anything else
    /// the expression.
    private static func expression(_ value: OpenAPINode) -> String? {
        guard let text = value.text, text != "NULL" else { return nil }
        let isCall = text.wholeMatch(of: /[A-Za-z_.]+\(.*\)|\(.*\)|(CURRENT|LOCAL|SESSION)[A-Z_]+/) != nil
        let isCast = text.hasPrefix("'") && text.contains("'::")
        if value.number != nil || value.bool != nil || isCall || isCast { return text }
        return "'\(text)'"
    }

    /// The table and the column in `<fk table='lists' column='id'/>`.
    private static func foreignKey(_ note: Substring) -> (table: String, column: String)? {
        guard let start = note.range(of: "<fk table='"),
            let middle = note.range(of: "' column='", range: start.upperBound..<note.endIndex),
            let end = note.range(of: "'/>", range: middle.upperBound..<note.endIndex)
        else { return nil }
        return (String(note[start.upperBound..<middle.lowerBound]), String(note[middle.upperBound..<end.lowerBound]))
    }
}
