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
        case object([String: Value])
    }

    private let list: BinaryPropertyList
    /// The archived objects; `nil` for a property list that is no archive.
    private let objects: [Int]?
    private var count = 0

    /// Deeper than people nest values, and far from the end of the stack.
    private static let depthLimit = 64
    /// An archive can refer to one object any number of times.
    private static let valueLimit = 1 << 20

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
        objects = Self.members(list.root, list)["$objects"].flatMap { index in
            if case .array(let objects)? = list[index] { objects } else { nil }
        }
    }

    private mutating func rootValue() -> Value? {
        guard objects != nil else { return plain(list.root, 0) }
        guard let top = Self.members(list.root, list)["$top"] else { return nil }
        let roots = Self.members(top, list)
        guard let root = roots["root"] ?? (roots.count == 1 ? roots.first?.value : nil) else { return nil }
        return archived(root, 0)
    }

    private static func members(_ index: Int, _ list: BinaryPropertyList) -> [String: Int] {
        guard case .dictionary(let members)? = list[index] else { return [:] }
        var named: [String: Int] = [:]
        for (key, value) in members { if case .string(let name)? = list[key] { named[name] = value } }
        return named
    }

    private mutating func isTooMuch(_ depth: Int) -> Bool {
        count += 1
        return depth > Self.depthLimit || count > Self.valueLimit
    }

    // MARK: Property lists

    private mutating func plain(_ index: Int, _ depth: Int) -> Value? {
        if isTooMuch(depth) { return nil }
        switch list[index] {
        case .array(let elements)?:
            var values: [Value] = []
            for element in elements {
                guard let value = plain(element, depth + 1) else { return nil }
                values.append(value)
            }
            return .array(values)
        case .dictionary(let members)?:
            var object: [String: Value] = [:]
            for (key, value) in members {
                guard case .string(let name)? = list[key], let value = plain(value, depth + 1) else { return nil }
                object[name] = value
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
    private mutating func archived(_ index: Int, _ depth: Int) -> Value? {
        if isTooMuch(depth) { return nil }
        guard let value = list[index] else { return nil }
        guard case .reference(let number) = value else { return Self.scalar(value) }
        guard let objects, objects.indices.contains(number), let object = list[objects[number]] else { return nil }
        guard case .dictionary = object else { return Self.scalar(object) }
        return instance(Self.members(objects[number], list), depth)
    }

    private mutating func instance(_ members: [String: Int], _ depth: Int) -> Value? {
        guard case .reference(let number)? = members["$class"].flatMap({ list[$0] }), let objects,
            objects.indices.contains(number),
            case .string(let name)? = Self.members(objects[number], list)["$classname"].flatMap({ list[$0] })
        else { return nil }
        switch name {
        case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet":
            return elements(members["NS.objects"], depth).map(Value.array)
        case "NSDictionary", "NSMutableDictionary":
            guard let keys = elements(members["NS.keys"], depth), let values = elements(members["NS.objects"], depth),
                keys.count == values.count
            else { return nil }
            var object: [String: Value] = [:]
            for (key, value) in zip(keys, values) {
                guard let name = key.text else { return nil }
                object[name] = value
            }
            return .object(object)
        case "NSString", "NSMutableString": return member("NS.string", members, depth)
        case "NSDate":
            guard case .real(let seconds)? = member("NS.time", members, depth) else { return nil }
            return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case "NSData", "NSMutableData": return member("NS.data", members, depth)
        case "NSUUID":
            guard case .data(let bytes)? = member("NS.uuidbytes", members, depth), let uuid = UUID(bytes: bytes)
            else { return nil }
            return .uuid(uuid)
        case "NSURL":
            guard case .null? = member("NS.base", members, depth) ?? .null else { return nil }
            return member("NS.relative", members, depth)
        case "NSNull": return .null
        default: return nil
        }
    }

    private mutating func member(_ name: String, _ members: [String: Int], _ depth: Int) -> Value? {
        members[name].flatMap { archived($0, depth + 1) }
    }

    private mutating func elements(_ index: Int?, _ depth: Int) -> [Value]? {
        guard case .array(let elements)? = index.flatMap({ list[$0] }) else { return nil }
        var values: [Value] = []
        for element in elements {
            guard let value = archived(element, depth + 1) else { return nil }
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
        case .object(let members): self = .object(members.mapValues(Self.init))
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
