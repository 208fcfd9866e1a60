import Foundation
import LockstepJSON

/// Reads the values of transformable attributes: keyed archives of Foundation's collections, property lists and JSON.
///
/// Archives of other classes are not read: without the class, it is not known what its values mean.
struct KeyedArchive {
    /// A value of an archive.
    indirect enum Value {
        case null
        case bool(Bool)
        case integer(Int64)
        case real(Double)
        case string(String)
        case date(Date)
        case data(Data)
        case uuid(UUID)
        case array([Value])
        case object([ExactText: Value])
    }

    private let list: BinaryPropertyList
    /// The archived objects; `nil` for a property list that is no archive.
    private var objects: [Int]?
    /// The members of objects and classes, which are read once.
    private var knownMembers: [Int: [String: Int]] = [:]
    private var stepCount = 0
    private var byteCount = 0

    /// Deeper than people nest values, and far from the end of the stack.
    private static let depthLimit = 64
    /// The number of values and members that are read. An archive can refer to one object any number of times.
    private static let stepLimit = 1 << 22
    /// How many bytes of texts and data its value may have more than the archive: what it refers to again is stored
    /// again.
    private static let repeatedByteLimit = 64 << 20

    /// - Returns: `nil` if it cannot be read.
    static func value(_ data: Data) -> Value? {
        if let list = BinaryPropertyList(data) {
            var archive = KeyedArchive(list)
            return archive.rootValue()
        }
        guard let first = data.first, "[{\"".utf8.contains(first) else { return nil }
        return (try? JSONValue(json: data)).map(Value.init)
    }

    private init(_ list: BinaryPropertyList) {
        self.list = list
        if case .array(let objects)? = members(list.root)?["$objects"].flatMap({ list[$0] }) { self.objects = objects }
    }

    private mutating func rootValue() -> Value? {
        guard objects != nil else { return plain(list.root, depth: 0) }
        guard let top = members(list.root)?["$top"], let roots = members(top) else { return nil }
        guard let root = roots["root"] ?? (roots.count == 1 ? roots.first?.value : nil) else { return nil }
        return archived(root, depth: 0)
    }

    /// The members of an object; `nil` if it has none, or there is too much in the archive.
    private mutating func members(_ index: Int) -> [String: Int]? {
        if let known = knownMembers[index] { return known }
        guard case .dictionary(let members)? = list[index] else { return nil }
        var named: [String: Int] = [:]
        for (key, value) in members {
            guard let name = list[key], spend(name) else { return nil }
            if case .string(let text) = name { named[text] = value }
        }
        knownMembers[index] = named
        return named
    }

    /// Counts a value that was read.
    ///
    /// - Returns: Whether there may be more.
    private mutating func spend(_ value: PropertyValue?) -> Bool {
        stepCount += 1
        switch value {
        case .string(let text)?: byteCount += text.utf8.count
        case .data(let data)?: byteCount += data.count
        default: break
        }
        return stepCount <= Self.stepLimit && byteCount <= list.byteCount + Self.repeatedByteLimit
    }

    // MARK: Property lists

    private mutating func plain(_ index: Int, depth: Int) -> Value? {
        let object = list[index]
        guard depth <= Self.depthLimit, spend(object) else { return nil }
        switch object {
        case .array(let elements)?:
            var values: [Value] = []
            for element in elements {
                guard let value = plain(element, depth: depth + 1) else { return nil }
                values.append(value)
            }
            return .array(values)
        case .dictionary(let members)?:
            var object: [ExactText: Value] = [:]
            for (key, value) in members {
                guard let key = list[key], spend(key), case .string(let name) = key,
                    let value = plain(value, depth: depth + 1)
                else { return nil }
                object[ExactText(name)] = value
            }
            return .object(object)
        case let scalar?: return Self.scalar(scalar)
        case nil: return nil
        }
    }

    private static func scalar(_ value: PropertyValue) -> Value? {
        switch value {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .date(let date): .date(date)
        case .data(let data): .data(data)
        case .string(let text): text == "$null" ? .null : .string(text)
        case .reference, .array, .dictionary: nil
        }
    }

    // MARK: Archives

    /// - Parameter index: An object of the list: usually a reference to one of the archived objects.
    private mutating func archived(_ index: Int, depth: Int) -> Value? {
        guard let value = list[index], depth <= Self.depthLimit, spend(value) else { return nil }
        guard case .reference(let number) = value else { return Self.scalar(value) }
        guard let objects, objects.indices.contains(number) else { return nil }
        if let members = members(objects[number]) { return instance(members, depth: depth) }
        guard let object = list[objects[number]], spend(object) else { return nil }
        return Self.scalar(object)
    }

    private mutating func instance(_ members: [String: Int], depth: Int) -> Value? {
        guard case .reference(let number)? = members["$class"].flatMap({ list[$0] }), let objects,
            objects.indices.contains(number),
            case .string(let name)? = self.members(objects[number])?["$classname"].flatMap({ list[$0] })
        else { return nil }
        switch name {
        case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet":
            return elements(members["NS.objects"], depth: depth).map(Value.array)
        case "NSDictionary", "NSMutableDictionary":
            guard let keys = elements(members["NS.keys"], depth: depth),
                let values = elements(members["NS.objects"], depth: depth),
                keys.count == values.count
            else { return nil }
            var object: [ExactText: Value] = [:]
            for (key, value) in zip(keys, values) {
                guard let name = key.text else { return nil }
                object[ExactText(name)] = value
            }
            return .object(object)
        case "NSString", "NSMutableString": return member("NS.string", members: members, depth: depth)
        case "NSDate":
            guard case .real(let seconds)? = member("NS.time", members: members, depth: depth) else { return nil }
            return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case "NSData", "NSMutableData": return member("NS.data", members: members, depth: depth)
        case "NSUUID":
            guard case .data(let bytes)? = member("NS.uuidbytes", members: members, depth: depth),
                let uuid = UUID(bytes: bytes)
            else { return nil }
            return .uuid(uuid)
        case "NSURL":
            guard case .null? = member("NS.base", members: members, depth: depth) ?? .null else { return nil }
            return member("NS.relative", members: members, depth: depth)
        case "NSNull": return .null
        default: return nil
        }
    }

    private mutating func member(_ name: String, members: [String: Int], depth: Int) -> Value? {
        members[name].flatMap { archived($0, depth: depth + 1) }
    }

    private mutating func elements(_ index: Int?, depth: Int) -> [Value]? {
        guard case .array(let elements)? = index.flatMap({ list[$0] }) else { return nil }
        var values: [Value] = []
        for element in elements {
            guard let value = archived(element, depth: depth + 1) else { return nil }
            values.append(value)
        }
        return values
    }
}

extension KeyedArchive.Value {
    init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self = .integer(number)
        case .double(let number): self = .real(number)
        case .decimal(let number): self = .real(Double("\(number)") ?? .nan)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map(Self.init))
        case .object(let members):
            self = .object(Dictionary(members.map { (ExactText($0), Self($1)) }, uniquingKeysWith: { $1 }))
        }
    }

    /// As the key of an object in JSON; `nil` for what has no text.
    fileprivate var text: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .uuid(let uuid): uuid.uuidString.lowercased()
        default: nil
        }
    }
}

extension UUID {
    /// - Returns: `nil` if these are not 16 bytes.
    init?(bytes: Data) {
        guard bytes.count == 16 else { return nil }
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
