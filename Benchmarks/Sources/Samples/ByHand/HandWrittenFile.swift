/// A file as one would write it by hand.
package struct HandWrittenFile {
    package let name: String
    package let text: String

    init(_ name: String, imports: [String], _ lines: [String]) {
        self.name = name
        text = (imports.map { "import " + $0 } + [""] + lines).joined(separator: "\n") + "\n"
    }
}

extension SampleSchema {
    /// The same entities in the style of those who write them by hand today: five files for each, one for each enum.
    package var handWritten: [HandWrittenFile] {
        let access = isPublic ? "public " : ""
        return enumerations.map { $0.handWritten(access) } + entities.flatMap { HandWrittenEntity($0, access).files }
    }
}

extension SampleEnumeration {
    fileprivate func handWritten(_ access: String) -> HandWrittenFile {
        let cases = cases.map { "    case \($0.name)" + ($0.name == $0.rawValue ? "" : " = \"\($0.rawValue)\"") }
        return HandWrittenFile(
            name + ".swift", imports: ["GRDB"],
            ["\(access)enum \(name): String, Codable, CaseIterable, Sendable {"] + cases + ["}", ""]
                + ["extension \(name): DatabaseValueConvertible {}"])
    }
}

/// What the files of one entity are put together from.
struct HandWrittenEntity {
    let entity: SampleEntity
    /// `public ` or nothing.
    let access: String

    init(_ entity: SampleEntity, _ access: String) {
        self.entity = entity
        self.access = access
    }

    var name: String { entity.name }
    var representationName: String { name + "Representation" }
    var attributes: [SampleAttribute] { entity.attributes }
    var parent: SampleRelationship { entity.parent }
    var children: SampleRelationship { entity.children }
    var parentKeyType: String { parent.keyType.swift + "?" }
    var parentKeyColumn: String { snakeCase(parent.name) + "_id" }
    var childrenType: String { "[\(children.destination)Representation]?" }

    var files: [HandWrittenFile] {
        [classFile, convenienceFile, encodableFile, representationFile, databaseFile]
    }

    /// `lines` with a comma behind each but the last.
    func separated(_ lines: [String]) -> [String] {
        lines.dropLast().map { $0 + "," } + lines.suffix(1)
    }
}

extension SampleAttribute {
    var swiftType: String { type.swift + (isOptional ? "?" : "") }

    /// The type with the default that an initializer gives it.
    var swiftParameter: String {
        let value: String? =
            switch (type, defaultValue) {
            case (.uuid, _): "UUID()"
            case (_, "now"): "Date()"
            case (.enumeration, let name?): "." + name
            case (_, let literal?): literal
            case (_, nil): isOptional ? "nil" : nil
            }
        return "\(name): \(swiftType)" + (value.map { " = " + $0 } ?? "")
    }
}

extension SampleType {
    var swift: String {
        switch self {
        case .uuid: "UUID"
        case .int: "Int"
        case .string: "String"
        case .date: "Date"
        case .decimal: "Decimal"
        case .double: "Double"
        case .bool: "Bool"
        case .url: "URL"
        case .enumeration(let name): name
        }
    }

    var sql: String {
        switch self {
        case .uuid, .string, .decimal, .url, .enumeration: "TEXT"
        case .int: "INTEGER"
        case .date: "DATETIME"
        case .double: "REAL"
        case .bool: "BOOLEAN"
        }
    }
}
