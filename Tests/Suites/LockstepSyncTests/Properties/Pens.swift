import LockstepEvolution
@_spi(Generated) @testable import LockstepStore
import RuntimeTestSupport
import TestSupport

/// Pens with values, a link, a list of links, and records embedded in them.
enum Pens: StructuredSchema {
    enum Boxes: WordKind { static let entity = compiled.entity("Box") }
    enum Caps: WordKind { static let entity = compiled.entity("Cap") }
    enum Pens: WordKind { static let entity = compiled.entity("Pen") }
    enum Parts: WordKind { static let entity = compiled.entity("Part") }

    static let entities: [any Model.Type] = [Word<Boxes>.self, Word<Caps>.self, Word<Pens>.self, Word<Parts>.self]
    static let compiled = CompiledSchema(LockstepSyncTests.Pens.self)
    static let tables = SchemaStructure(
        name: "Pens",
        entities: [
            EntityStructure(
                name: "Box", table: "box", identity: .attributes(["id"]),
                attributes: [.attribute("id", as: .int), .attribute("name", as: .string)],
                relationships: [.toMany("pens", to: "Pen", inverse: "box")], remote: RemoteStructure(path: "/boxes")),
            EntityStructure(
                name: "Cap", table: "cap", identity: .attributes(["id"]),
                attributes: [.attribute("id", as: .int), .attribute("name", as: .string)],
                relationships: [
                    .toMany("pens", to: "Pen", inverse: "caps", storage: .inverseJoinTable("pen_cap"))
                ], remote: RemoteStructure(path: "/caps")),
            EntityStructure(
                name: "Pen", table: "pen", identity: .attributes(["id"]),
                attributes: [
                    .attribute("id", as: .int), .attribute("title", as: .string), .optional("note", as: .string),
                    .optional("size", as: .int),
                ],
                relationships: [
                    .toOne(
                        "box", to: "Box", inverse: "pens", column: "box_id",
                        wire: .id(paths: [["box_id"]], embeddedPath: ["box"])),
                    .toMany(
                        "caps", to: "Cap", inverse: "pens",
                        storage: .joinTable(
                            JoinTableStructure(name: "pen_cap", leftColumns: ["pen_id"], rightColumns: ["cap_id"])),
                        wire: .ids(path: ["cap_ids"])),
                    .toMany(
                        "parts", to: "Part", inverse: "pen", onDelete: .cascade, wire: .embedded(path: ["parts"])),
                ], remote: RemoteStructure(path: "/pens")),
            EntityStructure(
                name: "Part", table: "part", identity: .attributes(["id"]),
                attributes: [.attribute("id", as: .int), .attribute("text", as: .string)],
                relationships: [.toOne("pen", to: "Pen", inverse: "parts", column: "pen_id")]),
        ])
}

extension AttributeStructure {
    fileprivate static func optional(_ name: String, as type: ScalarType) -> AttributeStructure {
        AttributeStructure(
            name: name, column: name, type: .scalar(type), isOptional: true, wire: WireStructure(path: [name]))
    }
}

/// What a pen has.
struct Pen: Equatable {
    enum Field: CaseIterable {
        case title, note, size, box

        var name: String { "\(self)" }
        var key: String { self == .box ? "box_id" : name }
        /// Another spelling (N1).
        var otherKey: String { self == .box ? "boxId" : name.prefix(1).uppercased() + name.dropFirst() }

        /// Any value that a device may write.
        func value(_ random: inout SeededRandom) -> JSONValue {
            switch self {
            case .title: random.element(of: ["one", "one ", "two", " two", "x y", "x  y"])
            case .note: random.element(of: [.null, "left", "right", " right", "  "])
            case .size: random.element(of: [.null, 7, 9])
            case .box: random.element(of: [.null, 1, 2, 3])
            }
        }

        /// A value that a server may have made.
        func other(_ random: inout SeededRandom) -> JSONValue {
            switch self {
            case .title, .note: random.element(of: ["the server’s", "one", " two ", "right"])
            case .size: random.element(of: [0, 100])
            case .box: random.element(of: [1, 2, 3])
            }
        }
    }

    private var values: [Field: JSONValue] = [:]
    var caps: Set<Int> = []
    var parts: [Int: String] = [:]

    init(_ random: inout SeededRandom) {
        for field in Field.allCases { values[field] = field.value(&random) }
        caps = Set((1...3).filter { _ in random.isOne(in: 2) })
        for id in 1...2 where random.isOne(in: 2) { parts[id] = "p" }
    }

    subscript(field: Field) -> JSONValue {
        get { values[field] ?? .null }
        set { values[field] = newValue }
    }

    var size: JSONValue {
        get { self[.size] }
        set { self[.size] = newValue }
    }

    mutating func edit(_ random: inout SeededRandom, onlyValues: Bool = false) {
        for field in Field.allCases where random.isOne(in: 2) { values[field] = field.value(&random) }
        if onlyValues { return }
        for cap in 1...3 where random.isOne(in: 3) { caps.formSymmetricDifference([cap]) }
        for id in parts.keys.sorted() where random.isOne(in: 3) { parts[id] = random.isOne(in: 2) ? nil : "q" }
        if random.isOne(in: 3) { parts[10] = "new" }
    }

    static func part(_ id: Int, _ text: String) -> JSONValue { ["id": .integer(Int64(id)), "text": .string(text)] }

    func json() -> JSONValue {
        var members: JSONObject = ["id": 1]
        for field in Field.allCases { members[field.key] = self[field] }
        members["cap_ids"] = .array(caps.sorted().map { .integer(Int64($0)) })
        members["parts"] = .array(parts.sorted { $0.key < $1.key }.map { Self.part($0.key, $0.value) })
        return .object(members)
    }

    private func sql(_ field: Field) -> String {
        switch self[field] {
        case .integer(let number): "\(number)"
        case .string(let text): "'\(text)'"
        default: "NULL"
        }
    }

    /// The statements that change another state to this one.
    func statements(from before: Pen?) -> [String] {
        var statements: [String] = []
        if before == nil {
            let list = Field.allCases.map(sql).joined(separator: ", ")
            statements.append("INSERT INTO pen (id, title, note, size, box_id) VALUES (1, \(list))")
        }
        for field in Field.allCases where before.map({ $0[field] != self[field] }) ?? false {
            statements.append("UPDATE pen SET \(field.key) = \(sql(field)) WHERE id = 1")
        }
        let known = before?.caps ?? []
        for cap in caps.subtracting(known).sorted() {
            statements.append("INSERT INTO pen_cap (pen_id, cap_id) VALUES (1, \(cap))")
        }
        for cap in known.subtracting(caps).sorted() { statements.append("DELETE FROM pen_cap WHERE cap_id = \(cap)") }
        for (id, text) in parts.sorted(by: { $0.key < $1.key }) where before?.parts[id] != text {
            statements.append(
                before?.parts[id] == nil
                    ? "INSERT INTO part (id, text, pen_id) VALUES (\(id), '\(text)', 1)"
                    : "UPDATE part SET text = '\(text)' WHERE id = \(id)")
        }
        for id in (before?.parts ?? [:]).keys.sorted() where parts[id] == nil {
            statements.append("DELETE FROM part WHERE id = \(id)")
        }
        return statements
    }

    /// The rows of the tables: the pen, its links, its parts.
    var rows: [[String]] {
        let texts = Field.allCases.map { field -> String in
            switch self[field] {
            case .integer(let number): "\(number)"
            case .string(let text): text
            default: ""
            }
        }
        return [
            [texts.joined(separator: "|")], caps.sorted().map { "\($0)" },
            parts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" },
        ]
    }
}
