import Foundation
import LockstepStore
import OfflineTasks
import SchematicCapture
import Shop
import Testing

// The Swift on the shop, the projects and the offline tasks in ComingFromCoreData.md.

@Suite("Coming from Core Data: the shop, the projects, the offline tasks")
struct CoreDataShopSnippets {
    private typealias Task = OfflineTasks.Task

    @Test("Sums, and other aggregates of GRDB")
    func aggregates() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.perform { context in
            for id in 1...3 { Product(id: id, name: "p", price: Decimal(id) / 10, stock: id, context: context) }
            try context.save()
            // snippet
            let cheap = Product.filter { $0.price < 20 }
            let total = try context.sum(cheap) { $0.price }  // sum:, exact: Decimal
            let average = try context.average(cheap) { $0.stock }  // average:, Double?
            let stock = try context.sums(cheap, of: \.stock, by: \.name)  // [String: Int]
            // end
            #expect(total == Decimal(string: "0.6") && average == 2 && stock == ["p": 6])
        }
        // snippet
        let heaviest = try await store.writer.read { database in
            try Double.fetchOne(database, Product.select { max($0.weight) })
        }
        // end
        #expect(heaviest == nil)
    }

    @Test("Predicates over relationships")
    func relationships() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.perform { context in
            let product = Product(id: 1, name: "Cleaner", price: 30, context: context)
            ProductReview(id: 1, name: "Al", reviewText: "Good", product: product, context: context)
            Product(id: 2, name: "Other", context: context)
            try context.save()
            // snippet
            let key = ForeignKey([ProductReview.Columns.productID])
            let toProduct = ProductReview.belongsTo(Product.self, using: key)
            let toReviews = Product.hasMany(ProductReview.self, using: key)

            // product.price > 20
            let reviews = try context.fetch(ProductReview.joining(required: toProduct.filter { $0.price > 20 }))
            // ANY productReviews.name == "Al"
            let reviewed = toReviews.filter { $0.name == "Al" }
            let products = try context.fetch(Product.having(reviewed.isEmpty == false))
            // productReviews.@count == 0
            let silent = try context.fetch(Product.having(toReviews.isEmpty))
            // end
            #expect(reviews.map(\.id) == [1] && products.map(\.id) == [1] && silent.map(\.id) == [2])
        }
    }

    @Test("Schematic Capture: the tree from its representation, and back")
    func tree() async throws {
        let json = Data(
            #"{"id": 1, "name": "Ship", "companyName": "ACME", "clientId": 7, "jobsheet": [{"id": 2, "name": "Pump"}]}"#
                .utf8)
        let store = try Store(SchematicCaptureSchema.self, at: .inMemory)
        let count = try await store.perform { context in
            // snippet
            let received = try JSONDecoder().decode(ProjectRepresentation.self, from: json)
            let project = Project(representation: received, context: context)  // with its job sheets
            try context.save()
            let upload = try JSONEncoder().encode(project?.representation)  // in the order of the schema
            // end
            #expect(upload.count > 50)
            return project?.jobSheets.count
        }
        #expect(count == 1)
    }

    @Test("OfflineCRUD: attributes known and unknown to the server")
    func offline() async throws {
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        try await store.perform { context in
            // snippet
            let task = Task(title: "Milk", context: context)  // localID is made on the device, remoteID is nil
            try context.save()
            let known = try context.fetch(Task.filter { $0.remoteID != nil })  // remoteID != %@, NSNull()
            let local = try context.fetch(Task.filter { $0.remoteID == nil })
            task.remoteID = 5
            let byRemoteID = try context.find(Task.self, wireIdentity: 5)
            // end
            #expect(known.isEmpty && local.count == 1 && byRemoteID === task)
        }
    }

    @Test("Prefetched relationships, values without objects, records read again")
    func loading() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.perform { context in
            Product(id: 1, name: "Cleaner", price: 30, context: context)
            try context.save()
            // snippet
            context.mergePolicy = .contextWins  // NSMergeByPropertyObjectTrumpMergePolicy
            let products = try context.fetch(Product.order(\.id).prefetch(\.productReviews))  // two queries
            let values = try context.representations(Product.order(\.id))  // Sendable structs, without objects
            for product in products { try context.refresh(product) }  // refresh(_:mergeChanges: true)
            // end
            #expect(products.count == 1 && values.map(\.id) == [1])
        }
    }
}
