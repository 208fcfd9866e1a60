import Foundation
import GRDB
import LockstepEvolution
import LockstepStore

/// Makes values that are allowed by an attribute, and that programs tend to get wrong: nothing, extremes, texts with a
/// NUL, unknown values of open enums.
struct HostileValues {
    let structure: SchemaStructure

    /// - Parameter number: Differs for each record, for values that are unique.
    func value(_ attribute: AttributeStructure, number: Int, using random: inout SeededNumbers) -> DatabaseValue {
        if attribute.isUnique { return unique(attribute.type, number: number) }
        if attribute.isOptional, random.isOne(in: 3) { return .null }
        return value(attribute.type, limits: attribute.limits, using: &random)
    }

    /// The value of a key.
    func unique(_ type: ValueType, number: Int) -> DatabaseValue {
        switch type {
        case .scalar(.uuid): return Self.uuid(number).databaseValue
        case .scalar(.int), .scalar(.int16), .scalar(.int32), .scalar(.int64): return number.databaseValue
        case .scalar(.float), .scalar(.double), .scalar(.date): return (Double(number) + 0.5).databaseValue
        case .scalar(.decimal): return "\(number).25".databaseValue
        case .scalar(.day): return Self.day(number).databaseValue
        case .scalar(.data): return Data("bytes \(number)".utf8).databaseValue
        case .scalar(.json): return "{\"n\":\(number)}".databaseValue
        case .scalar(.url): return "https://example.org/\(number)".databaseValue
        case .scalar(.bool): return (number % 2).databaseValue
        case .enumeration(let name):
            let cases = structure.enumeration(name)?.cases ?? []
            return cases.isEmpty ? .null : cases[number % cases.count].rawValue.databaseValue
        case .scalar(.string), .attachment: return "key \(number)".databaseValue
        case .list: return "[\(number)]".databaseValue
        }
    }

    /// The day so many days after 1970-01-01.
    private static func day(_ number: Int) -> String {
        Day(Date(timeIntervalSince1970: Double(number) * 86_400), in: .gmt).description
    }

    private static func uuid(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    private func value(_ type: ValueType, limits: AttributeLimits, using random: inout SeededNumbers) -> DatabaseValue {
        switch type {
        case .scalar(let scalar): return value(scalar, limits: limits, using: &random)
        case .enumeration(let name): return enumeration(name, using: &random)
        case .list(let element):
            let count = max(limits.minimumLength ?? 0, min(2, limits.maximumLength ?? 2))
            let elements = (0..<count).map { _ in element == .scalar(.string) ? "\"a\\nb\"" : "1" }
            return "[\(elements.joined(separator: ","))]".databaseValue
        case .attachment: return "0000000000000000000000000000000000000000000000000000000000000000-0".databaseValue
        }
    }

    private func enumeration(_ name: String, using random: inout SeededNumbers) -> DatabaseValue {
        guard let enumeration = structure.enumeration(name) else { return "?".databaseValue }
        if !enumeration.isClosed, random.isOne(in: 4) {
            return enumeration.isInteger ? 4711.databaseValue : "unknown to all".databaseValue
        }
        return enumeration.cases.randomElement(using: &random)?.rawValue.databaseValue ?? .null
    }

    private func value(
        _ scalar: ScalarType, limits: AttributeLimits, using random: inout SeededNumbers
    ) -> DatabaseValue {
        switch scalar {
        case .bool: return Bool.random(using: &random).databaseValue
        case .int16: return integer(Int64(Int16.min)...Int64(Int16.max), limits: limits, using: &random)
        case .int32: return integer(Int64(Int32.min)...Int64(Int32.max), limits: limits, using: &random)
        case .int, .int64: return integer(.min ... .max, limits: limits, using: &random)
        case .float, .double: return real(limits, using: &random)
        case .decimal: return decimal(limits, using: &random)
        case .date:
            return [0, -62_135_596_800, 1_795_313_183.307165, 253_402_300_799][Int.random(in: 0..<4, using: &random)]
                .databaseValue
        case .day: return Self.day([-719_162, 0, 20_784, 2_932_896].randomElement(using: &random) ?? 0).databaseValue
        case .uuid: return Self.uuid(Int.random(in: 1...1_000_000, using: &random)).databaseValue
        case .string, .url: return text(limits, using: &random).databaseValue
        case .data:
            let count = max(limits.minimumLength ?? 0, min(3, limits.maximumLength ?? 3))
            return Data((0..<count).map { UInt8($0) }).databaseValue
        case .json:
            return ["null", "{}", "[1,\"two\"]", "{\"a\":{\"b\":null}}"].randomElement(using: &random)?.databaseValue
                ?? .null
        }
    }

    private func integer(
        _ range: ClosedRange<Int64>, limits: AttributeLimits, using random: inout SeededNumbers
    ) -> DatabaseValue {
        let lowest = limits.minimum.flatMap { Int64($0) } ?? range.lowerBound
        let highest = limits.maximum.flatMap { Int64($0) } ?? range.upperBound
        let candidates = [lowest, highest, 0, 1, 7].filter { (lowest...max(lowest, highest)).contains($0) }
        return (candidates.randomElement(using: &random) ?? lowest).databaseValue
    }

    private func real(_ limits: AttributeLimits, using random: inout SeededNumbers) -> DatabaseValue {
        let lowest = limits.minimum.flatMap { Double($0) } ?? -1e15
        let highest = limits.maximum.flatMap { Double($0) } ?? 1e15
        let candidates = [lowest, highest, 0, 0.5].filter { $0 >= lowest && $0 <= highest }
        return (candidates.randomElement(using: &random) ?? lowest).databaseValue
    }

    private func decimal(_ limits: AttributeLimits, using random: inout SeededNumbers) -> DatabaseValue {
        let lowest = limits.minimum.flatMap { Double($0) } ?? -.infinity
        let highest = limits.maximum.flatMap { Double($0) } ?? .infinity
        let texts = ["0", "12.5", "-3", "1234567890123456.78"].filter { text in
            Double(text).map { $0 >= lowest && $0 <= highest } ?? false
        }
        return (texts.randomElement(using: &random) ?? limits.minimum ?? "0").databaseValue
    }

    private func text(_ limits: AttributeLimits, using random: inout SeededNumbers) -> String {
        let texts = ["", "plain", "O'Brien \"quoted\"", "a\nb", "ü🎈", "12", "3.5", "true", "NULL"]
        let allowed = texts.filter { text in
            text.unicodeScalars.count >= limits.minimumLength ?? 0
                && text.unicodeScalars.count <= limits.maximumLength ?? .max
        }
        return allowed.randomElement(using: &random)
            ?? String(repeating: "x", count: limits.minimumLength ?? 0)
    }
}

extension CaseValue {
    var databaseValue: DatabaseValue {
        switch self {
        case .string(let text): text.databaseValue
        case .int(let number): number.databaseValue
        }
    }
}
