import Foundation
import LockstepJSON

/// The fixed values of a schema: `enum`, `const`, or a choice of constants.
struct OpenAPIEnumeration {
    /// Without null.
    let values: [JSONValue]
    /// The names of the cases that code generators read.
    let names: [String]

    /// `nil` if a schema has no fixed values.
    init?(_ value: OpenAPIValue) {
        let node = value.node
        var titles: [String] = []
        if node.peek("enum")?.isList == true {
            values = (node["enum"]?.elements ?? []).map(\.json).filter { $0 != .null }
        } else if let constant = node.peek("const"), !constant.isObject, !constant.isList {
            values = node["const"].map { [$0.json] }?.filter { $0 != .null } ?? []
        } else if let constants = Self.constants(of: node) {
            values = constants.map(\.value)
            titles = constants.map(\.title)
        } else {
            return nil
        }
        let key = ["x-enum-varnames", "x-enumNames", "x-enum-names"].first { node.peek($0)?.isList == true }
        names = key.flatMap { node[$0]?.elements.compactMap(\.text) } ?? titles
    }

    /// The constants of a choice that consists of them only, each with its title; an empty one if it has none.
    private static func constants(of node: OpenAPINode) -> [(value: JSONValue, title: String)]? {
        for key in ["oneOf", "anyOf"] {
            let branches = node.peek(key)?.peekedElements ?? []
            guard !branches.isEmpty, branches.allSatisfy({ $0.peek("const") != nil }) else { continue }
            return (node[key]?.elements ?? []).compactMap { branch in
                guard let value = branch["const"]?.json, value != .null else { return nil }
                // A text is a name itself.
                if case .string = value { return (value, "") }
                return (value, branch["title"]?.text ?? "")
            }
        }
        return nil
    }

    /// Whether all values are whole numbers; `nil` if they are of no type that an enum has.
    var isInteger: Bool? { EnumSketch.areIntegers(values) }

    /// The values as JSON, for notes.
    var text: String { values.map(Self.text).joined(separator: ", ") }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .bool(let flag): String(flag)
        case .decimal(let number): number.description
        case .double(let number): number.description
        default: "…"
        }
    }
}
