import LockstepJSON
import LockstepSchema

/// Closed enums of the values that a constraint allows.
enum DatabaseEnums {
    /// The enum of an attribute; `nil` if its values are no list of texts or of whole numbers.
    static func sketch(
        _ limits: DatabaseChecks.Limits, result: DatabaseValueType, named entity: String, member: String,
        names: inout DatabaseNames
    ) -> EnumSketch? {
        let isInteger = ["int", "int16", "int32", "int64"].contains(result.type)
        guard !limits.values.isEmpty, !result.isList, isInteger || result.type == "string" else { return nil }
        let name = UsableName.type(entity + member.prefix(1).uppercased() + member.dropFirst())
        var enumeration = sketch(of: limits.values, isInteger: isInteger, named: name, names: &names)
        enumeration?.isClosed = true
        return enumeration
    }

    /// The enum with these values; `nil` if they are neither texts nor whole numbers.
    static func sketch(
        of values: [JSONValue], isInteger: Bool, named name: String, names: inout DatabaseNames
    ) -> EnumSketch? {
        var taken: Set<String> = []
        var cases: [(name: String, value: JSONValue)] = []
        for value in values {
            let base: String
            switch value {
            case .string(let text) where !isInteger: base = text.isEmpty ? "empty" : DatabaseNames.member(text)
            case .integer(let number) where isInteger:
                base = number < 0 ? "minus\(number.magnitude)" : "value\(number)"
            default: return nil
            }
            let name = freeName(UsableName.member(base, types: [])) { taken.contains($0) }
            taken.insert(name)
            cases.append((name, value))
        }
        return EnumSketch(name: names.type(name), isInteger: isInteger, cases: cases)
    }
}
