import LockstepJSON

/// The types of attributes.
enum SwiftScalars {
    /// Those of Core Data.
    static let types: [String: CoreDataScalar] = [
        "String": .string, "Substring": .string, "NSString": .string, "Character": .string, "ObjectId": .string,
        "Bool": .boolean, "Date": .date, "NSDate": .date, "Int8": .integer16, "Int16": .integer16,
        "UInt8": .integer16, "UInt16": .integer32, "Int32": .integer32, "UInt32": .integer64, "Int": .integer64,
        "Int64": .integer64, "UInt": .integer64, "UInt64": .integer64, "Double": .double, "CGFloat": .double,
        "TimeInterval": .double, "Float": .float, "Decimal": .decimal, "Decimal128": .decimal, "Data": .binary,
        "NSData": .binary, "URL": .uri, "UUID": .uuid,
    ]

    /// The type of an expression that a property without a type begins with; `nil` if it does not say.
    static func type(of value: SwiftValue) -> SwiftType? {
        switch value {
        case .call(let names, let arguments) where names.last == "LinkingObjects": linkingObjects(arguments)
        case .text: .named("String")
        case .number(let digits):
            .named(digits.contains { ".eEpP".contains($0) } && !isHexadecimal(digits) ? "Double" : "Int")
        case .bool: .named("Bool")
        case .emptyCollection(let type): type
        case .list(let elements): elements.first.flatMap(type).map(SwiftType.array)
        case .call(let names, _): isInitializer(names) || isScalar(names) ? .named(path(of: names)) : nil
        case .member(let names) where names.last == "uuidString": .named("String")
        case .member(let names) where names.last == "rawValue":
            .named(path(of: names.dropLast(2))).map { .named("RawValue", of: [], in: $0.path ?? []) }
        case .member(let names): .named(path(of: names.dropLast()))
        case .none, .keyPath, .sum, .other: nil
        }
    }

    /// The type of `LinkingObjects(fromType: Kennel.self, property: "hounds")`.
    private static func linkingObjects(_ arguments: [SwiftArgument]) -> SwiftType? {
        arguments.first?.value.typeNames.flatMap { SwiftType.named($0) }
            .map { .named("LinkingObjects", of: [$0], in: []) }
    }

    /// The names of a type in `Date`, `Date.init` and `Foundation.Date`.
    private static func path(of names: [String]) -> [String] {
        let end = names.lastIndex { $0.first?.isUppercase ?? false }
        return end.map { Array(names[...$0]) } ?? []
    }

    /// Whether a call is one of a type, such as `Date()` or `.init()`, and not of a function.
    private static func isInitializer(_ names: [String]) -> Bool {
        names.last == "init" || names.last?.first?.isUppercase ?? false
    }

    /// Whether a call is one of a scalar, whose static functions make values of it: `ObjectId.generate()`.
    private static func isScalar(_ names: [String]) -> Bool {
        names.dropLast().last.map { types[$0] != nil } ?? false
    }

    private static func isHexadecimal(_ digits: String) -> Bool { digits.hasPrefix("0x") || digits.hasPrefix("-0x") }

    /// A default; `nil` if it is not a constant of the type.
    static func value(_ value: SwiftValue, of type: CoreDataScalar) -> JSONValue? {
        switch (value, type) {
        case (.text(let text), .string), (.text(let text), .uri), (.text(let text), .uuid): .string(text)
        case (.number(let digits), _) where isNumber(type):
            CoreDataLiteral.value(digits, of: .one(type.type))
        case (.bool(let flag), .boolean): .bool(flag)
        case (.call(let names, let arguments), _) where isInitializer(names):
            self.value(names, arguments: arguments, of: type)
        case (.member(let names), .date) where names.last == "now": "now"
        case (.member(let names), _) where isNumber(type) && names.last == "zero": 0
        default: nil
        }
    }

    private static func value(_ names: [String], arguments: [SwiftArgument], of type: CoreDataScalar) -> JSONValue? {
        guard let first = arguments.first else {
            return switch type {
            case .date: "now"
            case .uuid: "new"
            case .string: names.last == "String" ? "" : nil
            default: nil
            }
        }
        guard arguments.count == 1, first.label == nil || ["string", "uuidString"].contains(first.label) else {
            return nil
        }
        if type == .decimal, case .text(let digits) = first.value { return JSONValue(number: digits) }
        return value(first.value, of: type)
    }

    private static func isNumber(_ type: CoreDataScalar) -> Bool {
        type == .decimal || type.isNumber && type != .boolean
    }
}
