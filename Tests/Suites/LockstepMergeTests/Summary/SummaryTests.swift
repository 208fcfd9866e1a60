import Checklist
import Foundation
import GRDB
import Journal
import KitchenSink
import LockstepStore
import OfflineTasks
import SchematicCapture
import Shop
import Testing

@testable import LockstepMerge
@testable import LockstepMergeEngine

@Suite("The summary of a merge")
struct SummaryTests {
    private func summary(
        _ schema: any StoreSchema.Type, listsIdentities: Bool = true, _ body: (SummaryRecorder) -> Void
    ) -> MergeSummary {
        let recorder = SummaryRecorder(plans: schema.plan, listsIdentities: listsIdentities)
        body(recorder)
        return recorder.summary()
    }

    @Test("M12 It is readable in a log, and shows no values except identities")
    func description() {
        let summary = summary(ShopSchema.self) { recorder in
            for id in 1...3 { recorder.record(.inserted, entity: 0, integer: Int64(id)) }
            recorder.record(.updated, entity: 0, integer: 4)
            for id in 5...100 { recorder.record(.unchanged, entity: 0, key: RecordKey(Int64(id))) }
            recorder.skip(SkippedRecord(index: 17, keyPath: "title", entity: "Article", reason: "is required"))
        }
        #expect(
            summary.description
                == "Article: 3 inserted, 1 updated, 96 unchanged, 1 skipped (record 17, title: is required)")
        #expect(summary[Article.self].skipped == 1)
        #expect(summary.identities(.inserted, of: Article.self) == [1, 2, 3])
        #expect(summary[Product.self].isEmpty && summary.identities(.inserted, of: Product.self).isEmpty)
        #expect(MergeSummary().description == "nothing to merge")
    }

    @Test("Identities have the type of the model: integers, UUIDs, texts, composite keys")
    func identities() throws {
        let uuid = UUID()
        let words = try #require(RecordKey(uuid).uuidWords)
        let tasks = summary(OfflineTasksSchema.self) { $0.record(.inserted, entity: 0, uuid: words) }
        #expect(tasks.identities(.inserted, of: OfflineTasks.Task.self) == [uuid])
        let sheets = summary(SchematicCaptureSchema.self) { $0.record(.updated, entity: 0, integer: 7) }
        #expect(sheets.identities(.updated, of: Project.self) == [7])
        let person = Person.Identity(country: "CH", number: 1)
        let plans = KitchenSinkSchema.plan
        let place = try #require(plans.firstIndex { $0 === Person.entity.plan })
        let label = try #require(plans.firstIndex { $0 === Label.entity.plan })
        let people = summary(KitchenSinkSchema.self) {
            $0.record(.deleted, entity: place, key: person.recordKey)
            $0.record(.deleted, entity: label, key: RecordKey("red".databaseValue))
        }
        #expect(people.identities(.deleted, of: Person.self) == [person])
        #expect(people.identities(.deleted, of: Label.self) == ["red"])
    }

    @Test("If identities are not listed, they are counted")
    func counted() {
        let summary = summary(ShopSchema.self, listsIdentities: false) {
            $0.record(.inserted, entity: 0, integer: 1)
            $0.record(.deleted, entity: 0, key: RecordKey(2))
        }
        #expect(summary.inserted == 1 && summary.deleted == 1 && summary.hasChanges)
        #expect(summary.identities(.inserted, of: Article.self).isEmpty)
    }

    @Test("A million identities take eight bytes each and are created on access")
    func many() {
        let summary = summary(ShopSchema.self) { recorder in
            for id in 1...1_000_000 { recorder.record(.unchanged, entity: 0, integer: Int64(id)) }
        }
        #expect(summary.unchanged == 1_000_000)
        #expect(summary.identities(.unchanged, of: Article.self).last == 1_000_000)
    }

    @Test("M9 Switches describe themselves")
    func switches() {
        #expect(MergeOperations.all.description == "insert, update, delete")
        #expect(MergeOptions().records == [.insert, .update])
        #expect(MergeOptions().nested == .all)
    }

    @Test("An error names the position, the problem and the solution")
    func errors() {
        let skipped = SkippedRecord(
            index: 3, keyPath: "comments[2].title", entity: "Entry", identity: "7", reason: "is required")
        #expect(skipped.description == "record 3 “7”, comments[2].title: is required")
        #expect(
            MergeError(skipped).description == """
                merging (Entry, record 3, comments[2].title): is required. Fix the server's record, or set \
                `invalidRecords` to `.skip` to merge the others. [invalidRecord]
                """)
        let broken = MergeError(
            .notJSON(offset: 12), entity: "Entry", reason: "the text ends too early", remedy: "Send it whole.")
        #expect(broken.description == "merging (Entry): the text ends too early. Send it whole. [notJSON at byte 12]")
    }
}
