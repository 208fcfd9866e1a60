import Checklist
import Foundation
import Journal
import KitchenSink
import LockstepStore
import OfflineTasks
import SchematicCapture
import Shop
import Testing

@Suite("The tables SQLite reports and the entity descriptions agree")
struct TableAgreementTests {
    private static let schemas: [any StoreSchema.Type] = [
        JournalSchema.self, SchematicCaptureSchema.self, OfflineTasksSchema.self, ShopSchema.self, ChecklistSchema.self,
        KitchenSinkSchema.self,
    ]

    @Test("Columns, their order, optionality and keys", arguments: schemas.indices)
    func columns(_ index: Int) throws {
        let schema = Self.schemas[index]
        let queue = try DatabaseQueue()
        try queue.write { db in
            for statement in schema.statements { try db.execute(sql: statement) }
        }
        try queue.read { db in
            for entity in schema.entities.map({ $0.entity }) {
                let reported = try db.columns(in: entity.table)
                #expect(reported.map(\.name) == entity.columns.map(\.name), "\(entity.name)")
                for (column, described) in zip(reported, entity.columns) {
                    #expect(column.type == sqlType(of: described.type), "\(entity.name).\(column.name)")
                    // The number that the database gives is declared without NOT NULL.
                    if case .surrogateKey = described.content { continue }
                    #expect(column.isNotNull == !described.isOptional, "\(entity.name).\(column.name)")
                }
                let key = try db.primaryKey(entity.table).columns
                #expect(key == keyColumns(of: entity).map { entity.columns[$0].name }, "\(entity.name)")
            }
        }
    }

    @Test("Uniques, required foreign keys and the columns of joins", arguments: schemas.indices)
    func constraints(_ index: Int) throws {
        let schema = Self.schemas[index]
        let queue = try DatabaseQueue()
        try queue.write { db in
            for statement in schema.statements { try db.execute(sql: statement) }
        }
        try queue.read { db in
            for entity in schema.entities.map({ $0.entity }) {
                let uniques = try db.indexes(on: entity.table).filter { $0.isUnique && $0.columns.count == 1 }
                let uniqueColumns = Set(uniques.flatMap(\.columns)).union(try db.primaryKey(entity.table).columns)
                for column in entity.columns where column.isUnique {
                    #expect(uniqueColumns.contains(column.name), "\(entity.name).\(column.name)")
                }
                for relationship in entity.relationships {
                    try check(relationship, of: entity, db)
                }
            }
        }
    }

    private func check(
        _ relationship: RelationshipDescription, of entity: EntityDescription, _ db: Database
    ) throws {
        let place = "\(entity.name).\(relationship.name)"
        switch relationship.kind {
        case .toOne(let columns, position: _, let isRequired):
            let reported = try db.columns(in: entity.table)
            for column in columns { #expect(reported[column].isNotNull == isRequired, "\(place)") }
        case .manyToMany(let join):
            let positions = [join.position, join.inversePosition].compactMap(\.self)
            let names = join.sourceColumns + join.destinationColumns + positions
            #expect(try Set(db.columns(in: join.table).map(\.name)) == Set(names), "\(place)")
        case .toOneInverse, .toMany: break
        }
    }

    /// What SQLite is told for a type, as the documents have it.
    private func sqlType(of type: StoredType) -> String {
        switch type {
        case .string, .decimal, .uuid, .url, .json, .list, .enumeration(.string, closed: _): "TEXT"
        case .int, .int16, .int32, .int64, .enumeration(.int, closed: _): "INTEGER"
        case .float, .double, .date: "REAL"
        case .bool: "BOOLEAN"
        case .data: "BLOB"
        case .attachment: "TEXT"
        case .custom(let custom): sqlType(of: custom.stored)
        }
    }

    private func keyColumns(of entity: EntityDescription) -> [Int] {
        switch entity.identity {
        case .none: [0]
        case .columns(let columns): columns
        case .local(let local, remote: _): [local]
        }
    }
}
