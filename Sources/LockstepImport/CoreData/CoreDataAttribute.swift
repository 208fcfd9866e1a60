import Foundation
import LockstepJSON

/// Makes an attribute of the language of one of Core Data.
struct CoreDataAttribute {
    private let attribute: CoreDataProperty
    private let subject: String
    private let notes: CoreDataNotes
    private let isIdentity: Bool
    /// The enum of its values; `nil` if it has none.
    private let enumeration: String?
    private var node: XMLNode { attribute.node }

    init(
        _ attribute: CoreDataProperty, of entity: CoreDataEntity, enumeration: String?, notes: CoreDataNotes,
        isIdentity: Bool
    ) {
        (self.attribute, self.enumeration) = (attribute, enumeration)
        (self.notes, self.isIdentity) = (notes, isIdentity)
        subject = "\(entity.name).\(attribute.name)"
    }

    /// Returns `nil` if it has no counterpart.
    func member(named name: String) -> MemberSketch? {
        let type = node["attributeType"] ?? ""
        if node.isYes("derived") {
            let expression = node["derivationExpression"].map { " = \($0)" } ?? ""
            notes.left(
                node, text: "\(subject), derived\(expression)", help: "Write it in Swift, as a computed property.")
            return nil
        }
        let own = enumeration.map { type == "Transformable" ? TypeSketch.list(of: $0) : .one($0) }
        guard let known = own ?? Self.types[type].map(TypeSketch.one) ?? special(type) else { return nil }
        var member = MemberSketch(name: name, type: known, line: node.line)
        let scalar = known.isList ? "" : known.name
        let isOptional = node.isYes("optional")
        let value = defaultValue(known)
        if isIdentity {
            if isOptional { notes.decided(node.line, text: "\(subject) is required, because it is an identity") }
            if value == "new", scalar == "uuid" {
                member.defaultValue = "new"
            } else if let value, value != 0, value != "" {
                notes.left(
                    node.line, text: "\(subject): the default \(node["defaultValueString"] ?? "") of an identity")
            }
        } else {
            member.isOptional = isOptional
            member.defaultValue = value
            let isScalar = scalar == "bool" || TypeSketch.numbers.contains(scalar) && scalar != "decimal"
            if isOptional, isScalar, node.isYes("usesScalarValueType") {
                notes.scalars.append(subject)
                // A property of a scalar type cannot be nil.
                member.isOptional = false
                if value == nil { member.defaultValue = scalar == "bool" ? false : 0 }
            }
        }
        addLimits(scalar, to: &member)
        member.isTransient = node.isYes("transient")
        if !member.isTransient {
            member.isIndexed = !isIdentity && node.isYes("indexed")
            member.isAttachment =
                scalar == "data" && member.isOptional && node.isYes("allowsExternalBinaryDataStorage")
        }
        return member
    }

    static let types = [
        "String": "string", "Boolean": "bool", "Date": "date", "Integer 16": "int16", "Integer 32": "int32",
        "Integer 64": "int64", "Double": "double", "Float": "float", "Decimal": "decimal", "Binary": "data",
        "URI": "url", "UUID": "uuid",
    ]

    // MARK: Types without a name in the language

    private func special(_ type: String) -> TypeSketch? {
        switch type {
        case "Transformable": return transformable()
        case "Composite":
            let name = node["customClassName"].map { " (\($0))" } ?? ""
            notes.decided(node.line, text: "\(subject), a composite\(name), is json")
            return .one("json")
        case "", "Undefined":
            notes.left(
                node, text: "\(subject) has no type", help: "If it is needed, write it in Swift, in an extension.")
        default:
            notes.left(node, text: "\(subject) has the type '\(type)', which is not known")
        }
        return nil
    }

    private func transformable() -> TypeSketch {
        let isCodable = node.isYes("isCodable")
        let custom = node["customClassName"] ?? attribute.userInfo.value("attributeValueClassName")
        let name = custom?.filter { !$0.isWhitespace }
        if let plain = name.flatMap({ Self.classes[$0] }) {
            if let transformer = node["valueTransformerName"], !Self.archivers.contains(transformer) {
                notes.decided(
                    node.line, text: "\(subject), a transformable of \(name ?? ""), is \(plain)",
                    help: "What '\(transformer)' makes of it is in no row that is copied: write its values in Swift.")
            }
            return plain
        }
        if let name, isCodable || Self.isNested(name) {
            notes.decided(node.line, text: "\(subject), a transformable of \(name), is json")
            return .one("json")
        }
        let names = [custom, node["valueTransformerName"]].compactMap(\.self).joined(separator: ", ")
        notes.decided(
            node.line, text: "\(subject), a transformable\(names.isEmpty ? "" : " (\(names))"), is data",
            help:
                "For a class of your own, write a type in `types:`. For JSON values, write `json`; for texts, "
                + "`[string]`."
        )
        return .one("data")
    }

