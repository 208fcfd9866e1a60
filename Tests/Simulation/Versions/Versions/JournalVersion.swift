import Foundation
import LockstepStore
import SamplesV1
import SamplesV2
import SamplesV3

/// A release of the journal.
enum JournalVersion: Int, CaseIterable, Comparable, Sendable {
    case first = 1
    case second, third

    static func < (left: JournalVersion, right: JournalVersion) -> Bool { left.rawValue < right.rawValue }

    var schema: any StoreSchema.Type {
        switch self {
        case .first: SamplesV1.JournalSchema.self
        case .second: SamplesV2.JournalSchema.self
        case .third: SamplesV3.JournalSchema.self
        }
    }

    /// Opens a device's file as this version of the app does: whatever is older is migrated.
    func open(_ file: URL, migration: MigrationMode = .automatic) throws -> Store {
        func open<Schema: StoreSchema>(_ schema: Schema.Type) throws -> Store {
            try Store(schema, at: .file(file), migration: migration)
        }
        return try open(schema)
    }

    /// What this version calls the records of a collection.
    func name(of collection: JournalCollection) -> String {
        switch collection {
        case .entries: "Entry"
        case .notebooks: self < .third ? "Notebook" : "Folder"
        case .tags: "Tag"
        case .pictures: "Picture"
        }
    }

    func collection(named name: String) -> JournalCollection? {
        JournalCollection.allCases.first { self.name(of: $0) == name }
    }

    func type(of collection: JournalCollection) -> any Model.Type {
        let name = name(of: collection)
        for type in schema.entities where type.entity.name == name { return type }
        preconditionFailure("version \(rawValue) has no \(name)")
    }

    /// The key of an entry's text.
    var textKey: String { self < .second ? "bodyText" : "text" }

    /// The members of an entry that this version can change, by their keys in JSON.
    var entryKeys: [String] {
        switch self {
        case .first: ["title", textKey, "mood", "rating", "weather"]
        case .second: ["title", textKey, "mood", "rating", "weather", "pinned", "place"]
        case .third: ["title", textKey, "mood", "rating", "pinned", "place"]
        }
    }
}

/// The records of one kind, whatever a version calls them.
enum JournalCollection: String, CaseIterable, Comparable, Sendable {
    case entries = "/entries"
    case notebooks = "/notebooks"
    case tags = "/tags"
    /// They are in their entries, and in no collection of their own.
    case pictures

    /// Those with a collection on the server.
    static let sent: [JournalCollection] = [.entries, .notebooks, .tags]

    static func < (left: JournalCollection, right: JournalCollection) -> Bool { left.rawValue < right.rawValue }
}
