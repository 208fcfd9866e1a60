import Foundation
import LockstepJSON

/// A summary of the objects at a path, of all samples.
final class SampleShape {
    /// The number of objects.
    private(set) var count = 0
    /// The keys in the order in which they were met.
    private(set) var keys: [String] = []
    private(set) var members: [String: SampleMemberShape] = [:]
    /// Some of the objects.
    private(set) var examples: [SampleValue] = []
    private(set) var firstLocation: SampleLocation?
    /// Whether an object has no members.
    private(set) var hasEmpty = false

    private static let exampleLimit = 20

    func add(_ object: [SampleMember], value: SampleValue, file: Int) {
        count += 1
        if object.isEmpty { hasEmpty = true }
        if firstLocation == nil { firstLocation = SampleLocation(file: file, line: value.line) }
        if examples.count < Self.exampleLimit { examples.append(value) }
        for item in object { member(item.key).add(item.value, file: file, owner: count) }
    }

    private func member(_ key: String) -> SampleMemberShape {
        if let known = members[key] { return known }
        let member = SampleMemberShape()
        members[key] = member
        keys.append(key)
        return member
    }

    /// Adds what is known of other objects.
    ///
    /// - Parameter isShared: Whether a nested shape is that of an entity, which is merged on its own.
    func merge(_ other: SampleShape, isShared: (SampleShape) -> Bool) {
        count += other.count
        hasEmpty = hasEmpty || other.hasEmpty
        firstLocation = firstLocation ?? other.firstLocation
        examples += other.examples.prefix(max(Self.exampleLimit - examples.count, 0))
        for key in other.keys { if let found = other.members[key] { member(key).merge(found, isShared: isShared) } }
    }

    /// Whether a member is in every object, and never null.
    func isRequired(_ key: String) -> Bool { members[key].map { $0.present == count && $0.nulls == 0 } ?? false }
}

/// A summary of the values of a member.
final class SampleMemberShape {
    /// In how many objects it is.
    private(set) var present = 0
    private(set) var nulls = 0
    /// How many values are of each kind, and where the first is.
    private(set) var counts = [Int](repeating: 0, count: SampleKind.allCases.count)
    private(set) var firsts = [SampleLocation?](repeating: nil, count: SampleKind.allCases.count)
    private(set) var texts = TextSummary()
    private(set) var numbers = NumberSummary()
    private(set) var emptyLists = 0
    private(set) var hasFalse = false
    /// The elements of its lists.
    private(set) var elements: SampleMemberShape?
    private(set) var object: SampleShape?
    /// For each identity of an object, the owner that has it. It is empty if objects of several places were merged,
    /// because their owners cannot be compared.
    private var owners: [String: Int] = [:]
    /// Whether an object is in the lists of several owners.
    private var isShared = false

    func add(_ value: SampleValue, file: Int, owner: Int) {
        present += 1
        guard let kind = value.kind else {
            nulls += 1
            return
        }
        counts[kind.rawValue] += 1
        if firsts[kind.rawValue] == nil { firsts[kind.rawValue] = SampleLocation(file: file, line: value.line) }
        switch value.content {
        case .bool(let value): if !value { hasFalse = true }
        case .text(let text): texts.add(text)
        case .number(let number, let isWhole): numbers.add(number, isWhole: isWhole)
        case .list(let list):
            if list.isEmpty { emptyLists += 1 }
            let shape = elements ?? SampleMemberShape()
            elements = shape
            for element in list { shape.add(element, file: file, owner: owner) }
        case .object(let members):
            let shape = object ?? SampleShape()
            object = shape
            shape.add(members, value: value, file: file)
            noteOwner(value, of: owner)
        case .null: break
        }
    }

    private func noteOwner(_ value: SampleValue, of owner: Int) {
        guard !isShared, let id = SampleIdentity.usual.lazy.compactMap({ value[$0]?.identityText }).first else {
            return
        }
        if let known = owners.updateValue(owner, forKey: id), known != owner { isShared = true }
    }

    /// A summary of the lists that its objects are in.
    var sharing: SampleSharing {
        if isShared { return .shared }
        let isKnown =
            owners.count >= SampleSharing.leastRecords
            && Set(owners.values).count >= SampleSharing.leastLists
        return isKnown ? .separate(owners.count) : .unknown
    }

