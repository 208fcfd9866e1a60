import LockstepJSON
import LockstepSchema

/// How Core Data has an attribute of a type of Swift.
struct SwiftAttributeForm {
    private let type: SwiftType
    private let enumeration: SwiftEnum?
    /// The type in Core Data.
    private(set) var stored: CoreDataType

    /// - Parameters:
    ///   - enumeration: The enum that the type is, or a list of, with the path of its type.
    ///   - parts: The members of the structure that it is.
    init(
        _ type: SwiftType, enumeration: (SwiftEnum, path: [String])?,
        parts: [(name: String, type: CoreDataScalar)]
    ) {
        (self.type, self.enumeration) = (type, enumeration?.0)
        stored = .undefined
        if let (found, path) = enumeration {
            let name = path.joined(separator: ".")
            stored = isList ? .enumerationList(name) : .enumeration(name, found.isInteger ? .integer64 : .string)
        } else if case .named(let name, _, _) = type {
            stored = SwiftScalars.types[name].map(CoreDataType.scalar) ?? .composite(words: words, parts: parts)
        } else {
            encode()
        }
    }

    private var isList: Bool { if case .array = type { true } else { false } }

    /// What the report calls the type.
    private var words: String { "of the type \(type)" }

    /// Stores what the type itself encodes.
    mutating func encode() { stored = transformed(by: nil) }

    /// Stores what a transformer makes of it.
    mutating func transform(by transformer: String) { stored = transformed(by: transformer) }

    private func transformed(by transformer: String?) -> CoreDataType {
        .transformable(
            CoreDataTransformable(type.description, transformer: transformer, isCodable: transformer == nil) { _ in
                words + (transformer.map { " with \($0)" } ?? "")
            })
    }

    // MARK: Defaults

    /// A default; `nil` if it is no constant.
    func value(_ value: SwiftValue) -> JSONValue? {
        if case .dictionary = type { return isEmptyCollection(value) ? [:] : nil }
        if isList { return list(value).map(JSONValue.array) }
        if enumeration != nil { return caseName(of: value) }
        guard case .scalar(let scalar) = stored else { return nil }
        return SwiftScalars.value(value, of: scalar)
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
        let values = elements.compactMap { element in
            enumeration != nil
                ? caseName(of: element)
                : SwiftScalars.types[name].flatMap { SwiftScalars.value(element, of: $0) }
        }
        return values.count == elements.count ? values : nil
    }

    /// The case of `.happy`, `Mood.happy.rawValue` or a raw value.
    private func caseName(of value: SwiftValue) -> JSONValue? {
        let found = enumeration?.cases.first { item, _, raw in
            switch value {
            case .member(let names): item.name == (names.last == "rawValue" ? names.dropLast().last : names.last)
            case .text(let text), .number(let text): raw == text
            default: false
            }
        }
        return found.map { .string($0.name) }
    }
}
