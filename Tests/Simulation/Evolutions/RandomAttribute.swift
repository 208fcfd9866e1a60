import LockstepEvolution
import TestSupport

/// Attributes of every type, and values that their limits allow.
enum RandomAttribute {
    private static let numbers: Set<ScalarType> = [.int, .int16, .int32, .int64, .float, .double, .decimal]

    static func type(in structure: inout SchemaStructure, _ random: inout SeededRandom) -> ValueType {
        switch random.number(1...20) {
        case 1...12: return .scalar(random.element(of: ScalarType.allCases))
        case 13...16: return .enumeration(enumeration(in: &structure, &random))
        case 17: return .list(.enumeration(enumeration(in: &structure, &random)))
        case 18, 19:
            let elements: [ScalarType] = [.string, .int, .double, .bool, .decimal, .date, .day, .uuid]
            return .list(.scalar(random.element(of: elements)))
        default: return .attachment
        }
    }

    /// An enum that exists, or another one.
    private static func enumeration(in structure: inout SchemaStructure, _ random: inout SeededRandom) -> String {
        if random.isLikely(60), let known = random.pick(structure.enumerations) { return known.name }
        let new = enumeration(named: RandomNames.type(in: structure, &random), &random)
        structure.enumerations.append(new)
        return new.name
    }

    private static func enumeration(named name: String, _ random: inout SeededRandom) -> EnumerationStructure {
        var enumeration = EnumerationStructure(
            name: name, isClosed: random.isLikely(50), isInteger: random.isLikely(30), cases: [])
        for _ in 0..<random.number(1...4) { addCase(to: &enumeration, &random) }
        return enumeration
    }

    static func addCase(to enumeration: inout EnumerationStructure, _ random: inout SeededRandom) {
        let names = Set(enumeration.cases.map(\.name))
        let name = RandomNames.free(random.element(of: ["happy", "sad", "calm", "glad", "angry"]), in: names)
        let raw: CaseValue
        if enumeration.isInteger {
            var number = Int64(random.number(-3...20))
            while enumeration.cases.contains(where: { $0.rawValue == .int(number) }) { number += 1 }
            raw = .int(number)
        } else {
            var text = random.isLikely(30) ? "it's \"\(name)\" ü" : name
            while enumeration.cases.contains(where: { $0.rawValue == .string(text) }) { text += "'" }
            raw = .string(text)
        }
        enumeration.cases.append(EnumerationStructure.Case(name: name, rawValue: raw))
    }

    /// An attribute whose values fit its default and its limits.
    static func make(
        named name: String, of entity: EntityStructure, in structure: inout SchemaStructure,
        _ random: inout SeededRandom
    ) -> AttributeStructure {
        let type = type(in: &structure, &random)
        var attribute = AttributeStructure(
            name: name, column: RandomNames.column(name, in: entity, &random), type: type,
            isOptional: random.isLikely(50))
        if random.isLikely(30) { attribute.limits = limits(of: type, &random) }
        if random.isLikely(40) { attribute.defaultValue = defaultValue(of: attribute, in: structure, &random) }
        attribute.isUnique = canBeUnique(attribute) && random.isLikely(10)
        if random.isLikely(85) { attribute.wire = wire(of: attribute, &random) }
        return attribute
    }

    /// Whether the attribute can be unique when it is added to existing rows.
    private static func canBeUnique(_ attribute: AttributeStructure) -> Bool {
        guard case .scalar(let scalar) = attribute.type, scalar != .json, scalar != .bool else { return false }
        return attribute.defaultValue == .newUUID || attribute.defaultValue == nil && attribute.isOptional
    }

    static func wire(of attribute: AttributeStructure, _ random: inout SeededRandom) -> WireStructure {
        var wire = WireStructure(path: [attribute.name])
        if random.isLikely(15) { wire.path = ["inside", attribute.name] }
        if random.isLikely(15) { wire.path = ["\(attribute.name)Key"] }
        if attribute.type == .scalar(.date) {
            wire.format = random.element(of: ["iso8601", "secondsSince1970", "fractionalSecondsSince1970"])
        }
        wire.isReadOnly = random.isLikely(10)
        if attribute.type == .scalar(.int), random.isLikely(30) { wire.format = "text" }
        if random.isLikely(10) { wire.formerPaths = [["former", attribute.name], ["\(attribute.name)Before"]] }
        return wire
    }

