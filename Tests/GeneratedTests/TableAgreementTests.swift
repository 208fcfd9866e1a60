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
                    guard case .attribute = described.content else { continue }
                    #expect(column.isNotNull == !described.isOptional, "\(entity.name).\(column.name)")
                }
                let key = try db.primaryKey(entity.table).columns
                #expect(key == keyColumns(of: entity).map { entity.columns[$0].name }, "\(entity.name)")
            }
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