    func merge(_ other: SampleMemberShape, isShared isEntity: (SampleShape) -> Bool) {
        present += other.present
        nulls += other.nulls
        for index in counts.indices {
            counts[index] += other.counts[index]
            firsts[index] = firsts[index] ?? other.firsts[index]
        }
        texts.merge(other.texts)
        numbers.merge(other.numbers)
        emptyLists += other.emptyLists
        hasFalse = hasFalse || other.hasFalse
        isShared = isShared || other.isShared
        if !other.owners.isEmpty { owners = [:] }
        if let found = other.elements {
            if let elements { elements.merge(found, isShared: isEntity) } else { elements = found }
        }
        if let found = other.object {
            if let object {
                if object !== found, !isEntity(object), !isEntity(found) { object.merge(found, isShared: isEntity) }
            } else {
                object = found
            }
        }
    }

    /// The kinds of its values, without null.
    var kinds: [SampleKind] { SampleKind.allCases.filter { counts[$0.rawValue] > 0 } }

    func count(of kind: SampleKind) -> Int { counts[kind.rawValue] }
}

/// A summary of texts.
struct TextSummary {
    private(set) var count = 0
    /// The format of all of them.
    private(set) var format: TextFormat?
    /// The different texts, as long as they are few.
    private(set) var distinct: Set<String> = []
    private var isMany = false

    private static let distinctLimit = 12
    private static let distinctLength = 32

    mutating func add(_ text: String) {
        count += 1
        if format != .plain { combine(TextFormat(text)) }
        if isMany { return }
        if text.utf8.count <= Self.distinctLength { distinct.insert(text) } else { isMany = true }
        if distinct.count > Self.distinctLimit { isMany = true }
    }

    mutating func merge(_ other: TextSummary) {
        count += other.count
        if let found = other.format { combine(found) }
        isMany = isMany || other.isMany
        distinct.formUnion(other.distinct)
        if distinct.count > Self.distinctLimit { isMany = true }
    }

    private mutating func combine(_ other: TextFormat) {
        guard let known = format else { return format = other }
        if known == other { return }
        let numbers: [TextFormat] = [.integer, .decimal, .paddedDecimal]
        let areNumbers = numbers.contains(known) && numbers.contains(other)
        let isPadded = known == .paddedDecimal || other == .paddedDecimal
        let areUUIDs = [.uuid, .capitalUUID].contains(known) && [.uuid, .capitalUUID].contains(other)
        format = areNumbers ? (isPadded ? .paddedDecimal : .decimal) : areUUIDs ? .capitalUUID : .plain
    }

    /// The texts, if there are so few different ones that they may be the cases of an enum.
    var cases: [String]? {
        guard !isMany, distinct.count > 1, count >= 20, distinct.count * distinct.count <= count,
            distinct.allSatisfy({ text in !text.isEmpty && text.allSatisfy { $0.isLetter || "_-".contains($0) } })
        else { return nil }
        return distinct.sorted()
    }
}

/// A summary of numbers.
struct NumberSummary {
    private(set) var least: Double?
    private(set) var greatest: Double?
    /// Whether each is the value of a `Double`.
    private(set) var fitDouble = true
    /// Whether each fits into 64 bits.
    private(set) var fitInteger = true
    /// Whether a decimal is exact.
    private(set) var fitDecimal = true

    mutating func add(_ number: JSONValue, isWhole: Bool) {
        let double: Double
        switch number {
        case .integer(let value):
            double = Double(value)
            if abs(value) > 1 << 53, Int64(exactly: double) != value { fitDouble = false }
        case .decimal(let value):
            double = value.nearestDouble
            if isWhole { fitInteger = false }
            if fitDouble, JSONValue.double(double) != number { fitDouble = false }
        case .double(let value):
            double = value
            if isWhole { fitInteger = false }
            fitDecimal = false
        default: return
        }
        least = min(least ?? double, double)
        greatest = max(greatest ?? double, double)
    }

    mutating func merge(_ other: NumberSummary) {
        guard let low = other.least, let high = other.greatest else { return }
        least = min(least ?? low, low)
        greatest = max(greatest ?? high, high)
        fitDouble = fitDouble && other.fitDouble
        fitInteger = fitInteger && other.fitInteger
        fitDecimal = fitDecimal && other.fitDecimal
    }
}
