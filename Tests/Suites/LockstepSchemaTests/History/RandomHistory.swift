import LockstepEvolution
import LockstepJSON
import LockstepSchema
import TestSupport

/// Histories with strange texts, by seed.
struct RandomHistory {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func history() throws -> SchemaHistory {
        var tree = SchemaTree(structure())
        var history = SchemaHistory(beginningWith: tree, version: Int.random(in: 1...9, using: &random))
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            var next = SchemaTree(structure())
            next.name = tree.name
            var changes = try SchemaDiff.changes(from: tree, to: next)
            for index in changes.indices where random.isOne(in: 3) { changes[index].answers = answers() }
            history.versions.append(
                SchemaHistory.Version(
                    number: history.head.number + Int.random(in: 1...3, using: &random),
                    name: random.isOne(in: 4) ? nil : name(), hash: StructureHash(next),
                    isReleased: random.isOne(in: 2), changes: changes))
            tree = next
        }
        return history
    }

    private mutating func answers() -> ChangeAnswers {
        ChangeAnswers(
            fill: random.isOne(in: 2) ? value() : nil, convert: random.isOne(in: 2) ? "number" : nil,
            otherwise: random.isOne(in: 2) ? value() : nil, refetch: random.isOne(in: 2),
            duplicates: random.isOne(in: 2) ? "keepNewest(by: \(text()))" : nil,
            cases: random.isOne(in: 2) ? [text(): text()] : [:], because: random.isOne(in: 2) ? text() : nil)
    }

    private mutating func value() -> JSONValue {
        switch Int.random(in: 0...5, using: &random) {
        case 0: .null
        case 1: .bool(random.isOne(in: 2))
        case 2: .integer(random.element(of: [0, -1, 7, .max, .min]))
        case 3: .array(random.isOne(in: 3) ? [] : [value(), .string(text())])
        case 4: .object(random.isOne(in: 3) ? [:] : [text(): value()])
        default: .string(text())
        }
    }

    // MARK: Structures

    private mutating func structure() -> SchemaStructure {
        let enumerations = names().map { name in
            EnumerationStructure(
                name: "E" + name, isClosed: random.isOne(in: 2), isInteger: false,
                cases: names().map { EnumerationStructure.Case(name: $0, rawValue: .string(text())) })
        }
        let entities = names().map { entity($0, enumerations.map(\.name)) }
        return SchemaStructure(name: "Journal", enumerations: enumerations, entities: entities)
    }

    private mutating func entity(_ name: String, _ enumerations: [String]) -> EntityStructure {
        let attributes = names().map { attribute($0, enumerations) }
        return EntityStructure(
            name: name, table: text(), identity: random.isOne(in: 3) ? .none : .attributes(attributes.map(\.name)),
            attributes: attributes,
            relationships: names().map { name in
                RelationshipStructure(
                    name: "r" + name, destination: name, isToMany: false, isOptional: random.isOne(in: 2),
                    storage: .foreignKey(columns: [text()], position: nil), wire: wire())
            },
            indexes: names().map { IndexStructure(name: $0, columns: [text()], isUnique: random.isOne(in: 2)) },
            remote: random.isOne(in: 2) ? nil : RemoteStructure(path: text(), writes: [.create]), scope: scope(),
            readers: access(), writers: access())
    }

    private mutating func scope() -> RecordScope? {
        random.element(of: [nil, .own, .everyone, .attribute(text()), .relationship(text())])
    }

    private mutating func access() -> AccessRule? {
        let paths = names().map { AccessPath(relationships: names(), attribute: $0) }
        let users = paths.isEmpty ? nil : AccessRule.users(paths).sorted
        return random.element(of: [nil, .nobody, .everyone, users])
    }

    private mutating func wire() -> RelationshipWire {
        let path = [text(), text()]
        let other = random.isOne(in: 2) ? [text()] : []
        return random.isOne(in: 2)
            ? .ids(path: path, embeddedPath: other) : .embedded(path: path, idsPath: random.isOne(in: 2) ? path : other)
    }

    private mutating func attribute(_ name: String, _ enumerations: [String]) -> AttributeStructure {
        let isEnumeration = random.isOne(in: 4) && !enumerations.isEmpty
        return AttributeStructure(
            name: name, column: text(),
            type: isEnumeration ? .enumeration(random.element(of: enumerations)) : .scalar(.string),
            isOptional: random.isOne(in: 2), defaultValue: isEnumeration ? nil : .string(text()),
            limits: AttributeLimits(minimum: text(), maximumLength: 7),
            wire: WireStructure(path: [text()], format: text(), formerPaths: [[text()]]))
    }

    private mutating func names() -> [String] {
        var names: Set<String> = []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            names.insert(UsableName.member(text(), types: []))
        }
        return names.sorted()
    }

    private static let texts = [
        "", " ", "title", "yes", "no", "null", "~", "true", "False", "1", "-1", "007", "1.0", "1e3", ".5", "0x1F", "<<",
        " leading", "trailing ", "a: b", "a #b", "#", "-", "- a", "?", "?a", "a?", "a?b", ":", "a:b", "[Tag]", "{a}",
        "a,b", "*a", "&a", "!a", "|", ">", "%a", "@a", "`a", "'", "\"", "it's", "\\", "a\nb", "\n", "\r\n", "\t",
        "\u{0}",
        "\u{7F}", "\u{85}", "\u{A0}", "\u{2028}", "\u{FEFF}", "\u{FFFE}", "e\u{301}", "ß", "日本", "👩‍👩‍👧", "---", "...",
        "2026-01-01", "12:30:45", "yyyy-MM-dd'T'HH:mm", "/entries", "=", "a b c", "attributes", "type", "to",
    ]

    /// The name of a version is one line of visible characters.
    private mutating func name() -> String {
        text().filter { $0.isLetter || $0.isNumber || ("!"..."~").contains($0) || $0 == " " }
    }

    private mutating func text() -> String {
        let text = random.element(of: Self.texts)
        return random.isOne(in: 4) ? text + random.element(of: Self.texts) : text
    }
}