    static func limits(of type: ValueType, _ random: inout SeededRandom) -> AttributeLimits {
        var limits = AttributeLimits()
        switch type {
        case .scalar(let scalar) where numbers.contains(scalar):
            let fraction =
                scalar == .float || scalar == .double || scalar == .decimal ? random.element(of: ["", ".5"]) : ""
            if random.isLikely(70) { limits.minimum = "\(random.number(-20...0))" }
            if random.isLikely(70) { limits.maximum = "\(random.number(1...20))\(fraction)" }
        case .scalar(.string), .scalar(.data), .list:
            if random.isLikely(70) { limits.minimumLength = random.number(0...3) }
            if random.isLikely(70) { limits.maximumLength = random.number(4...12) }
        case .scalar, .enumeration, .attachment: break
        }
        return limits
    }

    static func defaultValue(
        of attribute: AttributeStructure, in structure: SchemaStructure, _ random: inout SeededRandom
    ) -> DefaultValue? {
        if attribute.type == .scalar(.date), random.isLikely(50) { return .now }
        if attribute.type == .scalar(.uuid), random.isLikely(70) { return .newUUID }
        if attribute.type == .scalar(.string), attribute.limits.isEmpty, random.isLikely(20) { return .string("a\0'b") }
        return value(of: attribute.type, attribute.limits, in: structure, &random)
    }

    /// A value of a type within limits; `nil` if there are none.
    static func value(
        of type: ValueType, _ limits: AttributeLimits, in structure: SchemaStructure, _ random: inout SeededRandom
    ) -> DefaultValue? {
        switch type {
        case .scalar(let scalar): return value(of: scalar, limits, &random)
        case .enumeration(let name):
            return random.pick(structure.enumeration(name)?.cases ?? []).map { .enumerationCase($0.name) }
        case .list(let element):
            let count = length(limits, &random)
            let elements = (0..<count).compactMap { _ in
                value(of: element, AttributeLimits(), in: structure, &random)
            }
            return elements.count == count ? .list(elements) : nil
        case .attachment: return nil
        }
    }

    private static func value(
        of scalar: ScalarType, _ limits: AttributeLimits, _ random: inout SeededRandom
    ) -> DefaultValue {
        let minimum = limits.minimum.flatMap { Double($0) }.map { Int($0.rounded(.up)) } ?? -20
        let maximum = limits.maximum.flatMap { Double($0) }.map { Int($0.rounded(.down)) } ?? 20
        let number = random.number(min(minimum, maximum)...maximum)
        switch scalar {
        case .string: return .string(text(length(limits, &random), &random))
        case .bool: return .bool(random.isLikely(50))
        case .int, .int16, .int32, .int64: return .integer(Int64(number))
        case .float, .double: return .double(number == maximum ? Double(number) : Double(number) + 0.25)
        case .decimal: return .decimal(number == maximum || number < 0 ? "\(number)" : "\(number).10")
        case .date: return .date(Double(random.number(-1_000...1_000_000)))
        case .day: return .day(random.element(of: ["0001-01-01", "1970-01-01", "2024-02-29", "9999-12-31"]))
        case .uuid: return .uuid("00000000-0000-4000-8000-0000000000\(random.number(10...99))")
        case .url: return .url("https://example.com/\(random.number(1...9))?a='b'")
        case .data: return .data((0..<length(limits, &random)).map { _ in UInt8(random.number(0...255)) })
        case .json: return .json(random.element(of: ["null", "{\"a\":[1,\"it's\"]}", "[]"]))
        }
    }

    private static func length(_ limits: AttributeLimits, _ random: inout SeededRandom) -> Int {
        let minimum = limits.minimumLength ?? 0
        return random.number(minimum...max(minimum, limits.maximumLength ?? minimum + 3))
    }

    /// A text without NUL, at which SQLite's length ends.
    static func text(_ length: Int, _ random: inout SeededRandom) -> String {
        String(
            String.UnicodeScalarView(
                (0..<length).map { _ in random.element(of: ["a", "'", "\"", "ü", "🙂", " ", "7"]) }))
    }
}
