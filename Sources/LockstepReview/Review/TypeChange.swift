import LockstepEvolution

/// The effect on the values of an attribute whose type changes.
enum TypeChange: Hashable {
    /// Nothing: every value is also one of the new type, and is stored in the same way.
    case same
    /// Every value is converted without loss.
    case widening
    /// Some values are not values of the new type.
    case narrowing

    init(from former: AttributeShape, to new: AttributeShape) {
        let isSameEnum = former.attribute.type == new.attribute.type
        let (old, new) = (former.raw, isSameEnum || !new.isClosed ? new.raw : "closed")
        if old == new {
            self = .same
        } else if let from = Self.integers.firstIndex(of: old), let to = Self.integers.firstIndex(of: new) {
            self = from <= to || to == Self.integers.count - 2 && from == to + 1 ? .same : .narrowing
        } else if Self.sameText.contains(old), new == "string" {
            self = .same
        } else if old == "float", new == "double" {
            self = .same
        } else if Self.integers.contains(old), new == "double" || new == "decimal" {
            self = .widening
        } else if old == "bool", Self.integers.contains(new) {
            self = .widening
        } else {
            self = .narrowing
        }
    }

    /// In order of their width. `int` has 64 bits.
    private static let integers = ["int16", "int32", "int", "int64"]
    /// The types that are stored as text.
    private static let sameText: Set = ["day", "uuid", "url", "decimal"]
}

/// An attribute with the enum of its type.
struct AttributeShape {
    let attribute: AttributeStructure
    let enumeration: EnumerationStructure?

    init(_ attribute: AttributeStructure, in structure: SchemaStructure) {
        self.attribute = attribute
        enumeration = Self.enumerationName(attribute.type).flatMap(structure.enumeration)
    }

    /// An element of a list.
    init?(elementOf list: AttributeShape) {
        guard case .list(let type) = list.attribute.type else { return nil }
        attribute = AttributeStructure(name: list.attribute.name, column: list.attribute.column, type: type)
        enumeration = list.enumeration
    }

    private static func enumerationName(_ type: ValueType) -> String? {
        switch type {
        case .enumeration(let name): name
        case .list(let element): enumerationName(element)
        case .scalar, .attachment: nil
        }
    }

    var isClosed: Bool { enumeration?.isClosed ?? false }

    /// The type of the stored values: an enum is stored as its raw value.
    var raw: String { raw(attribute.type) }

    private func raw(_ type: ValueType) -> String {
        switch type {
        case .enumeration: enumeration?.isInteger == true ? "int64" : "string"
        case .list(let element): "[\(raw(element))]"
        case .scalar(let scalar): scalar.rawValue
        case .attachment: "attachment"
        }
    }

    /// The conversion that values of this type can be the result of; `nil` if only a function can convert to them.
    var conversion: String? {
        switch attribute.type {
        case .scalar(let scalar):
            switch scalar {
            case .bool, .int, .int16, .int32, .int64, .float, .double, .decimal: "number"
            case .string, .uuid, .url, .date, .day: "text"
            case .data, .json: nil
            }
        case .enumeration: enumeration?.isInteger == true ? "number" : "text"
        case .list, .attachment: nil
        }
    }
}
