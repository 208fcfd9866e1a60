import Foundation
import GRDB
import LockstepJSON
import LockstepStore

/// The request body of a record is the encoding of its representation.
enum SendingProperty {
    /// Writes the JSON of each record from its rows, and with its model and `JSONEncoder`; returns the differences.
    static func sameAsRepresentations(_ story: RandomStory) async throws -> String? {
        let store = try story.openStore()
        for (number, step) in story.steps.enumerated() {
            _ = try await story.merge(step, into: store, RandomStory.options())
            // A representation has no spelling of its own (M5).
            try await store.writer.write { try $0.execute(sql: "DELETE FROM lockstep_spelling") }
            if let difference = try await difference(in: store) { return "after step \(number): \(difference)" }
        }
        return nil
    }

    static func difference(in store: Store) async throws -> String? {
        try await store.reading("comparing") { database in
            for plan in store.plans {
                guard let type = store.model(named: plan.name) else { continue }
                for row in try database.valueRows(plan.selectSQL) {
                    if let difference = try difference(type, row, store, database) { return difference }
                }
            }
            return nil
        }
    }

    private static func difference<Object: Model>(
        _ type: Object.Type, _ row: [DatabaseValue], _ store: Store, _ database: Database
    ) throws -> String? {
        let plan = type.entity.plan
        let key = RecordKey(plan.keyColumns.map { row[$0] })
        guard let value = try store.representation(of: type, key: key, in: database) else {
            return "\(plan.name) \(key.text): no representation"
        }
        let expected = try JSONValue(json: JSONEncoder().encode(value))
        let written = try RecordJSONWriter(database).json(of: EmbeddedRecord(plan, row: row, in: database))
        // The texts, because they are sent.
        let texts = try (expected.json(), written.json())
        if texts.0 == texts.1 { return nil }
        return """
            \(plan.name) \(key.text): the representation is
            \(String(decoding: texts.0, as: UTF8.self))
            and from the row it is
            \(String(decoding: texts.1, as: UTF8.self))
            """
    }
}
