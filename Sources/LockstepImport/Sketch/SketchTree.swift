import Foundation
import LockstepJSON
import LockstepSchema

/// A part of a sketch, by its indices.
enum SketchPart: Hashable {
    case enumeration(Int)
    case entity(Int)
    case option(Int, EntityOption)
    case identity(Int)
    /// An attribute, or one of its options.
    case attribute(Int, Int, MemberOption? = nil)
    /// A relationship, or one of its options.
    case relationship(Int, Int, MemberOption? = nil)
    case index(Int, Int)

    /// The part without its option.
    var whole: SketchPart {
        switch self {
        case .attribute(let entity, let index, _): .attribute(entity, index)
        case .relationship(let entity, let index, _): .relationship(entity, index)
        default: self
        }
    }
}

/// A sketch as the tree that a schema file is read as. Each part of it has a line of its own, by which a diagnostic
/// names the part.
struct SketchTree {
    private(set) var root = Node(content: .mapping([]), range: TextRange(line: 1))
    /// The part in each line; `nil` for what belongs to the whole schema.
    private var parts: [SketchPart?] = []

    init(_ sketch: SchemaSketch) {
        parts.reserveCapacity(sketch.entities.count * 16)
        var entries = [entry("lockstep", value: 1), entry("schema", names: [sketch.name])]
        if let version = sketch.version, version > 1 {
            entries.append(entry("version", value: .integer(Int64(version))))
        }
        if !sketch.wire.isEmpty { entries.append(entry("wire", value: .object(sketch.wire))) }
        if sketch.hasColumnsAsWritten { entries.append(entry("columns", value: "asWritten")) }
        if !sketch.enums.isEmpty {
            entries.append(section("enums", of: sketch.enums) { $0.entry($2, at: .enumeration($1)) })
        }
        entries.append(section("entities", of: sketch.entities) { $0.entry($2, at: $1) })
        root.content = .mapping(entries)
    }

    /// The part in a line, from 1; `nil` if the line belongs to the whole schema.
    func part(line: Int) -> SketchPart? { parts.indices.contains(line - 1) ? parts[line - 1] : nil }

    private mutating func range(_ part: SketchPart?) -> TextRange {
        parts.append(part)
        return TextRange(line: parts.count)
    }

    private mutating func entry(_ key: String, value: JSONValue, at part: SketchPart? = nil) -> Node.Entry {
        let range = range(part)
        return Node.Entry(key: Node(name: key, range: range), value: Node(value, range: range))
    }

    /// An entry with one name or a list of several.
    private mutating func entry(_ key: String, names: [String], at part: SketchPart? = nil) -> Node.Entry {
        let range = range(part)
        return Node.Entry(
            key: Node(name: key, range: range),
            value: names.count == 1 ? Node(name: names[0], range: range) : Node(names: names, range: range))
    }

    /// A mapping or a list with an entry for each element.
    private mutating func section<Element>(
        _ key: String, of elements: [Element], entry: (inout Self, Int, Element) -> Node.Entry
    ) -> Node.Entry {
        let range = range(nil)
        var entries: [Node.Entry] = []
        entries.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() { entries.append(entry(&self, index, element)) }
        return Node.Entry(
            key: Node(name: key, range: range), value: Node(content: .mapping(entries), range: range))
    }

    // MARK: Enums

    private mutating func entry(_ enumeration: EnumSketch, at part: SketchPart) -> Node.Entry {
        let range = range(part)
        func entry(_ key: String, value: Node) -> Node.Entry {
            Node.Entry(key: Node(text: key, range: range), value: value)
        }
        let areNames = enumeration.cases.allSatisfy { $0.value == .string($0.name) }
        let list = Node(
            content: areNames
                ? .sequence(enumeration.cases.map { Node(text: $0.name, range: range) })
                : .mapping(enumeration.cases.map { entry($0.name, value: Node($0.value, range: range)) }),
            range: range)
        guard enumeration.isInteger || enumeration.isClosed || enumeration.doc != nil else {
            return Node.Entry(key: Node(name: enumeration.name, range: range), value: list)
        }
        var entries: [Node.Entry] = []
        if enumeration.isInteger { entries.append(entry("type", value: Node("int", range: range))) }
        if enumeration.isClosed { entries.append(entry("closed", value: Node(true, range: range))) }
        if let doc = enumeration.doc { entries.append(entry("doc", value: Node(.string(doc), range: range))) }
        entries.append(entry("cases", value: list))
        return Node.Entry(
            key: Node(name: enumeration.name, range: range), value: Node(content: .mapping(entries), range: range))
    }

    // MARK: Entities

