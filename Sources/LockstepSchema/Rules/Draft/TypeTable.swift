/// The types of attributes, by their names in the schema.
struct TypeTable {
    private var types: [String: AttributeType] = [:]
    private var enumerationIndexes: [String: Int] = [:]
    /// The stored types of custom types; the grammar allows only scalar types.
    private var storedTypes: [String: ScalarType] = [:]
    private let enumerations: [EnumerationDeclaration]
    /// Types that could not be read, which is reported.
    private var unreadableNames: Set<String> = []
    private var caseNames: [String: Set<String>] = [:]

    init(_ declaration: SchemaDeclaration) {
        enumerations = declaration.enumerations
        for type in declaration.types where !type.isUnreadable {
            types[type.name.value] = .custom(type.name.value)
            storedTypes[type.name.value] = ScalarType(rawValue: type.stored.value)
        }
        for (index, enumeration) in enumerations.enumerated()
        where !enumeration.isUnreadable && enumerationIndexes[enumeration.name.value] == nil {
            types[enumeration.name.value] = .enumeration(enumeration.name.value)
            enumerationIndexes[enumeration.name.value] = index
            caseNames[enumeration.name.value] = Set(enumeration.cases.map(\.name.value))
        }
        unreadableNames = Set(
            declaration.types.filter(\.isUnreadable).map(\.name.value)
                + enumerations.filter(\.isUnreadable).map(\.name.value))
        // A name that is not allowed is reported there, not where the type is used under the name that is proposed.
        for (name, type) in types {
            if let corrected = Identifier.correctedTypeName(name), types[corrected] == nil { types[corrected] = type }
        }
        for scalar in ScalarType.allCases { types[scalar.rawValue] = .scalar(scalar) }
    }

    /// The type with this name; `nil` if there is none.
    func type(named name: String) -> AttributeType? { types[name] }

    /// Whether it was declared, but could not be read.
    func isUnreadable(_ name: String) -> Bool { unreadableNames.contains(name) }

    func enumeration(named name: String) -> EnumerationDeclaration? {
        enumerationIndexes[name].map { enumerations[$0] }
    }

    func hasCase(_ name: String, in enumeration: EnumerationDeclaration) -> Bool {
        caseNames[enumeration.name.value]?.contains(name) ?? false
    }

    /// The stored type of `type`, or of an element of the list; `nil` for an enum.
    func storedScalar(of type: AttributeType) -> ScalarType? {
        switch type {
        case .scalar(let scalar): scalar
        case .enumeration: nil
        case .custom(let name): storedTypes[name]
        case .list(let element): storedScalar(of: element)
        case .attachment: .data
        }
    }

    /// Every name that is valid as a type, for suggestions.
    var names: [String] {
        ScalarType.allCases.map(\.rawValue) + enumerations.map(\.name.value) + storedTypes.keys.sorted()
    }
}

extension ScalarType {
    var isNumber: Bool {
        switch self {
        case .int, .int16, .int32, .int64, .float, .double, .decimal: true
        case .string, .bool, .date, .day, .uuid, .url, .data, .json: false
        }
    }

    /// The range of an integer type.
    var integerRange: ClosedRange<Int64>? {
        switch self {
        case .int, .int64: Int64.min...Int64.max
        case .int32: Int64(Int32.min)...Int64(Int32.max)
        case .int16: Int64(Int16.min)...Int64(Int16.max)
        case .float, .double, .decimal, .string, .bool, .date, .day, .uuid, .url, .data, .json: nil
        }
    }
}
