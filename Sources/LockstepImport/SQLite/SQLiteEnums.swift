import LockstepJSON
import LockstepSchema

/// Closed enums of the values that a constraint allows.
enum SQLiteEnums {
    /// The enum of an attribute; `nil` if its values are no list of texts or of whole numbers.
    static func sketch(
        _ limits: SQLiteChecks.Limits, result: SQLiteColumnReader.Result, named entity: String, member: String,
        names: inout SQLiteNames
    ) -> EnumSketch? {
        let isInteger = ["int", "int16", "int32", "int64"].contains(result.type)
        guard !limits.values.isEmpty, isInteger || result.type == "string" else { return nil }
        var taken: Set<String> = []
        var cases: [(name: String, value: JSONValue)] = []
        for value in limits.values {
            let base: String
            switch value {
            case .string(let text) where !isInteger: base = text.isEmpty ? "empty" : SQLiteNames.member(text)
            case .integer(let number) where isInteger:
                base = number < 0 ? "minus\(number.magnitude)" : "value\(number)"
            default: return nil
            }
            let name = freeName(UsableName.member(base, types: [])) { taken.contains($0) }
            taken.insert(name)
            cases.append((name, value))
        }
        let name = names.type(entity + member.prefix(1).uppercased() + member.dropFirst())
        return EnumSketch(name: name, isInteger: isInteger, isClosed: true, cases: cases)
    }
}
