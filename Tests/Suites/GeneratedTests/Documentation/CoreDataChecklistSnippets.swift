import Checklist
import Foundation
import LockstepStore
import Testing

// The Swift on checklists in ComingFromCoreData.md.

@Suite("Coming from Core Data: the checklists")
struct CoreDataChecklistSnippets {
    private typealias Task = Checklist.Task

    @Test("Swifty Core Data's helpers")
    func helpers() async throws {
        let store = try Store(ChecklistSchema.self, at: .inMemory)
        try await store.perform { context in
            // snippet
            print(Task.entity.name)  // Task.entityName()

            // Task.confidentObject(moc, predicate:)
            let task = try context.findOrInsert(Task.filter { $0.title == "Pack" }) {
                Task(id: 1, title: "Pack", context: $0)
            }
            // Task.confidentObject(moc, id:)
            let same = try Task.findOrInsert(1, in: context) { Task(id: 1, title: "New", context: $0) }
            task.status = .closed
            try context.save()

            // Task.object(moc, predicate:), typed, and an error if there are two
            let only = try context.only(Task.filter { $0.status == TaskStatus.closed })
            print(task === same, only === task)  // true true
            // end
            #expect(task === same && only === task)
        }
    }
}
