import Foundation
import LockstepJSON

/// Makes an attribute of the language of one of Core Data.
struct CoreDataAttribute {
    private let attribute: CoreDataProperty
    private let subject: String
    private let notes: CoreDataNotes
    private let isIdentity: Bool
    private var node: XMLNode { attribute.node }

    init(_ attribute: CoreDataProperty, of entity: CoreDataEntity, _ notes: CoreDataNotes, isIdentity: Bool) {
        (self.attribute, self.notes, self.isIdentity) = (attribute, notes, isIdentity)
        subject = "\(entity.name).\(attribute.name)"
    }

    /// Returns `nil` if it has no counterpart.
    func member(named name: String) -> MemberSketch? {
        let type = node["attributeType"] ?? ""
        if node.isYes("derived") {
            let expression = node["derivationExpression"].map { " = \($0)" } ?? ""
            notes.left(node, "\(subject), derived\(expression)", help: "Write it in Swift, as a computed property.")
            return nil
        }
        guard let scalar = Self.types[type] ?? special(type) else { return nil }
        var member = MemberSketch(name: name, type: scalar)
        let isOptional = node.isYes("optional")
        let isScalar = node.isYes("usesScalarValueType")
        let value = defaultValue(scalar)
        if isIdentity {
            if isOptional { notes.decided(node.line, "\(subject) is required, because it is the identity") }
        } else {
            member.isOptional = isOptional
            if let value { member.set("default", value) }
            if isOptional, isScalar, Self.numbers.contains(scalar) {
                // A property of a scalar type cannot be nil.
                member.isOptional = false
                if value == nil { member.set("default", scalar == "bool" ? false : 0) }
            }
        }
        addLimits(scalar, &member)
        if node.isYes("transient") { member.set("transient", true) }
        if node.isYes("indexed"), !isIdentity, !["data", "json"].contains(scalar) { member.set("indexed", true) }
        if node.isYes("allowsExternalBinaryDataStorage"), scalar == "data" { member.set("attachment", true) }
        return member
    }

    static let types = [
        "String": "string", "Boolean": "bool", "Date": "date", "Integer 16": "int16", "Integer 32": "int32",
        "Integer 64": "int64", "Double": "double", "Float": "float", "Decimal": "decimal", "Binary": "data",
        "URI": "url", "UUID": "uuid",
    ]

    private static let numbers: Set = ["bool", "int16", "int32", "int64", "double", "float"]

    // MARK: Types without a name in the language

    private func special(_ type: String) -> String? {
        switch type {
        case "Transformable": return transformable()
        case "Composite":
            notes.decided(node.line, "\(subject), a composite, is json")
            return "json"
        case "", "Undefined":
            notes.left(node, "\(subject) has no type", help: "If it is needed, write it in Swift, in an extension.")
        default:
            notes.left(node, "\(subject) has the type '\(type)', which is not known")
        }
        return nil
    }

    private func transformable() -> String {
        let custom = node["customClassName"] ?? attribute.userInfo.value("attributeValueClassName")
        let transformer = node["valueTransformerName"]
        let name = custom?.filter { !$0.isWhitespace }
        if let list = name.flatMap({ Self.lists[$0] }) { return list }
        if let name, Self.isNested(name) {
            notes.decided(node.line, "\(subject), a transformable of \(name), is json")
            return "json"
        }
        let names = [custom, transformer].compactMap(\.self).joined(separator: ", ")
        notes.decided(
            node.line, "\(subject), a transformable\(names.isEmpty ? "" : " (\(names))"), is data",
            help:
                "For a class of your own, write a type in `types:`. For JSON values, write `json`; for texts, "
                + "`[string]`."
        )
        return "data"
    }

    private static let lists = [
        "[String]": "[string]", "Array<String>": "[string]", "[NSString]": "[string]", "[Int]": "[int64]",
        "[Int64]": "[int64]", "[Int32]": "[int32]", "[Int16]": "[int16]", "[Double]": "[double]", "[Float]": "[float]",
        "[Bool]": "[bool]", "[Date]": "[date]", "[UUID]": "[uuid]", "[URL]": "[url]", "[Decimal]": "[decimal]",
    ]

    /// Whether a class consists of lists and dictionaries of JSON's values.
    private static func isNested(_ name: String) -> Bool {
        let words = name.split { "[]:<>,?".contains($0) }
        let known: Set<Substring> = [
            "String", "Int", "Int16", "Int32", "Int64", "Double", "Float", "Bool", "Any", "AnyHashable", "Array",
            "Dictionary", "NSString", "NSNumber", "NSArray", "NSDictionary", "NSMutableArray", "NSMutableDictionary",
        ]
        return !words.isEmpty && words.allSatisfy(known.contains)
    }

    // MARK: Values

    private func defaultValue(_ scalar: String) -> JSONValue? {
        if scalar == "date" {
            guard let seconds = node["defaultDateTimeInterval"].flatMap(Double.init) else { return nil }
            return .string(Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601))
        }
        guard let text = node["defaultValueString"] else { return nil }
        switch scalar {
        case "string", "uuid", "url": return .string(text)
        case "bool": return .bool(["YES", "TRUE", "1"].contains(text.uppercased()))
        case "int16", "int32", "int64":
            if let number = Double(text).flatMap({ Int64(exactly: $0.rounded()) }) { return .integer(number) }
        case "double", "float", "decimal":
            if let number = Double(text), number.isFinite {
                return Int64(exactly: number).map(JSONValue.integer) ?? .double(number)
            }
        default: break
        }
        notes.left(node.line, "\(subject): the default '\(text)'")
        return nil
    }

    private func addLimits(_ scalar: String, _ member: inout MemberSketch) {
        for (attribute, number, length) in [
            ("minValueString", "min", "minLength"), ("maxValueString", "max", "maxLength"),
        ] {
            guard let text = node[attribute] else { continue }
            switch (scalar, Double(text)) {
            case ("string", let value?) where value >= 0 && value < 1e9: member.set(length, .integer(Int64(value)))
            case ("int16", let value?), ("int32", let value?), ("int64", let value?), ("double", let value?),
                ("float", let value?), ("decimal", let value?):
                member.set(number, Int64(exactly: value).map(JSONValue.integer) ?? .double(value))
            default:
                notes.left(node.line, "\(subject): \(attribute) \(text)", help: "Check it in Swift, in `validate()`.")
            }
        }
        for attribute in ["minDateTimeInterval", "maxDateTimeInterval", "regularExpressionString"] {
            guard let text = node[attribute] else { continue }
            notes.left(node.line, "\(subject): \(attribute) \(text)", help: "Check it in Swift, in `validate()`.")
        }
    }
}
