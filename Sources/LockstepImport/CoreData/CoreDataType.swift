/// The type of an attribute of a Core Data model.
enum CoreDataType {
    case scalar(CoreDataScalar)
    case transformable(CoreDataTransformable)
    /// A structure, with what the report calls it: `a composite (Place)`, and its parts, if these are scalars.
    case composite(words: String, parts: [(name: String, type: CoreDataScalar)] = [])
    /// A case of an enum, by the path of its type, which is stored as a text or a number.
    case enumeration(String, CoreDataScalar)
    /// A list of cases of an enum.
    case enumerationList(String)
    /// Computed by the store.
    case derived(String?)
    case undefined
    /// A type that is not known.
    case other(String)

    /// The type in the language, in which enums have the names of their types; `nil` if there is none.
    var sketch: TypeSketch? {
        switch self {
        case .scalar(let scalar): .one(scalar.type)
        case .transformable(let transformable): transformable.sketch
        case .composite: .one("json")
        case .enumeration(let path, _): .one(path)
        case .enumerationList(let path): .list(of: path)
        case .derived, .undefined, .other: nil
        }
    }
}

/// A type of Core Data that has a counterpart, as model files have it.
enum CoreDataScalar: String {
    case string = "String"
    case boolean = "Boolean"
    case date = "Date"
    case integer16 = "Integer 16"
    case integer32 = "Integer 32"
    case integer64 = "Integer 64"
    case double = "Double"
    case float = "Float"
    case decimal = "Decimal"
    case binary = "Binary"
    case uri = "URI"
    case uuid = "UUID"

    /// The type in the language.
    var type: String {
        switch self {
        case .string: "string"
        case .boolean: "bool"
        case .date: "date"
        case .integer16: "int16"
        case .integer32: "int32"
        case .integer64: "int64"
        case .double: "double"
        case .float: "float"
        case .decimal: "decimal"
        case .binary: "data"
        case .uri: "url"
        case .uuid: "uuid"
        }
    }

    var isInteger: Bool { [.integer16, .integer32, .integer64].contains(self) }

    /// Whether a property can have the type of Swift, which cannot be `nil`.
    var isNumber: Bool { isInteger || [.boolean, .double, .float].contains(self) }
}

/// What a transformer makes of a value of a class.
struct CoreDataTransformable {
    /// The class without spaces; `nil` if it is not written.
    private let className: String?
    /// The transformer; `nil` for the usual one.
    let transformer: String?
    let sketch: TypeSketch
    /// What the report calls it: `a transformable of [Place]`.
    private(set) var words = ""

    /// - Parameters:
    ///   - isCodable: Whether its values are encoded by their class.
    ///   - words: What the report calls it, which is of the class if its values are not data.
    init(
        _ className: String?, transformer: String?, isCodable: Bool, words: (_ isOfClass: Bool) -> String
    ) {
        let name = className?.filter { !$0.isWhitespace }
        (self.className, self.transformer) = (name, transformer)
        if let plain = name.flatMap({ Self.classes[$0] }) {
            sketch = plain
        } else {
            sketch = .one(name.map { isCodable || Self.isNested($0) } ?? false ? "json" : "data")
        }
        self.words = words(sketch == .one("json") || isPlain)
    }

    /// Whether the class is one that the language has a type for.
    var isPlain: Bool { className.map { Self.classes[$0] != nil } ?? false }

    /// Whether its values are what a transformer of the app makes of them.
    var isOfApp: Bool { transformer.map { !Self.archivers.contains($0) } ?? false }

    /// Transformers that archive any value.
    private static let archivers: Set = [
        "", "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformerName", "NSUnarchiveFromData",
        "NSKeyedUnarchiveFromData",
    ]

    private static let classes: [String: TypeSketch] = [
        "String": .one("string"), "NSString": .one("string"), "URL": .one("url"), "NSURL": .one("url"),
        "UUID": .one("uuid"), "NSUUID": .one("uuid"), "Date": .one("date"), "NSDate": .one("date"),
        "Data": .one("data"), "NSData": .one("data"), "[String]": .list(of: "string"),
        "Array<String>": .list(of: "string"), "[NSString]": .list(of: "string"), "[Int]": .list(of: "int64"),
        "[Int64]": .list(of: "int64"), "[Int32]": .list(of: "int32"), "[Int16]": .list(of: "int16"),
        "[Double]": .list(of: "double"), "[Float]": .list(of: "float"), "[Bool]": .list(of: "bool"),
        "[Date]": .list(of: "date"), "[UUID]": .list(of: "uuid"), "[URL]": .list(of: "url"),
        "[Decimal]": .list(of: "decimal"),
    ]

    /// Whether a class consists of lists and dictionaries of JSON's values.
    private static func isNested(_ name: String) -> Bool {
        let words = name.split { "[]:<>,?".contains($0) }
        let known: Set<Substring> = [
            "String", "Int", "Int16", "Int32", "Int64", "Double", "Float", "Bool", "Any", "AnyHashable", "Array",
            "Dictionary", "NSString", "NSNumber", "NSArray", "NSDictionary", "NSMutableArray", "NSMutableDictionary",
        ]
        return !words.isEmpty && words.allSatisfy(known.contains)
    }
}
