import Foundation
import LockstepJSON
import LockstepSchema

/// How Core Data describes an attribute of a type of Swift.
struct SwiftAttributeForm {
    /// The attributes of Core Data's element.
    var values: [String: String]
    private let type: SwiftType
    private var enumeration: SwiftEnum?

    init(_ type: SwiftType) {
        self.type = type
        switch type {
        case .named(let name, _, _):
            values =
                SwiftScalars.types[name].map { ["attributeType": $0] }
                ?? ["attributeType": "Composite", "customClassName": type.description]
        default:
            values = ["attributeType": "Transformable", "customClassName": type.description, "isCodable": "YES"]
        }
    }

    /// Makes it one of an enum, or a list of one.
    mutating func use(_ enumeration: SwiftEnum, at path: [String]) {
        self.enumeration = enumeration
        values["enumeration"] = path.joined(separator: ".")
        (values["customClassName"], values["isCodable"]) = (nil, nil)
        if !isList { values["attributeType"] = enumeration.isInteger ? "Integer 64" : "String" }
    }

    private var isList: Bool { if case .array = type { true } else { false } }

    // MARK: Defaults

    /// A default as Core Data writes it; `nil` if it is no constant.
    func text(of value: SwiftValue) -> String? {
        if case .dictionary = type { return isEmptyCollection(value) ? "{}" : nil }
        if isList { return list(value).map { StoredJSON.text(of: .array($0)) } }
        if enumeration != nil { return caseName(of: value) }
        return SwiftScalars.text(value, of: values["attributeType"] ?? "")
    }

    private func isEmptyCollection(_ value: SwiftValue) -> Bool {
        switch value {
        case .emptyCollection: true
        case .list(let elements): elements.isEmpty
        case .call(let names, let arguments):
            arguments.isEmpty && ["init", "List", "MutableSet", "Map", "Set", "Array"].contains(names.last)
        default: false
        }
    }

    private func list(_ value: SwiftValue) -> [JSONValue]? {
        if isEmptyCollection(value) { return [] }
        guard case .list(let elements) = value, case .array(.named(let name, _, _)) = type else { return nil }
        let scalar = SwiftScalars.types[name] ?? ""
        let texts = elements.compactMap { enumeration != nil ? caseName(of: $0) : SwiftScalars.text($0, of: scalar) }
        guard texts.count == elements.count else { return nil }
        let isText = enumeration != nil || ["String", "UUID", "URI"].contains(scalar)
        return texts.compactMap { isText ? .string($0) : Self.json($0) }
    }

    private static func json(_ text: String) -> JSONValue? {
        switch text {
        case "YES": true
        case "NO": false
        default: try? JSONValue(json: Data(text.utf8))
        }
    }

    /// The case of `.happy`, `Mood.happy.rawValue` or a raw value.
    private func caseName(of value: SwiftValue) -> String? {
        let name: String?
        switch value {
        case .member(let names): name = names.last == "rawValue" ? names.dropLast().last : names.last
        case .text(let text), .number(let text): name = enumeration?.cases.first { $0.value == text }?.item.name
        default: name = nil
        }
        guard let name, enumeration?.cases.contains(where: { $0.item.name == name }) ?? false else { return nil }
        return UsableName.enumCase(name)
    }
}