    /// Transformers that archive any value.
    private static let archivers: Set = [
        "", "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformerName", "NSUnarchiveFromData",
        "NSKeyedUnarchiveFromData",
    ]

    private static let classes: [String: TypeSketch] = [
        "String": .one("string"), "NSString": .one("string"), "URL": .one("url"), "NSURL": .one("url"),
        "UUID": .one("uuid"), "NSUUID": .one("uuid"), "Date": .one("date"), "NSDate": .one("date"),
        "Data": .one("data"), "NSData": .one("data"), "[String]": .list(of: "string"),
        "Array<String>": .list(of: "string"), "[NSString]": .list(of: "string"), "[Int]": .list(of: "int64"),
        "[Int64]": .list(of: "int64"), "[Int32]": .list(of: "int32"), "[Int16]": .list(of: "int16"),
        "[Double]": .list(of: "double"), "[Float]": .list(of: "float"), "[Bool]": .list(of: "bool"),
        "[Date]": .list(of: "date"), "[UUID]": .list(of: "uuid"), "[URL]": .list(of: "url"),
        "[Decimal]": .list(of: "decimal"),
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

    private var isEnumCase: Bool { enumeration != nil && node["attributeType"] != "Transformable" }

    private func defaultValue(_ type: TypeSketch) -> JSONValue? {
        if let text = node["defaultDateTimeInterval"] {
            if type == .one("date"), let date = Self.date(text) { return date }
            lose("defaultDateTimeInterval", text: text)
        }
        guard let text = node["defaultValueString"] else { return nil }
        if let value = isEnumCase ? .string(text) : Self.value(text, of: type) { return value }
        lose("defaultValueString", text: text)
        return nil
    }

    /// A default as text, without losing digits; `nil` if it is none of the type.
    private static func value(_ text: String, of type: TypeSketch) -> JSONValue? {
        if type.isList {
            guard case .array(let elements)? = try? JSONValue(json: Data(text.utf8)) else { return nil }
            return .array(elements)
        }
        if type.name == "date" { return text == "now" ? "now" : nil }
        let value = JSONValue.string(text)
        // Xcode keeps the default of an attribute whose type was changed: `NO` of a number, `0.0` of a Boolean.
        return value.asDefault(of: type.name) ?? value.asDefault(of: "bool")?.asDefault(of: type.name)
    }

    /// A date in whole seconds since 2001, in the years that ISO 8601 writes with four digits.
    private static func date(_ text: String) -> JSONValue? {
        guard let seconds = Double(text), seconds.rounded() == seconds, (-6.0e10...2.5e11).contains(seconds) else {
            return nil
        }
        return .string(Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601))
    }

    private func addLimits(_ scalar: String, to member: inout MemberSketch) {
        for (attribute, limit, length) in Self.limits {
            guard let text = node[attribute] else { continue }
            if scalar == "string", let count = Int64(text), count >= 0 {
                member[keyPath: length] = count
            } else if TypeSketch.numbers.contains(scalar), let number = JSONValue(number: text) {
                member[keyPath: limit] = number
            } else {
                lose(attribute, text: text)
            }
        }
        for attribute in Self.otherLimits {
            if let text = node[attribute] { lose(attribute, text: text) }
        }
    }

    private static var limits:
        [(String, WritableKeyPath<MemberSketch, JSONValue?>, WritableKeyPath<MemberSketch, Int64?>)]
    {
        [
            ("minValueString", \.minimum, \.minimumLength), ("maxValueString", \.maximum, \.maximumLength),
        ]
    }

    private static let otherLimits = ["minDateTimeInterval", "maxDateTimeInterval", "regularExpressionString"]

    private func lose(_ attribute: String, text: String) {
        let isDefault = attribute.hasPrefix("default")
        notes.left(
            node.line, text: "\(subject): \(attribute) \(text)",
            help: isDefault ? nil : "Check it in Swift, in `validate()`.")
    }
}