    private mutating func entry(_ entity: EntitySketch, at index: Int) -> Node.Entry {
        let range = range(.entity(index))
        var entries: [Node.Entry] = []
        if entity.isAbstract { entries.append(entry("abstract", value: true, at: .entity(index))) }
        if let base = entity.extends { entries.append(entry("extends", names: [base], at: .entity(index))) }
        if let text = entity.documentation { entries.append(entry("doc", value: .string(text), at: .entity(index))) }
        switch entity.identity {
        case .derived: break
        case .absent: entries.append(entry("identity", value: "none", at: .identity(index)))
        case .attributes(let names): entries.append(entry("identity", names: names, at: .identity(index)))
        case .local(let local, let remote):
            let value: JSONValue = ["local": .string(local), "remote": .string(remote)]
            entries.append(entry("identity", value: value, at: .identity(index)))
        }
        for option in EntityOption.allCases {
            guard let value = option.value(in: entity) else { continue }
            entries.append(entry(option.rawValue, value: value, at: .option(index, option)))
        }
        if !entity.attributes.isEmpty
            || entity.relationships.isEmpty && entity.extends == nil
        {
            entries.append(
                section("attributes", of: entity.attributes) { tree, member, attribute in
                    tree.entry(attribute, typeKey: "type") { .attribute(index, member, $0) }
                })
        }
        if !entity.relationships.isEmpty {
            entries.append(
                section("relationships", of: entity.relationships) { tree, member, relationship in
                    tree.entry(relationship, typeKey: "to") { .relationship(index, member, $0) }
                })
        }
        if !entity.indexes.isEmpty { entries.append(indexes(of: entity, at: index)) }
        return Node.Entry(
            key: Node(name: entity.name, range: range), value: Node(content: .mapping(entries), range: range))
    }

    private mutating func indexes(of entity: EntitySketch, at position: Int) -> Node.Entry {
        let range = range(nil)
        var nodes: [Node] = []
        for (number, index) in entity.indexes.enumerated() {
            let own = self.range(.index(position, number))
            let members = Node(names: index.members, range: own)
            let entries = [
                Node.Entry(key: Node(name: "on", range: own), value: members),
                Node.Entry(key: Node(name: "unique", range: own), value: Node(true, range: own)),
            ]
            nodes.append(index.isUnique ? Node(content: .mapping(entries), range: own) : members)
        }
        let list = Node(content: .sequence(nodes), range: range)
        return Node.Entry(key: Node(name: "indexes", range: range), value: list)
    }

    // MARK: Members

    private mutating func entry(
        _ member: MemberSketch, typeKey: String, part: (MemberOption?) -> SketchPart
    ) -> Node.Entry {
        let range = range(part(nil))
        let key = Node(name: member.name, range: range)
        let type = Node(member.type, range: range)
        var entries: [Node.Entry] = []
        for option in MemberOption.allCases {
            guard let value = option.value(in: member) else { continue }
            if entries.isEmpty { entries.append(Node.Entry(key: Node(name: typeKey, range: range), value: type)) }
            entries.append(entry(option.rawValue, value: value, at: part(option)))
        }
        return Node.Entry(key: key, value: entries.isEmpty ? type : Node(content: .mapping(entries), range: range))
    }
}

extension TextRange {
    /// The beginning of a line.
    fileprivate init(line: Int) {
        let start = SourcePosition(line: line, column: 1)
        self.init(start: start, end: start)
    }
}

extension Node {
    /// A name of the language, or one that was made for it, which needs no quotes.
    fileprivate init(name: String, range: TextRange) { self.init(content: .scalar(name, isPlain: true), range: range) }

    fileprivate init(names: [String], range: TextRange) {
        self.init(content: .sequence(names.map { Node(name: $0, range: range) }), range: range)
    }

    /// A plain scalar, or one in quotes if it would be something else without them.
    fileprivate init(text: String, range: TextRange) {
        let isNumber = text.first?.isNumber == true && Double(text) != nil
        self.init(content: .scalar(text, isPlain: !isNumber && YAMLText.isPlain(text)), range: range)
    }

    /// The type of a member. An optional list is a text.
    fileprivate init(_ type: TypeSketch, range: TextRange) {
        if type.isList, !type.isOptional {
            self.init(names: [type.name], range: range)
        } else {
            self.init(content: .scalar(type.description, isPlain: !type.isList), range: range)
        }
    }

    /// A value with the members of its mappings in the order of their keys.
    fileprivate init(_ value: JSONValue, range: TextRange) {
        func plain(_ text: String) -> Content { .scalar(text, isPlain: true) }
        let content: Content
        switch value {
        case .null: content = plain("null")
        case .bool(let flag): content = plain(flag ? "true" : "false")
        case .integer(let number): content = plain(String(number))
        case .double(let number): content = plain(number.description)
        case .decimal(let number): content = plain(number.description)
        case .string(let text): content = Node(text: text, range: range).content
        case .array(let elements): content = .sequence(elements.map { Node($0, range: range) })
        case .object(let members):
            content = .mapping(
                members.sortedMembers.map { member in
                    Entry(key: Node(text: member.key, range: range), value: Node(member.value, range: range))
                })
        }
        self.init(content: content, range: range)
    }
}
