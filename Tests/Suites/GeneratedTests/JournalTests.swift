import Foundation
import Journal
import LockstepStore
import Testing

@Suite("The generated journal")
struct JournalTests {
    private static let identifier = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    private static let timestamp = Date(timeIntervalSince1970: 1_534_345_000.25)

    private func representation(title: String = "Monday") -> EntryRepresentation {
        EntryRepresentation(
            identifier: Self.identifier, title: title, bodyText: "It rained.", mood: .happy, timestamp: Self.timestamp)
    }

    @Test("An entry is stored and loaded again with every value")
    func storesAndLoads() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            Entry(
                identifier: Self.identifier, title: "Monday", bodyText: "It rained.", mood: .happy,
                timestamp: Self.timestamp, context: context)
            try context.save()
        }
        let loaded = try await store.perform { context in
            try Entry.find(Self.identifier, in: context)?.representation
        }
        #expect(loaded == representation())
    }

    @Test("A new entry has the schema's defaults: an identifier, a neutral mood, the current time")
    func defaults() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            let before = Date()
            let first = Entry(title: "One", context: context)
            let second = Entry(title: "Two", context: context)
            #expect(first.identifier != second.identifier)
            #expect(first.mood == .neutral)
            #expect(first.bodyText == nil)
            #expect(abs(first.timestamp.timeIntervalSince(before)) < 60)
        }
    }

    @Test("Representations are equal if every value is, and equal ones have the same hash")
    func comparesValues() throws {
        let value = representation()
        let changes: [(inout EntryRepresentation) -> Void] = [
            { $0.identifier = UUID() }, { $0.title = "Tuesday" }, { $0.bodyText = nil }, { $0.mood = .sad },
            { $0.timestamp += 0.000_000_2 },
        ]
        for change in changes {
            var other = value
            change(&other)
            #expect(other != value)
            #expect(Set([value, other]).count == 2)
        }
        #expect(representation() == value)
        #expect(Set([value, representation()]).count == 1)
        let json = #"{"identifier": "\#(Self.identifier)", "title": "Monday"}"#
        var omitting = try JSONDecoder().decode(EntryRepresentation.self, from: Data(json.utf8))
        (omitting.bodyText, omitting.mood, omitting.timestamp) = (value.bodyText, value.mood, value.timestamp)
        #expect(omitting == value && omitting.hashValue == value.hashValue)
    }

    @Test("A model is equal to what the store will make of a representation, without the keys that it omits")
    func comparesWhatIsStored() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let json = #"{"identifier": "\#(Self.identifier)", "title": "Monday"}"#
        let omitting = try JSONDecoder().decode(EntryRepresentation.self, from: Data(json.utf8))
        var finer = representation()
        finer.timestamp += 0.000_000_2
        var later = finer
        later.timestamp += 1
        try await store.perform { [finer, later] context in
            let entry = try #require(Entry(representation: representation(), context: context))
            #expect(entry == omitting && entry == finer)
            #expect(entry != later && entry.representation != finer)
        }
    }

    @Test("An entry and its representation can be compared in both directions")
    func comparesBothWays() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let same = representation()
        let other = representation(title: "Tuesday")
        try await store.perform { context in
            let entry = try #require(Entry(representation: same, context: context))
            #expect(entry == same)
            #expect(same == entry)
            #expect(!(entry != same))
            #expect(!(same != entry))
            #expect(entry != other)
            #expect(other != entry)
            #expect(!(entry == other))
            #expect(!(other == entry))
        }
    }

    @Test(
        "A difference in any one attribute is a difference",
        arguments: ["title", "bodyText", "mood", "timestamp", "identifier"])
    func everyAttributeCounts(_ attribute: String) async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        var other = representation()
        switch attribute {
        case "title": other.title = "x"
        case "bodyText": other.bodyText = nil
        case "mood": other.mood = .unknown("hungry")
        case "timestamp": other.timestamp += 1
        default: other.identifier = UUID()
        }
        let same = representation()
        try await store.perform { [other] context in
            let entry = try #require(Entry(representation: same, context: context))
            #expect(entry != other)
        }
    }

    @Test("Entry and representation encode with the schema's keys, and decode again")
    func encodesWithItsKeys() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let value = representation()
        let json = try await store.perform { context in
            let entry = try #require(Entry(representation: value, context: context))
            return try JSONEncoder().encode(entry)
        }
        let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(Set(object.keys) == ["identifier", "title", "bodyText", "mood", "timestamp"])
        #expect(object["identifier"] as? String == "01020304-0506-0708-090a-0b0c0d0e0f10")
        #expect(object["mood"] as? String == "happy")
        #expect(object["timestamp"] as? String == "2018-08-15T14:56:40.250Z")
        #expect(try JSONDecoder().decode(EntryRepresentation.self, from: json) == value)
        #expect(EntryRepresentation.CodingKeys(rawValue: "bodyText") == .bodyText)
    }

    @Test("update(from:) sets every value; an equal representation changes nothing")
    func updates() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let old = representation()
        try await store.perform { context in
            _ = Entry(representation: old, context: context)
            try context.save()
        }
        var new = old
        new.title = "Tuesday"
        new.bodyText = nil
        new.mood = .sad
        let changed = new
        try await store.perform { context in
            let entry = try #require(try Entry.find(Self.identifier, in: context))
            entry.update(from: old)
            #expect(!context.hasChanges)
            entry.update(from: changed)
            #expect(context.hasChanges)
            #expect(entry == changed)
            try context.save()
        }
        let loaded = try await store.perform { try Entry.find(Self.identifier, in: $0)?.representation }
        #expect(loaded == changed)
    }

    @Test("An unknown mood keeps its spelling in the store and in JSON")
    func unknownMood() async throws {
        let json = Data(
            #"{"identifier":"01020304-0506-0708-090A-0B0C0D0E0F10","title":"?","mood":"hungry","timestamp":"2020-01-01"}"#
                .utf8)
        let value = try JSONDecoder().decode(EntryRepresentation.self, from: json)
        #expect(value.mood == .unknown("hungry"))
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            _ = Entry(representation: value, context: context)
            try context.save()
        }
        let loaded = try #require(
            try await store.perform { try Entry.find(Self.identifier, in: $0)?.representation })
        let text = String(decoding: try JSONEncoder().encode(loaded), as: UTF8.self)
        #expect(text.contains(#""mood":"hungry""#))
        #expect(Mood(rawValue: "happy") == .happy)
        #expect(Mood.allCases == [.sad, .neutral, .happy])
    }

    @Test("A missing title is an error that names it; a missing mood is the default")
    func missingKeys() throws {
        let withoutMood = Data(#"{"identifier":"01020304-0506-0708-090a-0b0c0d0e0f10","title":"x"}"#.utf8)
        #expect(try JSONDecoder().decode(EntryRepresentation.self, from: withoutMood).mood == .neutral)
        let withoutTitle = Data(#"{"identifier":"01020304-0506-0708-090a-0b0c0d0e0f10"}"#.utf8)
        #expect {
            try JSONDecoder().decode(EntryRepresentation.self, from: withoutTitle)
        } throws: { error in
            "\(error)".contains("title")
        }
    }

    @Test("Requests use the columns, with values as stored")
    func requests() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let value = representation()
        try await store.perform { context in
            _ = Entry(representation: value, context: context)
            Entry(title: "Other", mood: .sad, timestamp: Date(timeIntervalSince1970: 0), context: context)
            try context.save()
            let happy = try context.fetch(Entry.filter { $0.mood == Mood.happy }.order(\.timestamp.desc).limit(10))
            #expect(happy.map(\.title) == ["Monday"])
            #expect(try context.fetch(Entry.filter { $0.identifier == Self.identifier }).count == 1)
            #expect(try context.fetch(Entry.filter { $0.timestamp == Self.timestamp }).count == 1)
            #expect(try context.fetch(Entry.filter { $0.bodyText == nil }).map(\.title) == ["Other"])
            #expect(try context.fetch(Entry.order(\.timestamp)).map(\.title) == ["Other", "Monday"])
        }
    }

    @Test("findOrInsert finds an existing record and inserts a missing one")
    func findOrInsert() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            let made = try Entry.findOrInsert(Self.identifier, in: context) {
                Entry(identifier: Self.identifier, title: "New", context: $0)
            }
            let found = try Entry.findOrInsert(Self.identifier, in: context) {
                Entry(identifier: Self.identifier, title: "Never", context: $0)
            }
            #expect(made === found)
            #expect(found.title == "New")
        }
    }
}
