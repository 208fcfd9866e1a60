import LockstepJSON
import LockstepSchema

/// An enum of a model, which only SwiftData and Realm have.
struct CoreDataEnumeration {
    let node: XMLNode
    /// The path of its type.
    let name: String

    /// The enum in the language, with its cases.
    func sketch(named name: String) -> EnumSketch {
        let isInteger = node.isYes("isInteger")
        let cases = node.all("case").map { item -> (name: String, value: JSONValue) in
            let value = item["value"] ?? ""
            return (
                UsableName.enumCase(item["name"] ?? ""),
                isInteger ? Int64(value).map(JSONValue.integer) ?? .string(value) : .string(value)
            )
        }
        return EnumSketch(name: name, isInteger: isInteger, cases: cases, line: node.line)
    }
}

extension CoreDataModel {
    var enumerations: [CoreDataEnumeration] {
        root.all("enumeration").map { CoreDataEnumeration(node: $0, name: $0["name"] ?? "") }
    }
}
