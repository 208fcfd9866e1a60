import Foundation

@testable import LockstepSchema

/// The part of JSON Schema 2020-12 that the grammar's schema uses; any other keyword is an error, so that nothing is
/// ignored.
struct JSONSchemaValidator {
    private let root: [String: Any]

    init(_ text: String) throws {
        root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }

    /// The problems of `node` by the schema, or by its definition of this name; empty if there are none.
    func problems(of node: Node, as definition: String? = nil) -> [String] {
        let definitions = root["$defs"] as? [String: Any] ?? [:]
        return problems(of: node, by: definition.map { definitions[$0] as? [String: Any] ?? [:] } ?? root, at: "")
    }

    private func problems(of node: Node, by schema: [String: Any], at path: String) -> [String] {
        schema.keys.sorted().flatMap { keyword -> [String] in
            problems(of: node, keyword, schema[keyword] as Any, in: schema, at: path)
        }
    }

    private func problems(
        of node: Node, _ keyword: String, _ value: Any, in schema: [String: Any], at path: String
    ) -> [String] {
        switch keyword {
        case "$schema", "$defs", "title", "description", "then": return []
        case "properties":
            // If others are allowed, these have been checked with them.
            guard schema["additionalProperties"] == nil, case .mapping(let entries) = node.content else { return [] }
            let known = value as? [String: [String: Any]] ?? [:]
            return entries.flatMap { entry -> [String] in
                let key = entry.key.text ?? "?"
                return known[key].map { problems(of: entry.value, by: $0, at: "\(path)/\(key)") } ?? []
            }
        case "allOf":
            return (value as? [[String: Any]] ?? []).flatMap { problems(of: node, by: $0, at: path) }
        case "if":
            guard problems(of: node, by: value as? [String: Any] ?? [:], at: path).isEmpty else { return [] }
            return problems(of: node, by: schema["then"] as? [String: Any] ?? [:], at: path)
        case "pattern":
            guard let text = node.text, let expression = try? Regex(value as? String ?? "") else { return [] }
            return text.contains(expression) ? [] : ["\(path): does not match"]
        case "$ref":
            let name = (value as? String ?? "").split(separator: "/").last.map(String.init) ?? ""
            let definitions = root["$defs"] as? [String: Any] ?? [:]
            guard let target = definitions[name] as? [String: Any] else { return ["\(path): no definition \(name)"] }
            return problems(of: node, by: target, at: path)
        case "anyOf":
            let forms = (value as? [[String: Any]] ?? []).map { problems(of: node, by: $0, at: path) }
            return forms.contains(where: \.isEmpty) ? [] : forms.flatMap(\.self)
        case "not":
            return problems(of: node, by: value as? [String: Any] ?? [:], at: path).isEmpty ? ["\(path): excluded"] : []
        case "type":
            let names = value as? [String] ?? [value as? String ?? ""]
            return names.contains(where: node.has(jsonType:)) ? [] : ["\(path): not of type \(names)"]
        case "enum":
            return (value as? [String] ?? []).contains(node.text ?? "") ? [] : ["\(path): not allowed"]
        case "minimum":
            return (node.integer ?? 0) >= Int64(value as? Int ?? 0) ? [] : ["\(path): too small"]
        default:
            return problemsOfParts(of: node, keyword, value, in: schema, at: path)
        }
    }

    private func problemsOfParts(
        of node: Node, _ keyword: String, _ value: Any, in schema: [String: Any], at path: String
    ) -> [String] {
        switch (keyword, node.content) {
        case ("items", .sequence(let elements)):
            return elements.enumerated().flatMap { index, element in
                problems(of: element, by: value as? [String: Any] ?? [:], at: "\(path)/\(index)")
            }
        case ("minItems", .sequence(let elements)):
            return elements.count >= value as? Int ?? 0 ? [] : ["\(path): too few"]
        case ("maxItems", .sequence(let elements)):
            return elements.count <= value as? Int ?? 0 ? [] : ["\(path): too many"]
        case ("required", .mapping):
            return (value as? [String] ?? []).filter { node[$0] == nil }.map { "\(path): \($0) is missing" }
        case ("additionalProperties", .mapping(let entries)):
            let known = schema["properties"] as? [String: [String: Any]] ?? [:]
            return entries.flatMap { entry -> [String] in
                let key = entry.key.text ?? "?"
                if let property = known[key] { return problems(of: entry.value, by: property, at: "\(path)/\(key)") }
                guard let others = value as? [String: Any] else { return ["\(path): unknown \(key)"] }
                return problems(of: entry.value, by: others, at: "\(path)/\(key)")
            }
        case ("items", _), ("minItems", _), ("maxItems", _), ("required", _), ("additionalProperties", _): return []
        default: return ["\(path): keyword \(keyword) is not supported"]
        }
    }
}

extension Node {
    /// Whether an editor reads it as a value of this type, by YAML's core schema.
    fileprivate func has(jsonType name: String) -> Bool {
        switch (name, content) {
        case ("array", .sequence), ("object", .mapping): true
        case ("string", .scalar): !isNull && boolean == nil && !isNumber
        case ("boolean", .scalar): boolean != nil
        case ("null", .scalar): isNull
        case ("integer", .scalar): integer != nil
        case ("number", .scalar): isNumber
        default: false
        }
    }
}
