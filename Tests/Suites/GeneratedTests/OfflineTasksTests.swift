import Foundation
import LockstepStore
import OfflineTasks
import Testing

@Suite("Offline tasks: a local id for the device, a remote one from the server")
struct OfflineTasksTests {
    private typealias Item = OfflineTasks.Task

    @Test("A task created offline has a local id and no remote one; several of them can be stored")
    func madeOffline() async throws {
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        try await store.perform { context in
            let first = Item(title: "Milk", context: context)
            let second = Item(title: "Bread", context: context)
            #expect(first.localID != second.localID)
            #expect(first.remoteID == nil)
            try context.save()
        }
        try await store.perform { context in
            let titles = try context.fetch(Item.order(\.title)).map(\.title)
            #expect(titles == ["Bread", "Milk"])
        }
    }

    @Test("The remote id is sent, under the server's key; the local one is not")
    func wire() async throws {
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        let json = Data(#"{"id": 5, "title": "Milk", "completed": true, "created_at": "2016-08-01T10:00:00Z"}"#.utf8)
        let value = try JSONDecoder().decode(TaskRepresentation.self, from: json)
        #expect(value.wireIdentity == 5)
        try await store.perform { context in
            let task = try #require(Item(representation: value, context: context))
            #expect(task == value)
            #expect(value == task)
            #expect(task.wireIdentity == 5)
            try context.save()
            let object = try #require(
                try JSONSerialization.jsonObject(with: JSONEncoder().encode(task)) as? [String: Any])
            #expect(Set(object.keys) == ["id", "title", "completed", "created_at"])
        }
        try await store.perform { context in
            let task = try #require(try Item.find(wireIdentity: 5, in: context))
            #expect(task.completed)
            var changed = value
            changed.completed = false
            #expect(task != changed)
            task.update(from: changed)
            try context.save()
        }
        let stored = try await store.perform { try Item.find(wireIdentity: 5, in: $0)?.representation }
        #expect(stored?.completed == false)
    }

    @Test("Two tasks cannot have one remote id: the save reports it and changes nothing")
    func remoteIDsAreUnique() async throws {
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        try await store.perform { context in
            Item(remoteID: 1, title: "One", context: context)
            Item(remoteID: 1, title: "Other", context: context)
            #expect(throws: StoreError.self) { try context.save() }
        }
        let count = try await store.perform { try $0.count(Item.all()) }
        #expect(count == 0)
    }
}
