/// The types of attributes.
enum SwiftScalars {
    /// Their names in Core Data.
    static let types = [
        "String": "String", "Substring": "String", "NSString": "String", "Character": "String", "ObjectId": "String",
        "Bool": "Boolean", "Date": "Date", "NSDate": "Date", "Int8": "Integer 16", "Int16": "Integer 16",
        "UInt8": "Integer 16", "UInt16": "Integer 32", "Int32": "Integer 32", "UInt32": "Integer 64",
        "Int": "Integer 64", "Int64": "Integer 64", "UInt": "Integer 64", "UInt64": "Integer 64", "Double": "Double",
        "CGFloat": "Double", "TimeInterval": "Double", "Float": "Float", "Decimal": "Decimal", "Decimal128": "Decimal",
        "Data": "Binary", "NSData": "Binary", "URL": "URI", "UUID": "UUID",
    ]

    /// The type of an expression that a property without a type begins with; `nil` if it does not say.
    static func type(of value: SwiftValue) -> SwiftType? {
        switch value {
        case .text: .named("String")
        case .number(let digits):
            .named(digits.contains { ".eEpP".contains($0) } && !isHexadecimal(digits) ? "Double" : "Int")
        case .bool: .named("Bool")
        case .emptyCollection(let type): type
        case .list(let elements): elements.first.flatMap(type).map(SwiftType.array)
        case .call(let names, _): isInitializer(names) ? .named(path(of: names)) : nil
        case .member(let names) where names.last == "uuidString": .named("String")
        case .member(let names): .named(path(of: names.last == "rawValue" ? [] : names.dropLast()))
        case .none, .keyPath, .other: nil
        }
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

    private static func isHexadecimal(_ digits: String) -> Bool { digits.hasPrefix("0x") || digits.hasPrefix("-0x") }

    /// A default as Core Data writes it; `nil` if it is not a constant of the type.
    ///
    /// - Parameter type: The name in Core Data.
    static func text(_ value: SwiftValue, of type: String) -> String? {
        switch (value, type) {
        case (.text(let text), "String"), (.text(let text), "URI"), (.text(let text), "UUID"): text
        case (.number(let digits), _) where numbers.contains(type): digits
        case (.bool(let flag), "Boolean"): flag ? "YES" : "NO"
        case (.call(let names, let arguments), _) where isInitializer(names):
            text(names, arguments: arguments, of: type)
        case (.member(let names), "Date") where names.last == "now": "now"
        case (.member(let names), _) where numbers.contains(type) && names.last == "zero": "0"
        default: nil
        }
    }

    private static func text(_ names: [String], arguments: [SwiftArgument], of type: String) -> String? {
        guard let first = arguments.first else {
            return switch type {
            case "Date": "now"
            case "UUID": "new"
            case "String": names.last == "String" ? "" : nil
            default: nil
            }
        }
        guard arguments.count == 1, first.label == nil || ["string", "uuidString"].contains(first.label) else {
            return nil
        }
        if type == "Decimal", case .text(let digits) = first.value { return digits }
        return text(first.value, of: type)
    }

    private static let numbers: Set = ["Integer 16", "Integer 32", "Integer 64", "Double", "Float", "Decimal"]
}
