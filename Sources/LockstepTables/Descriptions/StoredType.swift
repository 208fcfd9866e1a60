package import LockstepEvolution

/// The type of an attribute, regardless of whether it is optional.
package indirect enum StoredType: Sendable, Hashable {
    case string, bool, int, int16, int32, int64, float, double, decimal, date, day, uuid, url, data, json
    /// An enum of the schema. A closed one allows these raw values only.
    case enumeration(RawType, closed: [CaseValue]? = nil)
    /// A type of the app.
    case custom(CustomDescription)
    /// A list, stored as JSON text.
    case list(of: StoredType)
    /// Bytes in a separate file, stored as a reference to them.
    case attachment

    /// Whether the Swift type has values that cannot be stored: not-a-number, digits beyond what can be read back, JSON
    /// that is nested too deeply. Types of the app and lists may have any.
    var needsCheck: Bool {
        switch self {
        case .float, .double, .decimal, .date, .json, .custom, .list: true
        case .string, .bool, .int, .int16, .int32, .int64, .day, .uuid, .url, .data, .enumeration, .attachment: false
        }
    }

    /// Whether a stored text can contain NUL. Those of other types have a form of their own.
    var canContainNUL: Bool {
        switch self {
        case .string, .enumeration(.string, closed: nil): true
        case .custom(let custom): custom.stored.canContainNUL
        default: false
        }
    }

    /// A type of the app, stored as one of the schema's types: `.custom(Money.self, of: .decimal)`.
    package static func custom<Custom: CustomAttribute>(_ type: Custom.Type, of stored: StoredType) -> StoredType {
        .custom(CustomDescription(type: type, stored: stored))
    }

    /// The type of an enum's raw values.
    package enum RawType: Sendable, Hashable { case string, int }
}

/// A type of the app, and the schema's type that it is stored as.
package struct CustomDescription: Sendable, Hashable {
    package let type: any CustomAttribute.Type
    package let stored: StoredType

    package static func == (left: Self, right: Self) -> Bool {
        ObjectIdentifier(left.type) == ObjectIdentifier(right.type) && left.stored == right.stored
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}

extension StoredType {
    /// Whether its values are whole numbers.
    package var isInteger: Bool {
        switch self {
        case .int, .int16, .int32, .int64, .bool, .enumeration(.int, closed: _): true
        case .custom(let custom): custom.stored.isInteger
        default: false
        }
    }
}
