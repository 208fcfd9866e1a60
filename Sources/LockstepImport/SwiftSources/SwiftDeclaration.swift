import Foundation

/// A class, a structure, an enum or an extension, as a file of Swift declares it.
struct SwiftDeclaration {
    enum Kind { case `class`, type, enumeration, `extension` }

    let kind: Kind
    /// The names of the types that it is nested in, and its own.
    var path: [String]
    /// Of all files, from 1: ``FileLines`` knows the file.
    let line: Int
    /// What a type alias stands for.
    var target: SwiftType?
    /// The last names of what it inherits from or conforms to.
    var inherited: [String] = []
    /// The path of what it inherits from, if it is a class with a parent.
    var parent: [String] = []
    var attributes: [SwiftAttribute] = []
    var properties: [SwiftProperty] = []
    /// What expands in its body, such as `#Unique`.
    var macros: [SwiftAttribute] = []
    var cases: [Case] = []
    /// The defaults of the parameters of its initializers, by their names.
    var parameters: [String: SwiftValue] = [:]
    /// The names of its functions, with what they return if it is one expression.
    var functions: [(name: String, result: SwiftValue?)] = []

    struct Case {
        let name: String
        let line: Int
        let value: SwiftValue?
        let hasParameters: Bool
    }

    var name: String { path[path.count - 1] }

    func has(_ attribute: String) -> Bool { attributes.contains { $0.name == attribute } }
}

/// A property of a type.
struct SwiftProperty {
    let name: String
    let line: Int
    let type: SwiftType?
    let attributes: [SwiftAttribute]
    let value: SwiftValue?
    let isStatic: Bool
    /// The code of a computed property; `nil` for a stored one.
    let code: String?
    /// What the code of a computed property returns, if it is one expression.
    let result: SwiftValue?

    subscript(_ attribute: String) -> SwiftAttribute? { attributes.first { $0.name == attribute } }

    /// The name in `Mood(rawValue: moodRaw)`, if it is computed by such code.
    var rawName: String? {
        guard let code, let start = code.range(of: "rawValue:")?.upperBound else { return nil }
        let rest = code[start...].drop(while: \.isWhitespace)
        let name = (rest.hasPrefix("self.") ? rest.dropFirst(5) : rest).prefix {
            $0.isLetter || $0.isNumber || $0 == "_"
        }
        return name.isEmpty ? nil : String(name)
    }
}

/// An attribute, or a macro that is attached as one: `@Attribute(.unique)`.
struct SwiftAttribute {
    let name: String
    let line: Int
    let arguments: [SwiftArgument]

    /// The value of the argument with a label.
    subscript(_ label: String) -> SwiftValue? { arguments.first { $0.label == label }?.value }

    var unlabelled: [SwiftValue] { arguments.filter { $0.label == nil }.map(\.value) }
}

struct SwiftArgument: Hashable {
    let label: String?
    let value: SwiftValue
}

/// A type as it is written.
indirect enum SwiftType: Hashable, CustomStringConvertible {
    /// The last name of a path, and the others: `Trip` in `SchemaV1` of `SchemaV1.Trip`.
    case named(String, of: [SwiftType], in: [String])
    case array(SwiftType)
    case dictionary(SwiftType, SwiftType)
    case optional(SwiftType)
    case other(String)

    static func named(_ name: String) -> SwiftType { .named(name, of: [], in: []) }

    static func named(_ path: [String]) -> SwiftType? {
        path.last.map { .named($0, of: [], in: path.dropLast()) }
    }

    /// The names of one without parameters.
    var path: [String]? {
        guard case .named(let name, let parameters, let path) = self, parameters.isEmpty else { return nil }
        return path + [name]
    }

    var description: String {
        switch self {
        case .named(let name, let parameters, _):
            parameters.isEmpty ? name : "\(name)<\(parameters.map(\.description).joined(separator: ", "))>"
        case .array(let element): "[\(element)]"
        case .dictionary(let key, let value): "[\(key): \(value)]"
        case .optional(let wrapped): "\(wrapped)?"
        case .other(let text): text
        }
    }
}

/// An expression, as far as models have it.
indirect enum SwiftValue: Hashable {
    case text(String)
    /// As it is written, without `_`.
    case number(String)
    case bool(Bool)
    case none
    case list([SwiftValue])
    /// Values with `+` between them.
    case sum([SwiftValue])
    /// `Mood.happy`, and `.happy`, which begins with an empty name.
    case member([String])
    /// The properties of a key path.
    case keyPath([String])
    case call([String], [SwiftArgument])
    case emptyCollection(SwiftType)
    /// Its beginning, for the report.
    case other(String)

    /// The names of a type in `SchemaV1.Trip.self`.
    var typeNames: [String]? {
        guard case .member(let names) = self, names.last == "self", names.count > 1 else { return nil }
        return names.dropLast()
    }

    /// The value of the argument with a label, if it is a call.
    subscript(_ label: String) -> SwiftValue? {
        guard case .call(_, let arguments) = self else { return nil }
        return arguments.first { $0.label == label }?.value
    }

    /// Whether an optional is `nil` with it: `.none` is also one, even if a type has such a case.
    var isNil: Bool { [SwiftValue.none, .member(["", "none"]), .member(["Optional", "none"])].contains(self) }

    /// Whether it is `RealmProperty<Int?>()`, which has no value yet.
    var isRealmValue: Bool {
        let name: String? =
            switch self {
            case .emptyCollection(.named(let name, _, _)): name
            case .call(let names, let arguments): arguments.isEmpty ? names.last : nil
            default: nil
            }
        return ["RealmOptional", "RealmProperty"].contains(name)
    }

    /// The last name of `.cascade` and `Schema.Relationship.DeleteRule.cascade`.
    var caseName: String? {
        switch self {
        case .member(let names), .call(let names, _): names.last
        default: nil
        }
    }

    /// What the report says of it.
    var shown: String {
        switch self {
        case .text(let text): "\"\(text)\""
        case .number(let text), .other(let text): text
        case .bool(let value): "\(value)"
        case .none: "nil"
        case .list(let elements): "[\(elements.map(\.shown).joined(separator: ", "))]"
        case .sum(let parts): parts.map(\.shown).joined(separator: " + ")
        case .member(let names): names.joined(separator: ".")
        case .keyPath(let names): "\\.\(names.joined(separator: "."))"
        case .call(let names, let arguments): "\(names.joined(separator: "."))(\(arguments.isEmpty ? "" : "…"))"
        case .emptyCollection(.dictionary): "[:]"
        case .emptyCollection(let type): "\(type)()"
        }
    }
}
