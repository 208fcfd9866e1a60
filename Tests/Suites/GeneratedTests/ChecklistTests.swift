import Checklist
import Foundation
import LockstepStore
import Testing

@Suite("Checklists: lists, tasks and subtasks")
struct ChecklistTests {
    private typealias Item = Checklist.Task

    @Test("An unknown status keeps its number")
    func unknownStatus() async throws {
        let store = try Store(ChecklistSchema.self, at: .inMemory)
        let value = try JSONDecoder().decode(
            TaskRepresentation.self, from: Data(#"{"id": 1, "title": "x", "status": 99, "checklistID": 4}"#.utf8))
        #expect(value.status == .unknown(99))
        #expect(value.listID == 4)
        try await store.perform { context in
            _ = Item(representation: value, context: context)
            try context.save()
        }
        let loaded = try #require(try await store.perform { try Item.find(1, in: $0)?.representation })
        #expect(loaded == value)
        #expect(String(decoding: try JSONEncoder().encode(loaded), as: UTF8.self).contains(#""status":99"#))
    }

    @Test("Both ends of parent and subtasks agree immediately, and after loading")
    func tree() async throws {
        let store = try Store(ChecklistSchema.self, at: .inMemory)
        try await store.perform { context in
            let list = List(id: 1, name: "Trip", context: context)
            let pack = Item(id: 1, title: "Pack", list: list, context: context)
            let socks = Item(id: 3, title: "Socks", parentTask: pack, context: context)
            let shoes = Item(id: 2, title: "Shoes", context: context)
            #expect(pack.subTasks.map(\.id) == [3])
            pack.subTasks.insert(shoes)
            #expect(shoes.parentTask === pack)
            #expect(pack.subTasks.map(\.id) == [2, 3])
            #expect(list.tasks.map(\.id) == [1])
            socks.status = .closed
            try context.save()
        }
        try await store.perform { context in
            let pack = try #require(try Item.find(1, in: context))
            #expect(pack.subTasks.map(\.title) == ["Shoes", "Socks"])
            #expect(pack.list?.name == "Trip")
            #expect(pack.subTasks.last?.status == .closed)
        }
    }

    @Test("The order of a list's tasks is kept")
    func order() async throws {
        let store = try Store(ChecklistSchema.self, at: .inMemory)
        try await store.perform { context in
            let list = List(id: 1, name: "Trip", context: context)
            for id in [5, 2, 9] { list.tasks.insert(Item(id: id, title: "\(id)", context: context)) }
            try context.save()
        }
        try await store.perform { context in
            let list = try #require(try List.find(1, in: context))
            #expect(list.tasks.map(\.id) == [5, 2, 9])
            let last = try #require(list.tasks.last)
            list.tasks.remove(last)
            list.tasks.insert(last, at: 0)
            try context.save()
        }
        let ids = try await store.perform { try List.find(1, in: $0)?.tasks.map(\.id) }
        #expect(ids == [9, 5, 2])
    }

    @Test("Deleting a list deletes its tasks with all levels of subtasks")
    func cascade() async throws {
        let store = try Store(ChecklistSchema.self, at: .inMemory)
        try await store.perform { context in
            let list = List(id: 1, name: "Trip", context: context)
            var parent = Item(id: 1, title: "1", list: list, context: context)
            for id in 2...5 { parent = Item(id: id, title: "\(id)", parentTask: parent, context: context) }
            Item(id: 100, title: "elsewhere", context: context)
            try context.save()
        }
        try await store.perform { context in
            context.delete(try #require(try List.find(1, in: context)))
            try context.save()
        }
        let left = try await store.perform { try $0.fetch(Item.all()).map(\.id) }
        #expect(left == [100])
    }
}
