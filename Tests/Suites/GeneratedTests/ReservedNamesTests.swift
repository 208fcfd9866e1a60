import Foundation
import LockstepStore
import ReservedNames
import Testing

@Suite("Reserved names at run time")
struct ReservedNamesTests {
    @Test("An entry with keywords as names is stored, loaded, compared, encoded and decoded")
    func keywords() async throws {
        let store = try LockstepStore.Store(ReservedNamesSchema.self, at: .inMemory)
        try await store.perform { context in
            let entry = Entry(
                id: 1, quoted: "q", row: "r", oldValue: "o", type: "t", Type_: "T", self_: "s", init_: "i",
                class: "c", default: "d", in: "in", let: "l", var: "v", context: context)
            try context.save()
            #expect(entry == entry.representation)
        }
        try await store.perform { context in
            let entry = try #require(try context.fetch(Entry.filter { $0.class == "c" }.order(\.id)).first)
            #expect(entry.self_ == "s")
            #expect(entry.oldValue == "o")
            let json = try JSONEncoder().encode(entry)
            let object = try #require(try JSONSerialization.jsonObject(with: json) as? NSDictionary)
            #expect(object["self"] as? Swift.String == "s")
            #expect(object["class"] as? Swift.String == "c")
            #expect(object["it's \"a\" \\ key"] as? Swift.String == "q")
            let decoded = try JSONDecoder().decode(EntryRepresentation.self, from: json)
            #expect(decoded == entry)
            entry.default = nil
            #expect(entry != decoded)
            entry.update(from: decoded)
            #expect(entry.default == "d")
        }
    }

    @Test("Entities named like types of the runtime and of Swift work together")
    func shadowed() async throws {
        let store = try LockstepStore.Store(ReservedNamesSchema.self, at: .inMemory)
        try await store.perform { context in
            let model = Model(id: 1, name: "m", context: context)
            let inner = ManagedObjectContext(id: 2, name: "c", model: model, context: context)
            let text = ReservedNames.String(id: "s", flag: true, word: .self_, closed: .none_, context: context)
            let date = ReservedNames.Date(year: 2026, month: 11, context: context)
            let optional = ReservedNames.Optional(id: 1, required: date, context: context)
            try context.save()
            #expect(model.contexts.first === inner)
            #expect(text == text.representation)
            #expect(optional.required === date)
        }
        try await store.perform { context in
            let optional = try #require(try ReservedNames.Optional.find(1, in: context))
            #expect(optional.required.month == 11)
            #expect(try ReservedNames.String.find("s", in: context)?.closed == Closed.none_)
            #expect(Word(rawValue: "self") == .self_)
        }
    }

    @Test("Defaults with control characters are the same in Swift and in SQL; an entity can have no members")
    func controlCharacters() async throws {
        let store = try LockstepStore.Store(ReservedNamesSchema.self, at: .inMemory)
        try await store.writer.write { try $0.execute(sql: "INSERT INTO bell (id) VALUES (1)") }
        try await store.perform { context in
            let bell = try #require(try Bell.find(1, in: context))
            #expect(bell.rung == "a\u{7}b\r\nc")
            #expect(Bell(id: 2, context: context).rung == bell.rung)
            Nothing(context: context)
            Nothing(context: context)
            try context.save()
            #expect(try context.count(Nothing.all()) == 2)
        }
    }

    @Test("Records from the server get unique local text identities")
    func localIdentityOfText() async throws {
        let store = try LockstepStore.Store(ReservedNamesSchema.self, at: .inMemory)
        let values = try JSONDecoder().decode([ErrandRepresentation].self, from: Data(#"[{"id": 1}, {"id": 2}]"#.utf8))
        try await store.perform { context in
            let errands = values.compactMap { Errand(representation: $0, context: context) }
            try context.save()
            #expect(errands.count == 2)
            #expect(errands.allSatisfy { !$0.localID.isEmpty })
            #expect(errands[0].localID != errands[1].localID)
        }
    }

    @Test("Relationships with reserved names can be prefetched")
    func names() async throws {
        let store = try LockstepStore.Store(ReservedNamesSchema.self, at: .inMemory)
        try await store.perform { context in
            let row = Row(id: 1, context: context)
            let top = Relationships_(id: 1, context: context)
            top.class = row
            top.self_ = row
            top.relationships = top
            top.names.insert(row)
            try context.save()
        }
        try await store.perform { context in
            let request = Relationships_.prefetch(\.class).prefetch(\.self_.relationships.names).prefetch(\.path)
            let top = try #require(try context.first(request.prefetch { $0.relationships.class }))
            #expect(top.class?.id == 1)
            #expect(top.self_?.relationships === top)
            #expect(top.names.count == 1)
            let none = try context.first(Self_.prefetch(\.self_))
            #expect(none == nil)
        }
    }
}
