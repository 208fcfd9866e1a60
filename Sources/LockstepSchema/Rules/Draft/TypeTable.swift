/// The types that attributes can have, by the names that the schema gives them.
struct TypeTable {
    private var types: [String: AttributeType] = [:]
    private var enumerationIndexes: [String: Int] = [:]
    /// What values of the user's own types are stored as; the grammar lets only scalar types pass.
    private var storedTypes: [String: ScalarType] = [:]
    private let enumerations: [EnumerationDeclaration]
    /// Those that could not be read, which is reported.
    private var lostNames: Set<String> = []
    private var caseNames: [String: Set<String>] = [:]

    init(_ declaration: SchemaDeclaration) {
        enumerations = declaration.enumerations
        for type in declaration.types where !type.isLost {
            types[type.name.value] = .custom(type.name.value)
            storedTypes[type.name.value] = ScalarType(rawValue: type.stored.value)
        }
        for (index, enumeration) in enumerations.enumerated()
        where !enumeration.isLost && enumerationIndexes[enumeration.name.value] == nil {
            types[enumeration.name.value] = .enumeration(enumeration.name.value)
            enumerationIndexes[enumeration.name.value] = index
            caseNames[enumeration.name.value] = Set(enumeration.cases.map(\.name.value))
        }
        lostNames = Set(
            declaration.types.filter(\.isLost).map(\.name.value) + enumerations.filter(\.isLost).map(\.name.value))
        for scalar in ScalarType.allCases { types[scalar.rawValue] = .scalar(scalar) }
    }

    /// The type of this name; `nil` if there is none.
    func type(named name: String) -> AttributeType? { types[name] }

    /// Whether it was declared, and could not be read.
    func isLost(_ name: String) -> Bool { lostNames.contains(name) }

    func enumeration(named name: String) -> EnumerationDeclaration? {
        enumerationIndexes[name].map { enumerations[$0] }
    }

    func hasCase(_ name: String, in enumeration: EnumerationDeclaration) -> Bool {
        caseNames[enumeration.name.value]?.contains(name) ?? false
    }

    /// What a value of `type`, or an element of the list, is stored as; `nil` for an enum.
    func storedScalar(of type: AttributeType) -> ScalarType? {
        switch type {
        case .scalar(let scalar): scalar
        case .enumeration: nil
        case .custom(let name): storedTypes[name]
        case .list(let element): storedScalar(of: element)
        case .attachment: .data
        }
    }

    /// Every name that would do as a type, for suggestions.
    var names: [String] {
        ScalarType.allCases.map(\.rawValue) + enumerations.map(\.name.value) + storedTypes.keys.sorted()
    }
}

extension ScalarType {
    var isNumber: Bool {
        switch self {
        case .int, .int16, .int32, .int64, .float, .double, .decimal: true
        case .string, .bool, .date, .uuid, .url, .data, .json: false
        }
    }

    /// The values of a whole-number type.
    var integerRange: ClosedRange<Int64>? {
        switch self {
        case .int, .int64: Int64.min...Int64.max
        case .int32: Int64(Int32.min)...Int64(Int32.max)
        case .int16: Int64(Int16.min)...Int64(Int16.max)
        case .float, .double, .decimal, .string, .bool, .date, .uuid, .url, .data, .json: nil
        }
    }
}
