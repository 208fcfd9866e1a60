import Foundation

/// A reference of a description: `$ref: schemas/order.yaml#/Order`.
struct OpenAPIReference {
    /// What the keys of a value are, and so what is expected where a reference in it leads.
    enum Kind {
        /// The keywords of a schema.
        case schema
        /// The keywords of anything else.
        case other
        /// Names of schemas, and of anything else.
        case schemas, others

        /// What the value of a key is; `nil` for any value, such as an example.
        func part(_ key: String) -> Kind? {
            switch self {
            case .schemas: return .schema
            case .others: return .other
            case .schema, .other:
                if Self.anyValues.contains(key) { return nil }
                if Self.schemaKeywords.contains(key) { return .schema }
                if Self.maps.contains(key) { return .schemas }
                return self == .other && Self.otherMaps.contains(key) ? .others : .other
            }
        }

        /// The keywords whose members are schemas by their names.
        private static let maps: Set = [
            "properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "schemas",
        ]
        private static let otherMaps: Set = [
            "paths", "pathItems", "webhooks", "callbacks", "responses", "requestBodies", "parameters", "headers",
            "content", "encoding", "links", "securitySchemes", "variables",
        ]
        private static let schemaKeywords: Set = [
            "schema", "items", "prefixItems", "additionalProperties", "allOf", "oneOf", "anyOf", "not", "if", "then",
            "else",
        ]
        private static let anyValues: Set = ["example", "examples", "value", "default", "enum", "const"]

        /// Whether the members of a keyword are schemas by their names.
        static func hasSchemas(_ keyword: String) -> Bool { maps.contains(keyword) }
    }

    /// The value with the `$ref`.
    let owner: OpenAPINode
    /// The text of the `$ref`.
    let node: OpenAPINode
    let kind: Kind
    /// The file with it: 0 for the imported one.
    let file: Int

    /// The file of a reference, as it is written; empty if it leads to the same file.
    static func path(_ text: String) -> String { String(text.prefix { $0 != "#" }) }

    /// The keys of a pointer in a file; `nil` for the name of an anchor.
    static func keys(_ text: String) -> [String]? {
        let fragment = text.drop { $0 != "#" }.dropFirst()
        if fragment.isEmpty { return [] }
        guard fragment.hasPrefix("/") else { return nil }
        return fragment.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { part in
            if !part.utf8.contains(where: { "%~".utf8.contains($0) }) { return String(part) }
            // A URI fragment escapes with `%`, and a JSON pointer in it with `~` (RFC 6901, section 6).
            return (String(part).removingPercentEncoding ?? String(part))
                .replacingOccurrences(of: "~1", with: "/").replacingOccurrences(of: "~0", with: "~")
        }
    }
}
