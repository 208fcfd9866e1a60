import Foundation
import GRDB
import LockstepEvolution
import LockstepJSON
import TestSupport

/// Rows of a structure's tables that are as extreme as its types and constraints allow.
struct HostileRows {
    let structure: SchemaStructure
    private let lookup: SchemaLookup
    private var random: SeededRandom
    /// The keys of the records of each entity.
    private var keys: [String: [[DatabaseValue]]] = [:]

    /// The rows of one table.
    struct Table {
        var name: String
        var columns: [String]
        var rows: [[DatabaseValue]] = []
        /// The rows of the table with bases; `nil` if there is none.
        var bases: [[DatabaseValue]]?
    }

    init(_ structure: SchemaStructure, _ random: SeededRandom) {
        self.structure = structure
        self.random = random
        lookup = SchemaLookup(structure)
    }

    mutating func make() -> [Table] {
        for entity in structure.entities { keys[entity.name] = keys(of: entity) }
        return structure.entities.map { table(of: $0) } + lookup.joinTables.map { table(of: $0) }
    }

    // MARK: Keys

    private mutating func keys(of entity: EntityStructure) -> [[DatabaseValue]] {
        let attributes = entity.identity.keyAttributes.compactMap(entity.attribute)
        var keys: [[DatabaseValue]] = []
        for number in 1...max(1, random.number(0...7)) {
            let key =
                attributes.isEmpty
                ? [Int64(number * 3).databaseValue] : attributes.map { value(of: $0.type, $0.limits) }
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }

    // MARK: Entities

    private mutating func table(of entity: EntityStructure) -> Table {
        let columns = lookup.columns(of: entity)
        var table = Table(name: entity.table, columns: columns.map(\.name))
        for key in keys[entity.name] ?? [] { table.rows.append(row(of: entity, columns, key: key, among: table.rows)) }
        let isUnfit = Set(table.rows.indices.filter { table.rows[$0].isEmpty })
        table.rows = table.rows.indices.filter { !isUnfit.contains($0) }.map { table.rows[$0] }
        guard entity.remote != nil else { return table }
        var bases: [[DatabaseValue]] = []
        for row in table.rows where random.isLikely(60) {
            // The base of a record that is not edited has the same values.
            if random.isLikely(30) { bases.append(row); continue }
            let other = self.row(of: entity, columns, key: key(of: entity, columns, row), among: [])
            bases.append(row.indices.map { random.isLikely(70) ? row[$0] : other[$0] })
        }
        table.bases = bases
        return table
    }

    private func key(of entity: EntityStructure, _ columns: [EntityColumn], _ row: [DatabaseValue]) -> [DatabaseValue] {
        let names = entity.keyColumns.isEmpty ? [EntityStructure.surrogateKey] : entity.keyColumns
        return names.compactMap { name in columns.firstIndex { $0.name == name }.map { row[$0] } }
    }

    /// - Returns: An empty row if unique values run out.
    private mutating func row(
        of entity: EntityStructure, _ columns: [EntityColumn], key: [DatabaseValue], among rows: [[DatabaseValue]]
    ) -> [DatabaseValue] {
        var links: [String: [DatabaseValue]] = [:]
        for relationship in entity.relationships where !relationship.foreignKeyColumns.isEmpty {
            links[relationship.name] = link(relationship)
        }
        var row: [DatabaseValue] = []
        for (index, column) in columns.enumerated() {
            switch column.content {
            case .surrogateKey: row.append(key[0])
            case .attribute(let name):
                if let position = entity.identity.keyAttributes.firstIndex(of: name) {
                    row.append(key[position])
                    continue
                }
                guard let attribute = entity.attribute(name) else { continue }
                let taken = attribute.isUnique ? rows.filter { !$0.isEmpty }.map { $0[index] } : []
                guard let value = value(of: attribute, except: taken) else { return [] }
                row.append(value)
            case .foreignKey(let name):
                let position = entity.relationship(name)?.foreignKeyColumns.firstIndex(of: column.name) ?? 0
                row.append(links[name]?[position] ?? .null)
            case .position:
                row.append(random.isLikely(30) ? .null : Int64(random.number(-2...5)).databaseValue)
            }
        }
        return row
    }

    /// The key of a record, which may not have come yet.
    private mutating func link(_ relationship: RelationshipStructure) -> [DatabaseValue] {
        let none = [DatabaseValue](repeating: .null, count: relationship.foreignKeyColumns.count)
        if relationship.isOptional, random.isLikely(30) { return none }
        if random.isLikely(80), let key = random.pick(keys[relationship.destination] ?? []) { return key }
        guard let destination = structure.entity(relationship.destination) else { return none }
        return destination.identity.keyAttributes.compactMap(destination.attribute).map {
            value(of: $0.type, $0.limits)
        }
    }

    private mutating func table(of join: JoinTable) -> Table {
        let positions = [join.left.positionColumn, join.right.positionColumn].compactMap(\.self)
        var table = Table(name: join.name, columns: join.left.columns + join.right.columns + positions)
        var (pairs, linked): (Set<[DatabaseValue]>, Set<[DatabaseValue]>) = ([], [])
        for _ in 0..<random.number(0...8) {
            guard let left = random.pick(keys[join.left.entity] ?? []),
                let right = random.pick(keys[join.right.entity] ?? []),
                !join.isToOne || linked.isDisjoint(with: [left, right]),
                pairs.insert(left + right).inserted
            else { continue }
            linked.formUnion([left, right])
            table.rows.append(left + right + places(positions.count))
            if join.isSymmetric, left != right {
                pairs.insert(right + left)
                table.rows.append(right + left + places(positions.count))
            }
        }
        return table
    }

    private mutating func places(_ count: Int) -> [DatabaseValue] {
        (0..<count).map { _ in random.isLikely(20) ? .null : Int64(random.number(0...5)).databaseValue }
    }

    // MARK: Values

    /// - Returns: `nil` if every value is taken.
    private mutating func value(of attribute: AttributeStructure, except taken: [DatabaseValue]) -> DatabaseValue? {
        if attribute.isOptional, random.isLikely(25) { return .null }
        for _ in 0..<20 {
            let value = value(of: attribute.type, attribute.limits)
            if !taken.contains(value) { return value }
        }
        return attribute.isOptional ? .null : nil
    }

    private mutating func value(of type: ValueType, _ limits: AttributeLimits) -> DatabaseValue {
        if limits.isEmpty, random.isLikely(60), let extreme = extreme(type) { return extreme }
        if case .enumeration(let name) = type, structure.enumeration(name)?.isClosed == false, random.isLikely(20) {
            return structure.enumeration(name)?.isInteger == true ? 977.databaseValue : "un'known".databaseValue
        }
        guard let value = RandomAttribute.value(of: type, limits, in: structure, &random) else {
            return "reference \(random.number(1...99))".databaseValue
        }
        return databaseValue(value, type)
    }

    private func databaseValue(_ value: DefaultValue, _ type: ValueType) -> DatabaseValue {
        switch value {
        case .string(let text), .day(let text), .uuid(let text), .url(let text), .json(let text), .decimal(let text):
            text.databaseValue
        case .bool(let flag): flag.databaseValue
        case .integer(let number): number.databaseValue
        case .double(let number), .date(let number): number.databaseValue
        case .data(let bytes): Data(bytes).databaseValue
        case .enumerationCase(let name):
            switch structure.enumeration(type.enumerationName ?? "")?.rawValue(ofCase: name) {
            case .int(let number): number.databaseValue
            case .string(let text): text.databaseValue
            case nil: .null
            }
        case .list: String(decoding: (try? value.json.json()) ?? Data("[]".utf8), as: UTF8.self).databaseValue
        case .now, .newUUID: .null
        }
    }

    private mutating func extreme(_ type: ValueType) -> DatabaseValue? {
        guard case .scalar(let scalar) = type else { return nil }
        switch scalar {
        case .string:
            return random.element(of: [
                "", "\0", "a\0b", "🙂\u{301}", "12", " 12 ", "1e3", "-0.50", "9223372036854775808", "NULL", "x'00'",
                "'\";--",
            ]).databaseValue
        case .int, .int64: return random.element(of: [Int64.min, .max, -1, 0, 9_007_199_254_740_993]).databaseValue
        case .int16: return random.element(of: [Int64(Int16.min), Int64(Int16.max)]).databaseValue
        case .int32: return random.element(of: [Int64(Int32.min), Int64(Int32.max)]).databaseValue
        case .float:
            return random.element(of: [Double(Float(0.1)), -0.0, Double(Float.greatestFiniteMagnitude)]).databaseValue
        case .double:
            return random.element(of: [0.1, -0.0, 1e308, .leastNonzeroMagnitude, -.infinity, 12, 0x1p63]).databaseValue
        case .decimal:
            return random.element(of: [
                "12345678901234567890.123456789", "-0.5", "0", "1\(String(repeating: "0", count: 40))",
            ])
            .databaseValue
        case .date: return random.element(of: [-62_135_596_800, 0.001, 253_402_300_799.999]).databaseValue
        case .day: return random.element(of: ["0001-01-01", "2024-02-29", "9999-12-31"]).databaseValue
        case .data: return random.element(of: [Data(), Data([0, 255, 0])]).databaseValue
        case .json: return random.element(of: ["{}", "[1e400]", "\"\\u0000\""]).databaseValue
        case .uuid:
            return "\(random.number(10_000_000...99_999_999))-0000-4000-8000-00000000000\(random.number(0...9))"
                .databaseValue
        case .bool, .url: return nil
        }
    }
}
