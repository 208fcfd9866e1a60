import Foundation
import SwiftData

typealias Plant = GardensSchemaV3.Plant

enum GardensSchemaV1: VersionedSchema {
    static var versionIdentifier = Schema.Version(1, 0, 0)

    static var models: [any PersistentModel.Type] { [Plant.self, Shed.self] }

    @Model
    final class Plant {
        @Attribute(.unique) var id: UUID
        var name: String
        var height: Int

        init(id: UUID = UUID(), name: String, height: Int = 0) {
            (self.id, self.name, self.height) = (id, name, height)
        }
    }
}

enum GardensSchemaV2: VersionedSchema {
    static let versionIdentifier: Schema.Version = .init(2, 0, 0)

    static var models: [any PersistentModel.Type] {
        [Plant.self, Watering.self, Shed.self]
    }

    @Model
    final class Plant {
        @Attribute(.unique) var id: UUID
        @Attribute(originalName: "name") var commonName: String
        var height: Int
        @Relationship(deleteRule: .cascade) var waterings: [Watering]

        init(id: UUID = UUID(), commonName: String, height: Int = 0, waterings: [Watering] = []) {
            (self.id, self.commonName, self.height, self.waterings) = (id, commonName, height, waterings)
        }
    }

    @Model
    final class Watering {
        @Attribute(.unique) var id: UUID = UUID()
        var day: Date = Date.now
        var plant: Plant?

        init() {}
    }
}

enum GardensSchemaV3: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 1, 0) }

    static var models: [any PersistentModel.Type] { [GardensSchemaV3.Plant.self, Watering.self, Shed.self] }
}

extension GardensSchemaV3 {
    @Model
    final class Plant {
        @Attribute(.unique) var id: UUID
        var commonName: String
        @Relationship(deleteRule: .cascade, inverse: \Watering.plant) var waterings: [Watering]

        init(id: UUID = UUID(), commonName: String, waterings: [Watering] = []) {
            (self.id, self.commonName, self.waterings) = (id, commonName, waterings)
        }
    }

    @Model
    final class Watering {
        @Attribute(.unique) var id: UUID = UUID()
        @Attribute(originalName: "day") var date: Date = Date.now
        var plant: Plant?

        init() {}
    }
}

@Model
final class Shed {
    @Attribute(.unique) var number: Int

    init(number: Int) { self.number = number }
}

@Model
final class Draft {
    var text: String = ""

    init() {}
}

enum GardensMigrationPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
        [GardensSchemaV1.self, GardensSchemaV2.self, GardensSchemaV3.self]
    }

    static var stages: [MigrationStage] {
        [.lightweight(fromVersion: GardensSchemaV1.self, toVersion: GardensSchemaV2.self), dropHeights]
    }

    static let dropHeights = MigrationStage.custom(
        fromVersion: GardensSchemaV2.self, toVersion: GardensSchemaV3.self,
        willMigrate: { context in try context.delete(model: GardensSchemaV2.Plant.self) }, didMigrate: nil)
}
