import Checklist
import Foundation
import Journal
import KitchenSink
import LockstepStore
import OfflineTasks
import SampleTypes
import SchematicCapture
import Shop

/// Stores a record of each sample schema in a SQLite file of its own, and loads it again from there.
@main
struct Demo {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else {
            print("usage: demo FOLDER")
            exit(2)
        }
        let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
        try await show(JournalSchema.self, in: folder, store: { Entry(title: "Hello", mood: .happy, context: $0) }) {
            try $0.fetch(Entry.all())
        }
        try await show(SchematicCaptureSchema.self, in: folder, store: storeProject) { try $0.fetch(Project.all()) }
        try await show(
            OfflineTasksSchema.self, in: folder,
            store: { OfflineTasks.Task(title: "Buy milk", createdAt: day, context: $0) }
        ) { try $0.fetch(OfflineTasks.Task.all()) }
        try await show(ShopSchema.self, in: folder, store: storeProduct) { try $0.fetch(Product.all()) }
        try await show(ChecklistSchema.self, in: folder, store: storeList) { try $0.fetch(Checklist.Task.all()) }
        try await show(KitchenSinkSchema.self, in: folder, store: storePerson) { try $0.fetch(Person.all()) }

        print("\n== A list that follows what is saved\n")
        try await showLiveList()

        print("\n== A server's JSON, merged twice\n")
        try await showMerge()
    }

    private static let day = Date(timeIntervalSince1970: 1_600_000_000)

    private static func storeProject(in context: Context) {
        let project = Project(id: 7, name: "Plant", client: "Acme", clientId: 3, context: context)
        let sheet = JobSheet(id: 1, name: "Pumps", project: project, context: context)
        let component = Component(
            id: 11, componentId: "C-11", manufacturer: "Siemens", jobSheet: sheet, context: context)
        component.photo = Photo(id: 111, name: "front.jpg", context: context)
    }

    private static func storeProduct(in context: Context) {
        let product = Product(id: 1, name: "Katamari Damacy T-Shirt", price: 19.9, stock: 12, context: context)
        product.tags.insert(Tag(id: 1, name: "red", context: context))
        product.images.insert(
            Picture(id: 4, url: folderURL, title: "Roll it up!", context: context))
    }

    private static let folderURL = URL(fileURLWithPath: "/katamari.jpg")

    private static func storeList(in context: Context) {
        let list = List(id: 1, name: "Trip", context: context)
        let pack = Checklist.Task(id: 1, title: "Pack", list: list, context: context)
        pack.subTasks.insert(Checklist.Task(id: 2, title: "Socks", status: .closed, context: context))
    }

    private static func storePerson(in context: Context) {
        Person(createdAt: day, name: "Ada", country: "GB", number: 1, context: context)
    }

    /// Stores what `store` makes, closes the database, opens it again and prints what `load` finds, as JSON.
    private static func show<Loaded: Model>(
        _ schema: any StoreSchema.Type, in folder: URL, store makeRecords: @escaping @Sendable (Context) -> Void,
        load: @escaping @Sendable (Context) throws -> [Loaded]
    ) async throws {
        let file = folder.appendingPathComponent("\(schema.name).sqlite")
        do {
            let store = try Store(schema, at: .file(file))
            try await store.perform { context in
                makeRecords(context)
                try context.save()
            }
        }
        let store = try Store(schema, at: .file(file))
        let lines = try await store.perform { context in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try load(context).map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        }
        print("\n\(schema.name).sqlite, \(Loaded.entity.name) loaded again:")
        for line in lines { print("  \(line)") }
    }
}
