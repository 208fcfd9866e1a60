extension SampleSchema {
    /// The same entities as a Core Data model, in the way Xcode saves it.
    ///
    /// What Core Data has no word for is written as its users do: an enum is a string or a whole number, and a key in
    /// JSON is in the user info. Each entity also has a binary or a transformable attribute.
    package var coreDataModel: String {
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
            XMLTag(
                "model",
                [
                    ("type", "com.apple.IDECoreDataModeler.DataModel"), ("documentVersion", "1.0"),
                    ("lastSavedToolsVersion", "22522"), ("systemVersion", "23D56"),
                    ("minimumToolsVersion", "Automatic"), ("sourceLanguage", "Swift"),
                    ("userDefinedModelVersionIdentifier", ""),
                ]
            ).opening,
        ]
        for (number, entity) in entities.enumerated() {
            lines += CoreDataEntityText(entity, number: number).lines.map { "    " + $0 }
        }
        lines.append("</model>")
        return lines.joined(separator: "\n") + "\n"
    }
}

/// One entity of a Core Data model.
private struct CoreDataEntityText {
    let entity: SampleEntity
    let number: Int

    init(_ entity: SampleEntity, number: Int) {
        (self.entity, self.number) = (entity, number)
    }

    var lines: [String] {
        let tag = XMLTag(
            "entity",
            [
                ("name", entity.name), ("representedClassName", entity.name), ("syncable", "YES"),
                ("codeGenerationType", "class"),
            ])
        let members =
            entity.attributes.flatMap(attribute) + payload + relationship(entity.parent, isToMany: false)
            + relationship(entity.children, isToMany: true) + indexes + constraint + userInfo
        return [tag.opening] + members.map { "    " + $0 } + [tag.closing]
    }

    private func attribute(_ attribute: SampleAttribute) -> [String] {
        var pairs = [("name", attribute.name)]
        if attribute.isOptional { pairs.append(("optional", "YES")) }
        let type = coreDataType(attribute)
        pairs.append(("attributeType", type))
        if let minimum = attribute.minimum ?? attribute.minimumLength { pairs.append(("minValueString", "\(minimum)")) }
        if let maximum = attribute.maximum ?? attribute.maximumLength { pairs.append(("maxValueString", "\(maximum)")) }
        switch (attribute.type, attribute.defaultValue) {
        case (.date, "now"?): pairs.append(("defaultDateTimeInterval", "\(726_000_000 + number * 3600)"))
        case (.bool, let value?): pairs.append(("defaultValueString", value == "true" ? "YES" : "NO"))
        case (.decimal, let value?), (.double, let value?): pairs.append(("defaultValueString", value + ".0"))
        case (_, let value?): pairs.append(("defaultValueString", value))
        case (_, nil): break
        }
        let isScalar = ["Integer 16", "Integer 32", "Integer 64", "Double", "Float", "Boolean"].contains(type)
        if isScalar || type == "Date" { pairs.append(("usesScalarValueType", isScalar ? "YES" : "NO")) }
        return XMLTag("attribute", pairs).lines(around: Self.userInfo(entries(attribute)))
    }

    private func coreDataType(_ attribute: SampleAttribute) -> String {
        switch attribute.type {
        case .uuid: "UUID"
        case .int: attribute.name == "id" ? "Integer 64" : "Integer 32"
        case .string: "String"
        case .date: "Date"
        case .decimal: "Decimal"
        case .double: number.isMultiple(of: 2) ? "Double" : "Float"
        case .bool: "Boolean"
        case .url: "URI"
        case .enumeration: "String"
        }
    }

    private func entries(_ attribute: SampleAttribute) -> [(String, String)] {
        if let key = attribute.key { return [("sync.remoteKey", key)] }
        if attribute.type == .date, attribute.isOptional { return [("dateFormat", "yyyy-MM-dd'T'HH:mm:ss")] }
        return []
    }

    /// A rank, of a type that the schema does not use, and an image or something that a class of the app encodes.
    private var payload: [String] {
        let image: [(String, String)] =
            number.isMultiple(of: 4)
            ? [("attributeType", "Transformable"), ("valueTransformerName", "NSSecureUnarchiveFromData")]
                + (number.isMultiple(of: 8) ? [("customClassName", "[String]")] : [])
            : [("attributeType", "Binary"), ("allowsExternalBinaryDataStorage", "YES")]
        return [
            XMLTag(
                "attribute",
                [
                    ("name", "sortOrder"), ("attributeType", "Integer 16"), ("defaultValueString", "0"),
                    ("usesScalarValueType", "YES"),
                ]
            ).empty,
            XMLTag("attribute", [("name", "preview"), ("optional", "YES")] + image).empty,
        ]
    }

    private func relationship(_ relationship: SampleRelationship, isToMany: Bool) -> [String] {
        let tag = XMLTag(
            "relationship",
            [("name", relationship.name), ("optional", "YES"), isToMany ? ("toMany", "YES") : ("maxCount", "1")]
                + [
                    ("deletionRule", isToMany && relationship.isOnWire ? "Cascade" : "Nullify"),
                    ("destinationEntity", relationship.destination), ("inverseName", relationship.inverse),
                    ("inverseEntity", relationship.destination),
                ])
        return [tag.empty]
    }

    private var indexes: [String] {
        entity.attributes.filter(\.isIndexed).flatMap { attribute in
            XMLTag("fetchIndex", [("name", "by\(attribute.name)")]).lines(around: [
                XMLTag(
                    "fetchIndexElement",
                    [("property", attribute.name), ("type", "Binary"), ("order", "ascending")]
                ).empty
            ])
        }
    }

    private var constraint: [String] {
        let unique = [entity.identity] + entity.attributes.filter(\.isUnique)
        let constraints = unique.flatMap { attribute in
            XMLTag("uniquenessConstraint", []).lines(around: [
                XMLTag("constraint", [("value", attribute.name)]).empty
            ])
        }
        return XMLTag("uniquenessConstraints", []).lines(around: constraints)
    }

    /// One in four notes something that means nothing to an import.
    private var userInfo: [String] {
        Self.userInfo(number.isMultiple(of: 4) ? [("documentation", entity.documentation)] : [])
    }

    private static func userInfo(_ entries: [(String, String)]) -> [String] {
        if entries.isEmpty { return [] }
        return XMLTag("userInfo", []).lines(
            around: entries.map { XMLTag("entry", [("key", $0.0), ("value", $0.1)]).empty })
    }
}

/// An element of XML, in the parts from which its lines are made.
private struct XMLTag {
    let name: String
    let attributes: String

    init(_ name: String, _ attributes: [(String, String)]) {
        self.name = name
        self.attributes = attributes.map { " \($0.0)=\"\(Self.escaped($0.1))\"" }.joined()
    }

    var opening: String { "<\(name)\(attributes)>" }
    var closing: String { "</\(name)>" }
    var empty: String { "<\(name)\(attributes)/>" }

    /// The element with these lines inside.
    func lines(around content: [String]) -> [String] {
        content.isEmpty ? [empty] : [opening] + content.map { "    " + $0 } + [closing]
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, letter in
            switch letter {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(letter)
            }
        }
    }
}
