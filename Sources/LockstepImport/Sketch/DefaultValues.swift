import Foundation
import LockstepEvolution
import LockstepJSON

/// Values as sources write them, as those of a type.
extension JSONValue {
    /// A number with all its digits; `nil` for another text.
    init?(number text: String) {
        guard let value = try? JSONValue(json: Data(text.utf8)), value.isNumber else { return nil }
        self = value
    }

    /// Whether it is a number, with or without a fraction.
    var isNumber: Bool {
        switch self {
        case .integer, .decimal, .double: true
        default: false
        }
    }

    /// The value as a default of a type: a text can be a number, and 0 and 1 are flags; `nil` if it is none.
    func asDefault(of type: String) -> JSONValue? {
        switch (self, type) {
        case (.string, "string"), (.string, "url"), (.string, "uuid"): self
        case (.string(let text), "day"): DayText.isDay(text) ? self : nil
        case (.integer(let number), "string"): .string(String(number))
        case (.string(let text), "json"): try? JSONValue(json: Data(text.utf8))
        case (.null, "json"): nil
        case (_, "json"): self
        case (_, "bool"): flag.map(JSONValue.bool)
        case (.bool(let flag), _) where TypeSketch.numbers.contains(type): flag ? 1 : 0
        case _ where TypeSketch.integers.contains(type): whole.map(JSONValue.integer)
        case _ where TypeSketch.numbers.contains(type): number
        default: nil
        }
    }

    private var number: JSONValue? {
        if case .string(let text) = self { return JSONValue(number: text) }
        return isNumber ? self : nil
    }

    /// A number without a fraction: `5` and `5.0`.
    private var whole: Int64? {
        switch number {
        case .integer(let number): number
        case .decimal(let number): Int64(number.description)
        default: nil
        }
    }

    private var flag: Bool? {
        switch self {
        case .bool(let flag): flag
        case .string(let text) where ["yes", "true", "t"].contains(text.lowercased()): true
        case .string(let text) where ["no", "false", "f"].contains(text.lowercased()): false
        default: whole.flatMap { $0 == 0 || $0 == 1 ? $0 == 1 : nil }
        }
    }
}

extension TypeSketch {
    static let integers: Set = ["int", "int16", "int32", "int64"]
    static let numbers = integers.union(["float", "double", "decimal"])

    /// Whether an index can be over an attribute of it.
    var isIndexable: Bool { !isList && !["data", "json"].contains(name) }
}

extension Int64 {
    /// The sum; `nil` if it is too large.
    func plus(_ other: Int64) -> Int64? {
        let (sum, isOverflow) = addingReportingOverflow(other)
        return isOverflow ? nil : sum
    }
}
